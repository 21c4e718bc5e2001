// What people count in a game, how it ended, and what decided it.

import { seatName } from "./seats.js";
import { number, t } from "./texts.js";

// What each player has, or all together: {name, numbers, decides}; null where nothing is counted.
export function tallyOf({ board }, position) {
  if (!board.tally) return null;
  const { name, values, words, decides } = board.tally;
  const pieces = (wanted) =>
    position.cells.filter((v, c) => board.cells[c].kind === "board" && wanted.includes(v)).length;
  const word = (places) => places.reduce((sum, w) => sum + Number(position.words[w]), 0);
  return { name, decides, numbers: values.length ? values.map(pieces) : words.map(word) };
}

// Who sits alone against agents: the player that the page speaks to as "you", or null.
export function you(seats) {
  const humans = seats.flatMap(({ kind }, p) => (kind === "human" ? [p] : []));
  return humans.length === 1 ? humans[0] : null;
}

// From whose side values are shown: yours, or the first player's.
export function perspective(seats) {
  return you(seats) ?? 0;
}

// How a game has ended: "You win 38:26."
export function outcome(page, position, seats = []) {
  const { players } = page.document.game;
  const { scores } = position;
  if (players === 1) return t("Finished with {points} points.", { points: number(scores[0]) });
  const top = Math.max(...scores);
  const winners = scores.flatMap((s, p) => (s === top ? [p] : []));
  if (winners.length === players) return t("A draw{count}.", { count: count(page, position, 0) });
  const mine = you(seats);
  if (mine !== null && winners.includes(mine)) {
    if (winners.length > 1) return t("You share the win.");
    return t("You win{count}.", { count: count(page, position, mine) });
  }
  if (mine !== null && players === 2) {
    return t("You lose{count}.", { count: count(page, position, mine) });
  }
  const told = { count: count(page, position, winners[0]) };
  const names = winners.map((p) => seatName(page, p));
  if (names.length > 1) return t("{players} share the win{count}.", { players: names.join(", "), ...told });
  return t("{player} wins{count}.", { player: names[0], ...told });
}

// The numbers of a count that decides, from a player's side: " 38:26".
function count(page, position, player) {
  const tally = tallyOf(page.document, position);
  if (!tally?.decides) return "";
  const { numbers } = tally;
  const others = numbers.filter((_, p) => p !== player).sort((a, b) => b - a);
  return ` ${[numbers[player], ...others].join(":")}`;
}

// What decided a game, as lists of cells: complete lines through the last move, or a shortest chain.
export function decided(board, at) {
  const { cells, over } = at.position;
  if (!over) return [];
  const changed = (c) => !at.parent || cells[c] !== at.parent.position.cells[c];
  const owner = (c) => board.pieces[cells[c]]?.colour;
  const lines = board.wins.filter(
    (line) => owner(line[0]) && line.every((c) => owner(c) === owner(line[0])) && line.some(changed),
  );
  if (lines.length) return longest(lines);
  return board.sides.flatMap((parts, p) => chain(board, cells, parts, p + 1));
}

// Of lines of several lengths the longest: four in a row count before the three in them.
function longest(lines) {
  const most = Math.max(...lines.map(({ length }) => length));
  return lines.filter(({ length }) => length === most);
}

// The shortest chain of cells with a value from one part of the board to the other, if there is one.
function chain(board, cells, [begin, end], value) {
  const from = new Map(begin.filter((c) => cells[c] === value).map((c) => [c, null]));
  const waiting = [...from.keys()];
  for (const c of waiting) {
    if (end.includes(c)) {
      const found = [];
      for (let back = c; back !== null; back = from.get(back)) found.push(back);
      return [found];
    }
    for (const next of board.near[c]) {
      if (cells[next] !== value || from.has(next)) continue;
      from.set(next, c);
      waiting.push(next);
    }
  }
  return [];
}
