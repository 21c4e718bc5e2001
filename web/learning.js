// Training in a worker: blocks of episodes, and games that show how good the agent is.

import { pause } from "./players.js";

const BLOCK = 16; // milliseconds of learning between two looks at messages
const REPORTS = 200; // milliseconds between two reports
const POINTS = 40; // of a learning curve
const GAMES = 120; // of an evaluation, at least
const MISTAKES = 0.2; // of a champion, which at full strength beats all beginners
const DEEPEST = 40; // plies: to the end of any game that can be played exactly

export class Learning {
  constructor(players, rules, training, { td, seed, episodes, agent }) {
    const { machine } = players;
    Object.assign(this, { players, rules, training, machine, episodes, champion: agent });
    this.game = rules.game;
    this.learner = machine.place(training.learner);
    this.learner.td = { ...this.learner.td, ...td };
    this.learner.way = { ...this.learner.td, farl: td.farl_others }; // of regret matching
    this.learner.rng = machine.place({ type: "uint64", shape: [1] });
    this.learner.totals = machine.place(machine.forms.totals);
    machine.view(this.learner.rng)[0] = BigInt(training.streams[seed - 1]);
    players.agents.learner = { ...players.machine.share("trained"), ...this.learner };
    this.episode = 0;
    this.seconds = 0;
    this.points = [];
    this.stopped = false;
    this.rest = 0; // milliseconds between two blocks
  }

  get player() {
    return { kind: "trained", agent: "learner" };
  }

  get moves() {
    return this.machine.view(this.learner.totals)[0];
  }

  stop() {
    this.stopped = true;
  }

  // Learns until it is stopped, or has had all episodes.
  async go(report) {
    this.stopped = false;
    let block = 10;
    let reported = performance.now();
    if (this.episode === 0) report(await this.#evaluated());
    while (this.episode < this.episodes && !this.stopped) {
      const next = Math.min(this.episodes, this.#next());
      const episodes = Math.max(1, Math.min(block, next - this.episode));
      const began = performance.now();
      this.machine.call(this.training.kernel, {
        ...this.learner,
        first: this.episode,
        episodes,
        total: this.episodes,
      });
      const passed = performance.now() - began;
      this.episode += episodes;
      this.seconds += passed / 1000;
      block = Math.max(
        1,
        Math.min(4 * block, Math.round((episodes * BLOCK) / Math.max(passed, 0.1))),
      );
      if (this.episode >= next) report(await this.#evaluated());
      else if (performance.now() - reported > REPORTS) {
        report(this.#progress());
        reported = performance.now();
      }
      await pause(this.rest);
    }
    report(this.#progress());
    return this.#progress();
  }

  // The weights alone, without what is only needed to learn on; of regret matching the tables.
  weights() {
    const { store } = this.learner;
    if (store) {
      const arrays = Object.entries(store).filter(([, array]) => array.shape);
      return Object.fromEntries(arrays.map(([n, array]) => [n, this.#used(n, array)]));
    }
    const all = this.machine.view(this.learner.net.weights);
    const { width = 1 } = this.learner.net;
    if (width === 1) return all.slice();
    const out = new Float32Array(all.length / width);
    for (let i = 0; i < out.length; i++) out[i] = all[i * width];
    return out;
  }

  // Of tables and keys only the rows that are in use.
  #used(name, { shape, ...array }) {
    const { store } = this.learner;
    const rows = Number(this.machine.view(store.used)[0]);
    const row = shape.slice(1).reduce((a, b) => a * b, 1);
    const size = name === "slots" || name === "used" ? array.size : rows * row;
    return this.machine.view({ ...array, size }).slice();
  }

  // Early on, points lie closer together: most happens there.
  #next() {
    const share = this.episode / this.episodes;
    const step = share < 0.1 ? this.episodes / POINTS / 4 : this.episodes / POINTS;
    return Math.ceil((Math.floor(this.episode / step + 1e-9) + 1) * step);
  }

  #progress() {
    const { episode, moves, seconds, points } = this;
    return { episode, moves, seconds, points };
  }

  async #evaluated() {
    const score = await this.#evaluate();
    this.points = [...this.points, { episode: this.episode, score, seconds: this.seconds }];
    return this.#progress();
  }

  async #evaluate() {
    const { players } = this.game;
    const alone = players === 1;
    const opponent = this.#opponent();
    const starts = alone || this.game.hides ? [[]] : this.#starts();
    const games = alone
      ? 4
      : Math.ceil(GAMES / (starts.length * players)) * starts.length * players;
    let total = 0;
    for (let g = 0; g < games; g++) {
      const role = g % players;
      const start = starts[Math.floor(g / players) % starts.length];
      total += await this.#game(g, role, start, opponent);
      if (g % 20 === 19) await pause(this.rest);
    }
    return total / games;
  }

  // Exact play, else the champion at medium strength, else random moves.
  #opponent() {
    if (this.training.exact) return { kind: "maxn", depth: DEEPEST };
    if (!this.champion) return { kind: "random" };
    return { kind: "trained", agent: this.champion, mistakes: MISTAKES };
  }

  // The first moves of games: all single ones, or as many pairs, so that games with a champion differ.
  #starts() {
    const firsts = this.rules.start(0).legal.map((a) => [a]);
    if (this.training.exact || !this.champion) return [[], ...firsts];
    const pairs = firsts.flatMap(([a]) =>
      this.rules.play(this.rules.start(0), a).legal.map((b) => [a, b]),
    );
    const wanted = Math.min(pairs.length, Math.ceil(GAMES / this.game.players));
    return Array.from({ length: wanted }, (_, i) => pairs[Math.floor((i * pairs.length) / wanted)]);
  }

  async #game(number, role, start, opponent) {
    let position = this.rules.start(1000 + number);
    for (const action of start) position = this.rules.play(position, action);
    let seed = 2 ** 32 * (number + 1);
    while (!position.over) {
      const player = position.player === role ? this.player : opponent;
      const given = this.rules.given(position, number);
      const { action } = await this.players.act(player, given, seed++);
      position = this.rules.play(position, action);
    }
    return measure(this.game, position.scores, role);
  }
}

// Is the share of wins what counts? Cards decide too many games of poker; there points do.
export const countsWins = ({ players, zeroSum, hides }) => players > 1 && zeroSum && !hides;

// What counts: points alone, the share of wins where scores add up to 0, else the score.
export function measure(game, scores, role) {
  if (!countsWins(game)) return scores[role];
  return scores[role] > 0 ? 1 : scores[role] < 0 ? 0 : 0.5;
}
