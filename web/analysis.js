// A game judged move by move: what each was worth, how bad the bad ones were, and the curve.

import { term } from "./texts.js";

// What a move loses, as a share of what there is to win, before it is called an inaccuracy, a
// mistake, a blunder. Where points are counted, few of them decide a game.
const BY_WINS = [0.1, 0.2, 0.4];
const BY_POINTS = [1 / 32, 1 / 16, 1 / 8];
const ALONE = [0.05, 0.15, 0.3]; // of the best value
export const GRADES = [
  { name: term("inaccuracy"), sign: "?!" },
  { name: term("mistake"), sign: "?" },
  { name: term("blunder"), sign: "??" },
];

// The grade of a move that loses this much against the best one of this value; null if it is fine.
export function gradeOf(game, loss, top) {
  const [low, high] = game.range.map((x) => x / game.unit);
  const alone = game.players === 1;
  const limits = alone ? ALONE : high - low > 2 ? BY_POINTS : BY_WINS;
  const scale = alone ? Math.max(1, Math.abs(top)) : high - low;
  const passed = limits.filter((limit) => loss >= limit * scale - 1e-9).length;
  return passed ? passed - 1 : null;
}

// 1 or -1: values of the player to move, as `side` sees them. Only opposite scores can be turned.
export function turned(game, player, side) {
  return game.zeroSum && game.players === 2 && player !== side ? -1 : 1;
}

// All moves with what they are worth, those that were mistakes, and the value over the moves.
export function told(nodes, key, game, side) {
  const rows = nodes.slice(1).map((node) => judged(node, key, game, side));
  return {
    rows,
    mistakes: rows.filter(({ grade }) => grade !== null),
    values: nodes
      .map((node) => [node.ply, valueOf(node, key, game, side)])
      .filter(([, value]) => value !== null),
  };
}

// What a move was worth, and what the best one would have been. The end of a game is its result.
function judged(node, key, game, side) {
  const before = node.parent.judged?.[key];
  const entry = before?.entries.find(({ action }) => action === node.action);
  if (!entry) return { node, value: null, loss: null, best: null, grade: null };
  const { player } = node.parent.position;
  const sign = turned(game, player, side);
  return {
    node,
    value: node.position.over ? valueOf(node, key, game, side) : sign * entry.value,
    loss: entry.loss,
    best: before.entries[0].action,
    grade: gradeOf(game, entry.loss, before.top),
  };
}

// The value of a position: for one side where that says it for all, else for who moves.
export function valueOf(node, key, game, side) {
  const { position } = node;
  if (position.over) {
    const opposite = game.zeroSum && game.players === 2;
    return position.scores[opposite ? side : (node.parent?.position.player ?? 0)];
  }
  const found = node.judged?.[key];
  return found ? turned(game, position.player, side) * found.top : null;
}
