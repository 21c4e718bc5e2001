// The players that can take a seat at the board, and their names.

export const LEVELS = [
  { name: "full strength", mistakes: 0 },
  { name: "club", mistakes: 0.1, said: "one move in ten is random" },
  { name: "casual", mistakes: 0.25, said: "one move in four is random" },
  { name: "beginner", mistakes: 0.5, said: "every second move is random" },
];

// The kinds of players that a game has kernels for.
export function kinds(page, agents) {
  const { kernels } = page.document.program;
  const found = [{ kind: "human", label: "You" }];
  for (const { key, label } of agents) found.push({ kind: "trained", agent: key, label });
  if (kernels.mcts) found.push({ kind: "mcts", iterations: 2000, k: 1.414, label: "MCTS" });
  for (const { key, label } of agents) {
    if (kernels.puct_search)
      found.push({ kind: "puct", agent: key, iterations: 500, label: `PUCT around ${label}` });
    if (kernels.expectimax_values) {
      found.push({ kind: "nply", agent: key, depth: 2, label: `${label}, looking ahead` });
    }
  }
  if (kernels.alphabeta_values) found.push({ kind: "alphabeta", depth: 8, label: "AlphaBeta" });
  if (kernels.maxn_scores) found.push({ kind: "maxn", depth: 10, label: "Max-N" });
  if (kernels.expectimax_values && !kernels.maxn_scores) {
    found.push({ kind: "expectimax", depth: 2, label: "Expectimax" });
  }
  found.push({ kind: "random", label: "Random" });
  return found;
}

export const PARAMETERS = {
  mcts: [
    { name: "iterations", label: "simulations", low: 10, high: 50000 },
    { name: "k", label: "exploration K", low: 0, high: 10, step: 0.001 },
  ],
  puct: [{ name: "iterations", label: "simulations", low: 10, high: 50000 }],
  nply: [{ name: "depth", label: "plies", low: 1, high: 6 }],
  alphabeta: [{ name: "depth", label: "plies", low: 1, high: 40 }],
  maxn: [{ name: "depth", label: "plies", low: 1, high: 40 }],
  expectimax: [{ name: "depth", label: "plies", low: 1, high: 4 }],
};

// A player as tafl writes agents; for records.
export function spec(player) {
  const inner = (PARAMETERS[player.kind] ?? []).map(({ name }) => `${name}=${player[name]}`);
  if (player.kind === "human" || player.kind === "random") return player.kind;
  if (player.kind === "trained") return player.label;
  return `${player.kind}(${[...(player.agent ? [player.label] : []), ...inner].join(",")})`;
}

export const same = (a, b) => a.kind === b.kind && a.agent === b.agent;

export function seatName(page, player) {
  if (page.document.game.players === 1) return "You";
  const own = ownColour(page, player);
  return own ? own[0].toUpperCase() + own.slice(1) : `Player ${player + 1}`;
}

export function seatColour(page, player) {
  const own = ownColour(page, player);
  return `var(--${own || ["red", "blue", "green", "yellow"][player % 4]})`;
}

// The colour of a player's pieces, if there are such.
function ownColour(page, player) {
  const { game, board } = page.document;
  return game.signs[player] && (board.colours[player] ?? board.pieces[player + 1]?.colour);
}

// How a game has ended.
export function outcome(page, { scores }) {
  const { game } = page.document;
  if (game.players === 1) return `Finished with ${scores[0].toLocaleString("en")} points.`;
  const top = Math.max(...scores);
  const winners = scores.flatMap((s, p) => (s === top ? [p] : []));
  if (winners.length > 1) return "A draw.";
  return `${seatName(page, winners[0])} wins.`;
}
