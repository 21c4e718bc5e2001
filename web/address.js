// The views of the page, and its address.

import { term } from "./texts.js";

const LONGEST = 2000; // moves in an address

export const VIEWS = [
  { id: "play", name: term("Play") },
  { id: "inside", name: term("Look inside"), brief: term("Inside") },
  { id: "game", name: term("The game"), brief: term("Game") },
  { id: "train", name: term("Train") },
  { id: "lesson", name: term("Lesson") },
  { id: "puzzles", name: term("Puzzles") },
];

// The view and the position in the address, so that a link shows them.
export function address() {
  const given = new URLSearchParams(location.hash.slice(1));
  const moves = (given.get("m") ?? "").split(".").filter(Boolean).map(Number);
  const view = VIEWS.find(({ id }) => id === given.get("v"))?.id;
  const seed = Number(given.get("s") ?? NaN);
  return {
    view,
    words: given.get("w")?.split(".") ?? null, // of a position that no start leads to
    moves: moves.slice(0, 20000),
    seed: Number.isSafeInteger(seed) && seed >= 0 ? seed : null,
  };
}

// Does a link ask for a training that begins at once?
export function wantsTraining() {
  return new URLSearchParams(location.hash.slice(1)).get("go") === "1";
}

// Is this game, of several in a file, the one that the address names?
export function place(game) {
  return named() === game.name;
}

function named() {
  return new URLSearchParams(location.hash.slice(1)).get("g");
}

// Of a game that still hides something only the view: its seed would tell the deal.
export function link(view, line) {
  const game = named() === null ? "" : `g=${encodeURIComponent(named())}&`;
  if (line.secret || line.at.ply > LONGEST) return `#${game}v=${view}`; // addresses have an end
  const begin = line.fromStart ? "" : `&w=${hexadecimal(line.root.truth.words).join(".")}`;
  return `#${game}v=${view}&s=${line.seed}${begin}&m=${line.actions.join(".")}`;
}

// The words of a state as tafl writes them.
export function hexadecimal(words) {
  return Array.from(words, (word) => BigInt.asUintN(64, word).toString(16));
}

export function remember(view, line) {
  try {
    history.replaceState(null, "", link(view, line));
  } catch {
    // some places do not allow it
  }
}
