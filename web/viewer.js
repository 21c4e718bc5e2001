// Who looks at the screen. In a game with hidden information each person sees its own cards only.

import { useState } from "preact/hooks";
import { NOBODY } from "./rules.js";

// The viewer: a player, null (nobody plays, so all is shown), or NOBODY: then the board is covered
// until the person takes the screen who is to move.
export function useViewer(page, seats, line) {
  const [taken, setTaken] = useState({ line, player: NOBODY });
  const { hides } = page.document.game;
  const people = seats.flatMap(({ kind }, p) => (kind === "human" ? [p] : []));
  if (!hides || !people.length) return { viewer: null, covered: false };
  if (people.length === 1) return { viewer: people[0], covered: false };
  const mover = line.at.truth.player;
  const last = taken.line === line ? taken.player : NOBODY;
  const covered = line.secret && people.includes(mover) && last !== mover;
  const take = () => setTaken({ line, player: mover });
  return { viewer: covered ? NOBODY : last, covered, take };
}
