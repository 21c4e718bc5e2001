// The moves on the board: played, taken back, and read from the address.

import { useCallback, useRef, useState } from "preact/hooks";
import { address } from "./address.js";
import { Line, readWords } from "./game.js";
import { t } from "./texts.js";

// The line of moves as state. It is live while agents answer; a link shows its position first.
export function useMoves(page, seats, notice) {
  const { hides } = page.document.game;
  const [, redraw] = useState(0);
  const [live, setLive] = useState(() => !address().moves.length);
  const line = useRef(null);
  line.current ??= opened(page, notice);

  const changed = useCallback((isLive) => {
    setLive(isLive);
    redraw((n) => n + 1);
  }, []);
  const play = useCallback((action) => {
    const { at, finished } = line.current;
    if (!at.truth.legal.includes(action) || (hides && finished)) return;
    line.current.play(action);
    changed(true);
  }, []);
  const newGame = (seed = hides ? anySeed() : line.current.seed + 1) => {
    line.current = new Line(page.rules, seed);
    changed(true);
  };
  const open = (other) => {
    line.current = other;
    changed(false);
  };
  // A move that is taken back may have shown something hidden.
  const fixed = () => line.current.secret;
  const undo = () => {
    if (fixed()) return;
    line.current.undo();
    const human = (p) => seats[p].kind === "human";
    if (seats.some((s) => s.kind === "human")) {
      while (line.current.at.parent && !human(line.current.at.position.player)) line.current.undo();
    }
    changed(human(line.current.at.position.player));
  };
  // As far forward as undo goes back: to your next turn.
  const redo = () => {
    if (fixed()) return;
    const human = (p) => seats[p].kind === "human";
    do line.current.redo();
    while (seats.some((s) => s.kind === "human") && more() && !human(turn()));
    changed(!more());
  };
  const more = () => line.current.at.next ?? line.current.at.children[0];
  const turn = () => line.current.at.position.player;
  const goTo = (node) => {
    if (fixed()) return;
    line.current.goTo(node);
    changed(false);
  };
  const goOn = () => setLive(true);
  return { line: line.current, live, moves: { play, newGame, open, undo, redo, goTo, goOn } };
}

// In a game with hidden information nobody knows the deal from an earlier visit.
const anySeed = () => Math.floor(Math.random() * 2 ** 48);

function opened(page, notice) {
  const { moves, seed: said, words } = address();
  const { hides } = page.document.game;
  const seed = said ?? (hides ? anySeed() : 1);
  if (hides) return new Line(page.rules, seed, moves);
  const found = words && readWords(page.rules, page.document.game, page.document.board, words);
  if (typeof found !== "string") return new Line(page.rules, seed, moves, found?.root.position);
  notice(t("The position in the address is not shown: {why}.", { why: found }));
  return new Line(page.rules, seed);
}
