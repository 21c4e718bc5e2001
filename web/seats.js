// The players that can take a seat at the board, and their names.

import { t, term } from "./texts.js";

export const LEVELS = [
  { name: term("Easy"), mistakes: 0.5, said: term("every second move is random") },
  { name: term("Medium"), mistakes: 0.2, said: term("one move in five is random") },
  { name: term("Hard"), mistakes: 0, said: term("plays as well as it can") },
];

// The kinds of players that a game has kernels for; `label` is the name of an agent.
export function kinds(page, agents) {
  const { kernels } = page.document.program;
  const found = [{ kind: "human" }];
  for (const { key, label, mixed } of agents) {
    found.push({ kind: "trained", agent: key, label, mixed });
  }
  if (kernels.mcts) found.push({ kind: "mcts", iterations: 2000, k: 1.414 });
  if (kernels.ismcts_search) found.push({ kind: "ismcts", iterations: 2000, k: 0.7 });
  if (kernels.pimc_search) found.push({ kind: "pimc", worlds: 50, iterations: 100 });
  for (const { key, label } of agents) {
    if (kernels.puct_search) found.push({ kind: "puct", agent: key, iterations: 500, label });
    if (kernels.expectimax_values) found.push({ kind: "nply", agent: key, depth: 2, label });
  }
  if (kernels.alphabeta_values) found.push({ kind: "alphabeta", depth: 8 });
  if (kernels.maxn_scores) found.push({ kind: "maxn", depth: 10 });
  if (kernels.expectimax_values && !kernels.maxn_scores) {
    found.push({ kind: "expectimax", depth: 2 });
  }
  found.push({ kind: "random" });
  return found;
}

const NAMES = {
  none: term("none"),
  human: term("You"),
  mcts: term("MCTS"),
  ismcts: term("ISMCTS"),
  pimc: term("PIMC"),
  puct: term("PUCT around {agent}"),
  nply: term("{agent}, looking ahead"),
  alphabeta: term("AlphaBeta"),
  maxn: term("Max-N"),
  expectimax: term("Expectimax"),
  random: term("Random"),
};
const CHAMPION = term("champion"); // the label of an agent that came with tafl

// What a player is called on the page.
export function playerName({ kind, label }) {
  const agent = label === CHAMPION ? t(label) : label;
  return kind in NAMES ? t(NAMES[kind], { agent }) : agent;
}

export const PARAMETERS = {
  mcts: [
    { name: "iterations", label: term("simulations"), low: 10, high: 50000 },
    { name: "k", label: term("exploration K"), low: 0, high: 10, step: 0.001 },
  ],
  ismcts: [
    { name: "iterations", label: term("simulations"), low: 10, high: 50000 },
    { name: "k", label: term("exploration K"), low: 0, high: 10, step: 0.001 },
  ],
  pimc: [
    { name: "worlds", label: term("deals"), low: 1, high: 1000 },
    { name: "iterations", label: term("simulations"), low: 10, high: 10000 },
  ],
  puct: [{ name: "iterations", label: term("simulations"), low: 10, high: 50000 }],
  nply: [{ name: "depth", label: term("plies"), low: 1, high: 6 }],
  alphabeta: [{ name: "depth", label: term("plies"), low: 1, high: 40 }],
  maxn: [{ name: "depth", label: term("plies"), low: 1, high: 40 }],
  expectimax: [{ name: "depth", label: term("plies"), low: 1, high: 4 }],
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
  if (page.document.game.players === 1) return t("You");
  const own = ownColour(page, player);
  if (!own) return t("Player {number}", { number: player + 1 });
  return t(own[0].toUpperCase() + own.slice(1));
}

export function seatColour(page, player) {
  const own = ownColour(page, player);
  return `var(--${own || ["red", "blue", "green", "yellow"][player % 4]})`;
}

// The colour of a player's pieces, if there are such.
function ownColour(page, player) {
  const { game, board } = page.document;
  return board.colours[player] ?? (game.signs[player] && board.pieces[player + 1]?.colour);
}
