// What a move changed on the board, and how that is animated: pieces fall, slide, flip, come, go.

import { wayOf } from "./game.js";
import { pieceOf } from "./look.js";

export const ARROWS = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] };
export const [FALL, DROP, SLIDE, FLIP, COME, GO] = [120, 60, 240, 300, 180, 260]; // milliseconds
const LATER = 70; // milliseconds from a flip, or a seed, to the next one

// The last move: {cells: those that are marked, slides, flips, sown, gone, lasting: milliseconds}.
// Chance, which comes after it, does not count. Moves of pieces are by cell.
export function lastMove(rules, board, at) {
  if (at.action === null) return null;
  const [before, after] = [at.parent.position.cells, at.position.after ?? at.position.cells];
  const target = board.targets[at.action];
  const found = { cells: [], ply: at.ply, slides: {}, flips: {}, sown: {}, gone: [] };
  if (board.counts.length) sow(board, at, found);
  else if (target.towards) {
    found.cells = at.position.cells.flatMap((v, c) => (v !== after[c] ? [c] : []));
    found.slides = slides(board, before, after, target.towards);
  } else {
    const way = wayOf(rules, at.parent.position, board, at.action, after);
    if (way.from !== undefined) carry(board, before, after, way, found);
    else place(board, before, after, target, found);
  }
  return { ...found, lasting: lasting(board, found) };
}

function carry(board, before, after, { from, cell }, found) {
  const [p, q] = [board.cells[from], board.cells[cell]];
  found.cells = [cell];
  found.slides[cell] = [p.x - q.x, p.y - q.y];
  found.gone = gone(board, before, after).filter((piece) => piece.cell !== from);
  if (pieceOf(board, cell, before[cell])) found.gone.push({ cell, value: before[cell], rank: 0 });
}

function place(board, before, after, target, found) {
  const { cells } = board;
  const changed = after.flatMap((v, c) =>
    v !== before[c] && pieceOf(board, c, v) && cells[c].kind === "board" ? [c] : [],
  );
  found.gone = gone(board, before, after);
  if (target.part) return;
  found.cells = changed.filter((c) => target.cells.includes(c) || !target.cells.length);
  const centre = cells[found.cells[0]];
  for (const c of changed) {
    if (found.cells.includes(c) || !pieceOf(board, c, before[c]) || !centre) continue;
    const far = Math.hypot(cells[c].x - centre.x, cells[c].y - centre.y);
    found.flips[c] = { from: pieceOf(board, c, before[c]).colour, delay: LATER * Math.round(far) };
  }
}

// Pieces that a move took off the board: of a heap those that are missing.
function gone(board, before, after) {
  return before.flatMap((value, cell) => {
    const [old, now] = [value, after[cell]].map((v) => pieceOf(board, cell, v));
    if (value === after[cell] || board.cells[cell].kind !== "board" || !old) return [];
    const left = now?.count ?? 0;
    const all = old.count;
    if (left && all === 1) return []; // another piece lies there now
    return Array.from({ length: Math.max(0, all - left) }, (_, k) => {
      return { cell, value, rank: left + k };
    });
  });
}

// Seeds go from pit to pit.
function sow(board, at, found) {
  const [before, after] = [at.parent.position.words, at.position.words];
  const pits = board.counts.map(({ cell, word }) => ({ cell, more: after[word] - before[word] }));
  const grown = pits.filter(({ more }) => more > 0n).map(({ cell }) => cell);
  found.cells = grown;
  grown.forEach((cell, i) => (found.sown[cell] = LATER * i));
}

// What moved where when tiles slid.
function slides(board, before, after, towards) {
  const [dx, dy] = ARROWS[towards];
  const found = {};
  const lines = new Map();
  board.cells.forEach((cell, c) => {
    const key = dx ? cell.y : cell.x;
    lines.set(key, [...(lines.get(key) ?? []), c]);
  });
  for (const cells of lines.values()) {
    cells.sort((a, b) => {
      const [p, q] = [board.cells[a], board.cells[b]];
      return (q.x - p.x) * dx + (q.y - p.y) * dy;
    });
    const tiles = cells.filter((c) => before[c]);
    for (const c of cells.filter((c) => after[c])) {
      const from = tiles.shift();
      if (from === undefined) break;
      const start = after[c] === before[from] ? from : (tiles.shift() ?? from);
      const [p, q] = [board.cells[start], board.cells[c]];
      if (start !== c) found[c] = [p.x - q.x, p.y - q.y];
    }
  }
  return found;
}

function lasting(board, { cells, slides: slid, flips, sown, gone: left }) {
  const deepest = Math.max(0, ...cells.map((c) => board.cells[c].y - board.box[1]));
  return Math.max(
    board.falling ? FALL + DROP * deepest : cells.length ? COME : 0,
    Object.keys(slid).length ? SLIDE : 0,
    left.length ? GO : 0,
    ...Object.values(flips).map(({ delay }) => FLIP + delay),
    ...Object.values(sown).map((delay) => COME + delay),
  );
}
