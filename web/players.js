// What picks moves: kernels of search and of trained agents, asked for one position.

import { points } from "./rules.js";

const CHUNK = 500; // iterations between two looks at the clock
const SHOWN = 120; // milliseconds between two reports

const channel = typeof MessageChannel === "undefined" ? null : new MessageChannel();
let resume = null;
if (channel) channel.port1.onmessage = () => resume?.();

// Lets messages in; with a rest, other threads get the processor meanwhile.
export function pause(rest = 0) {
  return new Promise((done) => {
    if (rest) return setTimeout(done, rest);
    resume = done;
    return channel.port2.postMessage(0);
  });
}

export class Players {
  constructor(machine, game) {
    this.machine = machine;
    this.game = game;
    this.agents = {};
  }

  add(key, form) {
    this.agents[key] = this.machine.place(form);
  }

  // What each legal action is worth to the player to move, in points; with visits if counted.
  async rate(player, words, report = null, stopped = () => false) {
    this.#set("s", words);
    const found = await this[`_${player.kind}`](player, report, stopped);
    return found.map((entry) => ({ ...entry, value: points(entry.value, this.game.unit) }));
  }

  // The action that a player chooses; `mistakes` of its moves are random.
  async act(player, position, seed, report, stopped) {
    this.#set("rng", [BigInt(seed)]);
    const random = player.kind === "random" || this.below(1000) < 1000 * (player.mistakes ?? 0);
    if (random) return { action: position.legal[this.below(position.legal.length)] };
    const found = await this.rate(player, position.words, report, stopped);
    const counted = player.kind === "puct" ? "visits" : "value";
    const top = Math.max(...found.map((entry) => entry[counted]));
    const best = found.filter((entry) => entry[counted] === top);
    return { action: best[this.below(best.length)].action, found };
  }

  below(n) {
    return this.machine.call("draw_below", { n });
  }

  contributions(key, words, action) {
    const { net, td, work } = this.agents[key];
    this.#set("s", words);
    const size = net.tuples * net.symmetries;
    this.out ??= {};
    this.out[key] ??= this.machine.place({ type: "float32", shape: [size] });
    this.machine.call("contributions", { net, td, work, action, out: this.out[key] });
    const weights = this.machine.view(this.out[key]);
    const strides = this.machine.view(net.strides);
    return Array.from(weights, (weight, k) => {
      const cells = [];
      for (let c = 0; c < this.game.cells; c++) if (strides[c * size + k]) cells.push(c);
      return { weight, cells, tuple: k % net.tuples, symmetry: Math.floor(k / net.tuples) };
    });
  }

  _random() {
    this.machine.call("look_at");
    const { turn, legals } = this.machine.shared.view;
    const listed = this.#view(legals).subarray(0, this.#view(turn)[2]);
    return Array.from(listed, (action) => ({ action: Number(action), value: 0 }));
  }

  _trained({ agent }) {
    const { net, td, work } = this.agents[agent];
    this.#view(work.state).set(this.#view(this.machine.share("s")));
    return this.#found(this.machine.call("action_values", { net, td, work }));
  }

  _nply({ agent, depth }) {
    return this.#found(
      this.machine.call("expectimax_values", { trained: this.agents[agent], depth }),
    );
  }

  _expectimax({ depth }) {
    const n = this.machine.call("expectimax_values", { depth });
    this.machine.call("look_at");
    const { turn, scores } = this.machine.shared.view;
    const so_far = this.#view(scores)[this.#view(turn)[0]];
    return this.#found(n).map(({ action, value }) => ({ action, value: value + so_far }));
  }

  _maxn({ depth }) {
    const n = this.machine.call("maxn_scores", { depth });
    this.machine.call("look_at");
    const player = this.#view(this.machine.shared.view.turn)[0];
    const scores = this.#view(this.machine.shared.scores);
    const value = (i) => scores[i * this.game.players + player];
    return this.#found(n).map(({ action }, i) => ({ action, value: value(i) }));
  }

  _alphabeta({ depth }) {
    return this.#found(this.machine.call("alphabeta_values", { depth }));
  }

  async _mcts({ iterations, k = 1.414 }, report, stopped) {
    const uct = { ...this.machine.share("uct"), k };
    const tree = this.machine.share("tree");
    this.#view(tree.used).fill(0n);
    let shown = performance.now();
    for (let done = 0; done < iterations;) {
      const chunk = Math.min(CHUNK, iterations - done);
      this.machine.call("mcts", { uct, iterations: chunk });
      done += chunk;
      if (report && performance.now() - shown > SHOWN) {
        report({ done, iterations, found: this.#edges(tree, tree.tried, this.#mapped) });
        await pause();
        if (stopped()) break;
        shown = performance.now();
      }
    }
    return this.#edges(tree, tree.tried, this.#mapped);
  }

  _puct({ agent, iterations }) {
    this.machine.call("puct_search", { trained: this.agents[agent], iterations });
    const tree = this.machine.shared.tree;
    return this.#edges(tree, tree.degrees, (mean) => mean);
  }

  // Means of random games lie between 0 and 1.
  #mapped = (mean) => this.game.range[0] + (this.game.range[1] - this.game.range[0]) * mean;

  #edges(tree, counts, value) {
    const n = this.#view(counts)[0];
    const [actions, means, visits] = [tree.actions, tree.means, tree.visits].map((a) =>
      this.#view(a),
    );
    return Array.from({ length: n }, (_, i) => ({
      action: actions[i],
      value: value(means[i]),
      visits: visits[i],
    })).sort((a, b) => a.action - b.action);
  }

  #found(n) {
    const [actions, values] = ["actions", "values"].map((x) => this.#view(this.machine.share(x)));
    return Array.from({ length: n }, (_, i) => ({ action: Number(actions[i]), value: values[i] }));
  }

  #set(name, values) {
    this.#view(this.machine.share(name)).set(values);
  }

  #view(array) {
    return this.machine.view(array);
  }
}
