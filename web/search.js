// Search for a position that was set up cell by cell. Only the rules decide which positions are
// valid, so the page looks for legal moves that lead to it: the result has a history.

const MOST = 40000; // moves that are tried

// What cells show: values that look the same (empty, and empty but reachable) are one.
const known = new WeakMap(); // of each board
export function looks(board) {
  if (!known.has(board)) {
    const seen = board.pieces.map((piece) => JSON.stringify(piece));
    known.set(
      board,
      seen.map((piece) => seen.indexOf(piece)),
    );
  }
  return known.get(board);
}

// wanted: {cells, player}. Returns {actions}, or {differing: cells} of what comes nearest.
export function findGame(rules, board, wanted) {
  const look = looks(board);
  const differing = ({ cells }) =>
    cells.flatMap((value, c) =>
      look[value] === look[wanted.cells[c]] || board.cells[c].kind === "off" ? [] : [c],
    );
  const distance = (position) =>
    2 * differing(position).length + (position.player === wanted.player || position.over ? 0 : 1);
  const root = { position: rules.start(1), action: null, parent: null };
  const waiting = []; // by distance, the nearest first
  let nearest = { node: root, far: distance(root.position) };
  if (nearest.far === 0) return { actions: [] };
  waiting[nearest.far] = [root];
  const seen = new Set([key(root.position)]);
  for (let tried = 0; tried < MOST;) {
    const node = waiting.find((bucket) => bucket?.length)?.pop();
    if (!node) break;
    for (const action of node.position.legal) {
      const next = { position: rules.play(node.position, action), action, parent: node };
      tried++;
      if (seen.has(key(next.position))) continue;
      seen.add(key(next.position));
      const far = distance(next.position);
      if (far === 0) return { actions: actionsTo(next) };
      if (far < nearest.far) nearest = { node: next, far };
      (waiting[far] ??= []).push(next);
    }
  }
  return { differing: differing(nearest.node.position) };
}

// Cells side by side in a word, as the rules say that they are (tafl/core/games/rules.py); for a
// game with chance, where no search finds the way. The rules have to see what was meant.
export function packedPosition(rules, { packed, chance }, board, wanted) {
  if (!packed || !chance) return null;
  const words = rules.start(1).words.map(() => 0n);
  wanted.cells.forEach((value, c) => {
    words[0] |= BigInt(packed.values.indexOf(value)) << BigInt(packed.bits * c);
  });
  const position = rules.look(words);
  const meant =
    position.player === wanted.player && position.cells.every((v, c) => v === wanted.cells[c]);
  return meant ? position : null;
}

function key({ words }) {
  return words.join();
}

function actionsTo(node) {
  const actions = [];
  for (let n = node; n.parent; n = n.parent) actions.push(n.action);
  return actions.reverse();
}
