// A board on which agents play game after game, at a pace that people can follow.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Board } from "./board.jsx";
import { lastMove } from "./changes.js";
import { Line } from "./game.js";
import { outcome } from "./result.js";
import { quiet } from "./tempo.js";
import { t } from "./texts.js";

const [MOVE, END] = [750, 2600]; // milliseconds between two moves, and after a game
const LONGEST = 400; // moves that are shown of a game

// choose(position, number): a promise of the next action, or of null while there is none.
export function LiveBoard({ page, choose, label, going = true, seed = 1 }) {
  const line = useRef(null);
  line.current ??= new Line(page.rules, seed);
  const [at, setAt] = useState(line.current.at);
  const [wanted, setWanted] = useState(!quiet());
  const run = going && wanted;
  useEffect(() => {
    if (!run) return undefined;
    let waiting = true;
    const { position } = at;
    const ended = position.over || at.ply >= LONGEST;
    const timer = setTimeout(
      async () => {
        if (document.hidden) return waiting && setAt({ ...at });
        if (ended) line.current = new Line(page.rules, line.current.seed + 1);
        else {
          const action = await choose(position, 1 + line.current.seed * 1009 + at.ply).catch(() => null);
          if (!waiting) return undefined;
          if (action === null) return setAt({ ...at }); // asks again a little later
          line.current.play(action);
        }
        return waiting && setAt(line.current.at);
      },
      ended ? END : MOVE,
    );
    return () => {
      waiting = false;
      clearTimeout(timer);
    };
  }, [at, run]);
  const { board } = page.document;
  const last = useMemo(() => {
    const found = lastMove(page.rules, board, at);
    return found && { ...found, animated: true };
  }, [at]);
  return (
    <figure class="live">
      <Board page={page} position={{ ...at.position, legal: [] }} last={last} label={label} small />
      <figcaption>
        <span>{at.position.over ? outcome(page, at.position) : label}</span>
        <button type="button" class="link" onClick={() => setWanted(!wanted)}>
          {wanted ? t("Pause") : t("Go on")}
        </button>
      </figcaption>
    </figure>
  );
}
