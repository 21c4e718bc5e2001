// The views of the page, and its address.

export const VIEWS = [
  { id: "play", name: "Play" },
  { id: "inside", name: "Look inside", brief: "Inside" },
  { id: "game", name: "The game", brief: "Game" },
  { id: "train", name: "Train" },
  { id: "lesson", name: "Lesson" },
];

// The view and the position in the address, so that a link shows them.
export function address() {
  const given = new URLSearchParams(location.hash.slice(1));
  const moves = (given.get("m") ?? "").split(".").filter(Boolean).map(Number);
  const view = VIEWS.find(({ id }) => id === given.get("v"))?.id;
  const seed = Number(given.get("s") ?? 1);
  return {
    view,
    moves: moves.slice(0, 20000),
    seed: Number.isSafeInteger(seed) && seed >= 0 ? seed : 1,
  };
}

// Is this game, of several in a file, the one that the address names?
export function place(game) {
  return named() === game.name;
}

function named() {
  return new URLSearchParams(location.hash.slice(1)).get("g");
}

export function link(view, line) {
  const game = named() === null ? "" : `g=${encodeURIComponent(named())}&`;
  return `#${game}v=${view}&s=${line.seed}&m=${line.actions.join(".")}`;
}

export function remember(view, line) {
  if (line.actions.length > 2000 || !line.fromStart) return; // addresses have an end
  try {
    history.replaceState(null, "", link(view, line));
  } catch {
    // some places do not allow it
  }
}
