// The moves on the board: played, taken back, and read from the address.

import { useCallback, useRef, useState } from "preact/hooks";
import { address } from "./address.js";
import { Line, readWords } from "./game.js";

// The line of moves as state. It is live while agents answer; a link shows its position first.
export function useMoves(page, seats) {
  const [, redraw] = useState(0);
  const [live, setLive] = useState(() => !address().moves.length);
  const line = useRef(null);
  line.current ??= opened(page);

  const changed = useCallback((isLive) => {
    setLive(isLive);
    redraw((n) => n + 1);
  }, []);
  const play = useCallback((action) => {
    if (!line.current.at.position.legal.includes(action)) return;
    line.current.play(action);
    changed(true);
  }, []);
  const newGame = (seed = line.current.seed + 1) => {
    line.current = new Line(page.rules, seed);
    changed(true);
  };
  const open = (other) => {
    line.current = other;
    changed(false);
  };
  const undo = () => {
    line.current.undo();
    const human = (p) => seats[p].kind === "human";
    if (seats.some((s) => s.kind === "human")) {
      while (line.current.at.parent && !human(line.current.at.position.player)) line.current.undo();
    }
    changed(human(line.current.at.position.player));
  };
  // As far forward as undo goes back: to your next turn.
  const redo = () => {
    const human = (p) => seats[p].kind === "human";
    do line.current.redo();
    while (seats.some((s) => s.kind === "human") && more() && !human(turn()));
    changed(!more());
  };
  const more = () => line.current.at.next ?? line.current.at.children[0];
  const turn = () => line.current.at.position.player;
  const goTo = (node) => {
    line.current.goTo(node);
    changed(false);
  };
  const goOn = () => setLive(true);
  return { line: line.current, live, moves: { play, newGame, open, undo, redo, goTo, goOn } };
}

function opened(page) {
  const { moves, seed, words } = address();
  const found = words && readWords(page.rules, page.document.game, page.document.board, words);
  const position = typeof found === "string" ? undefined : found?.root.position;
  return new Line(page.rules, seed, moves, position ?? undefined);
}
