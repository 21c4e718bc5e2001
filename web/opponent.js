// The move of a seat that is not human: it comes when the last one has been seen.

import { useEffect, useState } from "preact/hooks";
import { lastMove } from "./changes.js";
import { playerName } from "./seats.js";
import { rest } from "./tempo.js";
import { t } from "./texts.js";
import { Stopped } from "./thinker.js";

const THINKING = 250; // milliseconds after which the page says that a player thinks

// Lets the player in the seat move while it is wanted; returns who thinks, and how far it is.
export function useOpponent({ opponent, seats, line, board, wanted, play, notice }) {
  const [thinking, setThinking] = useState(null);
  const { at } = line;
  const { position } = at;
  const seat = seats[position.player];
  useEffect(() => {
    if (position.over || !wanted || seat.kind === "human") return undefined;
    let waiting = true;
    const timer = setTimeout(() => setThinking({ player: position.player }), THINKING);
    const seed = 1 + line.seed * 100003 + at.ply;
    const report = (progress) => waiting && setThinking({ player: position.player, ...progress });
    let pause;
    const rested = new Promise((done) => {
      pause = setTimeout(done, rest(lastMove(line.rules, board, at)?.lasting ?? 0));
    });
    const stopped = () => {
      clearTimeout(timer);
      clearTimeout(pause);
      setThinking(null);
    };
    opponent
      .ask("act", { player: seat, position: line.given, seed }, report)
      .then(async ({ action }) => {
        await rested;
        stopped();
        if (waiting) play(action);
      })
      .catch((error) => {
        stopped();
        if (error instanceof Stopped) return;
        notice(t("{player} failed: {why}", { player: playerName(seat), why: error.message }));
      });
    return () => {
      waiting = false;
      stopped();
      if (opponent.busy) opponent.restart();
    };
  }, [at, seats, wanted]);
  return thinking;
}
