// What picks moves: kernels of search and of trained agents, asked for one position.

import { points } from "./rules.js";

const CHUNK = 500; // iterations between two looks at the clock
const SHOWN = 120; // milliseconds between two reports
const COUNTED = ["puct", "ismcts"]; // they play what they have visited most

let channel = null; // made when it is needed: Node does not end while there is one
let resume = null;

// Lets messages in; with a rest, other threads get the processor meanwhile.
export function pause(rest = 0) {
  return new Promise((done) => {
    if (rest) return setTimeout(done, rest);
    resume = done;
    if (!channel) {
      channel = new MessageChannel();
      channel.port1.onmessage = () => resume();
    }
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

  seed(number) {
    this.#set("rng", [BigInt.asUintN(64, BigInt(number))]);
  }

  // What each legal action is worth to the player to move, in points; with visits if counted, and
  // with the share of its moves if an agent draws them.
  async rate(player, words, report = null, stopped = () => false) {
    this.#set("s", words);
    const found = await this[`_${player.kind}`](player, report, stopped);
    return found.map((entry) => ({ ...entry, value: points(entry.value, this.game.unit) }));
  }

  // The action that a player chooses; `mistakes` of its moves are random. With the same seed an agent
  // in Python chooses the same, but for rounding; `rng` is the seed of its next move.
  async act(player, position, seed, report, stopped) {
    this.#set("s", position.words);
    this.seed(seed);
    const { kind, mistakes } = player;
    const random = kind === "random" || (mistakes && this.below(1000) < 1000 * mistakes);
    if (random) return this.#chosen(position.legal[this.below(position.legal.length)]);
    const found = await this.rate(player, position.words, report, stopped);
    if (found[0].share !== undefined) return this.#chosen(this.#drawn(found), found);
    const counted = COUNTED.includes(kind) ? "visits" : "value";
    const top = Math.max(...found.map((entry) => entry[counted]));
    const best = found.filter((entry) => entry[counted] === top);
    return this.#chosen(best[best.length > 1 ? this.below(best.length) : 0].action, found);
  }

  #chosen(action, found) {
    return { action, found, rng: this.#view(this.machine.share("rng"))[0] };
  }

  // An action of an agent that plays each with a probability.
  #drawn(found) {
    return found[this.machine.call("draw_move", { n: found.length })].action;
  }

  below(n) {
    return this.machine.call("draw_below", { n });
  }

  contributions(key, words, action) {
    const { net, td, work } = this.agents[key];
    this.#set("s", words);
    const [size] = work.now.shape; // a number for each one of the code
    this.out ??= {};
    this.out[key] ??= this.machine.place({ type: "float32", shape: [size] });
    this.machine.call("contributions", { net, td, work, action, out: this.out[key] });
    const weights = this.machine.view(this.out[key]);
    if (!net.strides) {
      // the code of a network that is not one of n-tuples has a number for each cell
      const list = Array.from(weights, (weight, c) => ({ weight, cells: [c], tuple: c, symmetry: 0 }));
      return { list: list.filter(({ weight }) => weight), tanh: false, ofCells: true };
    }
    const strides = this.machine.view(net.strides);
    const list = Array.from(weights, (weight, k) => {
      const cells = [];
      for (let c = 0; c < this.game.cells; c++) if (strides[c * size + k]) cells.push(c);
      return { weight, cells, tuple: k % net.tuples, symmetry: Math.floor(k / net.tuples) };
    });
    return { list, tanh: Boolean(net.tanh) };
  }

  _random() {
    this.machine.call("look_at");
    const { turn, legals } = this.machine.shared.view;
    const listed = this.#view(legals).subarray(0, this.#view(turn)[2]);
    return Array.from(listed, (action) => ({ action: Number(action), value: 0 }));
  }

  _trained({ agent }) {
    const { net, td, work, store } = this.agents[agent];
    if (store) return this.#mixed(store, work);
    this.#view(work.state).set(this.#view(this.machine.share("s")));
    return this.#found(this.machine.call("action_values", { net, td, work }));
  }

  // The values and the probabilities of an agent of regret matching.
  #mixed(store, work) {
    this.#view(work.state).set(this.#view(this.machine.share("s")));
    const n = this.machine.call("look_up", { store, work });
    const policy = this.#view(this.machine.share("policy"));
    return this.#found(n).map((entry, i) => ({ ...entry, share: policy[i] }));
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
    const table = this.machine.share("bounds");
    return this.#found(this.machine.call("alphabeta_values", { table, depth }));
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

  _pimc({ worlds, iterations, k = 1.414 }) {
    const uct = { ...this.machine.share("uct"), k };
    const n = this.machine.call("pimc_search", { uct, number: worlds, iterations });
    return this.#found(n).map((entry) => ({ ...entry, value: this.#mapped(entry.value) }));
  }

  _ismcts({ iterations, k = 0.7 }) {
    const [tree, root] = ["infos", "s"].map((name) => this.machine.share(name));
    const uct = { ...this.machine.share("uct"), k };
    const n = this.machine.call("ismcts_search", { tree, root, uct, iterations });
    const visits = this.#view(this.machine.share("visits"));
    return this.#found(n).map(({ action, value }, i) => ({
      action,
      value: this.#mapped(value),
      visits: Number(visits[i]),
    }));
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
    }));
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
