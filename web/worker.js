// What runs in a worker: agents that think, or one that learns.

import { loader, inflate } from "./bytes.js";
import { Learning } from "./learning.js";
import { Machine } from "./machine.js";
import { Players } from "./players.js";
import { Rules } from "./rules.js";
import { findGame } from "./search.js";
import { verdict } from "./verdict.js";

let packed, game, machine, rules, players, learning;
let current = 0; // the request under way; others are forgotten

const METHODS = {
  async start(given) {
    ({ packed, game } = given);
    const module = await WebAssembly.compile(await inflate(packed[given.program.module]));
    machine = await Machine.start(
      given.program,
      module,
      await loader(packed, given.program.memory),
    );
    rules = new Rules(machine, game);
    players = new Players(machine, game);
  },
  async agent({ key, form, weights, packed: more }) {
    machine.bytes = await loader({ ...packed, ...more }, form, machine.forms);
    players.add(key, form);
    if (weights) fill(players.agents[key], weights);
  },
  rate: ({ player, words }, report, id) =>
    players.rate(player, words, report, () => current !== id),
  act: ({ player, position, seed }, report, id) =>
    players.act(player, position, seed, report, () => current !== id),
  find: ({ board, wanted }) => findGame(rules, board, wanted),
  verdict: ({ words, exact }) => verdict(machine, game, words, exact),
  contributions: ({ agent, words, action }) => players.contributions(agent, words, action),
  async learn({ training, packed: more, ...how }, report) {
    machine.bytes = await loader({ ...packed, ...more }, training, machine.forms);
    learning = new Learning(players, rules, training, how);
    return learning.go(report);
  },
  go: (_, report) => learning.go(report),
  stop: () => learning?.stop(),
  rest({ ms }) {
    if (learning) learning.rest = ms;
  },
  watch: ({ position, seed }) =>
    learning
      ? players.act(learning.player, rules.given(position, seed), seed)
      : { action: null },
  weights: () => learning.weights(),
};

// Weights of a network, or tables of regret matching by name.
function fill({ net, store }, weights) {
  const arrays = store ? Object.entries(weights) : [["weights", weights]];
  for (const [name, values] of arrays) machine.view((store ?? net)[name]).set(values);
}

self.onmessage = async ({ data: { id, method, given } }) => {
  if (method === "rate" || method === "act") current = id;
  try {
    const report = (progress) => self.postMessage({ id, progress });
    self.postMessage({ id, result: await METHODS[method](given, report, id) });
  } catch (error) {
    self.postMessage({ id, error: String(error?.message ?? error) });
  }
};
