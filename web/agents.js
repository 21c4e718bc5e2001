// Agents as texts, as tafl writes them: `mcts(iterations=2000)`, `puct(champion,iterations=500)`.

const MOST = 50000; // iterations: there is memory for so large a tree
const DEEPEST = 40; // plies
const ITERATIONS = (usual) => [usual, 1, MOST];

// The kernel of each kind, whether it asks a trained agent, and its parameters: usual, least, most.
const KINDS = {
  random: {},
  mcts: { kernel: "mcts", takes: { iterations: ITERATIONS(1000), k: [1.414, 0, 1000] } },
  pimc: {
    kernel: "pimc_search",
    takes: { worlds: [50, 1, MOST], iterations: ITERATIONS(100), k: [1.414, 0, 1000] },
  },
  ismcts: { kernel: "ismcts_search", takes: { iterations: ITERATIONS(1000), k: [0.7, 0, 1000] } },
  maxn: { kernel: "maxn_scores", takes: { depth: [10, 1, DEEPEST] } },
  alphabeta: { kernel: "alphabeta_values", takes: { depth: [8, 1, DEEPEST] } },
  expectimax: { kernel: "expectimax_values", takes: { depth: [2, 1, DEEPEST] } },
  puct: { kernel: "puct_search", asks: true, takes: { iterations: ITERATIONS(500) } },
  nply: { kernel: "expectimax_values", asks: true, takes: { depth: [2, 1, DEEPEST] } },
};

// What agents of a game can be called: those that were trained, and those that have a kernel.
export function agentNames(kernels, trained) {
  const known = Object.entries(KINDS).filter(
    ([, { kernel, asks }]) => (!kernel || kernel in kernels) && !(asks && !trained.length),
  );
  return [...trained, ...known.map(([name]) => name)];
}

// The player (players.js) that a text describes.
export function playerOf(text, kernels, trained) {
  const [, name, inner = ""] = /^\s*([^()\s]+)\s*(?:\(([^()]*)\))?\s*$/.exec(text) ?? [];
  const known = agentNames(kernels, trained);
  if (!known.includes(name)) throw wrong(text, `the agents are ${known.join(", ")}`);
  const given = inner.split(",").map((part) => part.trim());
  const parts = given.filter(Boolean);
  if (trained.includes(name)) {
    if (parts.length) throw wrong(text, `${name} has no parameters`);
    return { kind: "trained", agent: name };
  }
  const { asks, takes = {} } = KINDS[name];
  const player = { kind: name };
  for (const [key, [usual]] of Object.entries(takes)) player[key] = usual;
  if (asks) {
    player.agent = parts.shift();
    if (!trained.includes(player.agent)) throw wrong(text, `write ${name}(${trained[0]})`);
  }
  for (const part of parts) {
    const [key, value] = part.split("=").map((side) => side.trim());
    if (!Object.hasOwn(takes, key)) throw wrong(text, `${name} has no parameter ${key}`);
    player[key] = checked(text, key, Number(value), takes[key]);
  }
  return player;
}

function checked(text, key, value, [usual, low, high]) {
  const right = value >= low && value <= high && (Number.isInteger(value) || usual % 1 !== 0);
  if (!right) throw wrong(text, `${key} must be ${low} to ${high}`);
  return value;
}

const wrong = (text, why) => new Error(`agent ${JSON.stringify(String(text))}: ${why}`);
