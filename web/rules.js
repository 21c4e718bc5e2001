// The rules of a game, as its kernels know them. A position is a plain object:
// {words, rng, player, over, legal, cells, scores}

export class Rules {
  constructor(machine, game) {
    this.machine = machine;
    this.game = game; // what Python says about it
    for (const name of ["s", "s_after", "rng", "view"]) machine.share(name);
  }

  start(seed) {
    this.#set("rng", [BigInt.asUintN(64, BigInt(seed))]);
    this.machine.call("begin_game");
    return { ...this.#position(), begun: true };
  }

  // The position after an action; `after` is what it looked like before chance.
  play(position, action) {
    this.#set("s", position.words);
    this.#set("rng", position.rng);
    this.machine.call("play_action", { action });
    const next = this.#position();
    if (this.game.chance) next.after = this.look(this.#get("s_after")).cells;
    return next;
  }

  look(words, seed = 0) {
    this.#set("s", words);
    this.#set("rng", [BigInt.asUintN(64, BigInt(seed))]);
    this.machine.call("look_at");
    return this.#position();
  }

  // The cells as a player sees them, in a game with hidden information.
  sees(words, player) {
    this.#set("s", words);
    this.machine.call("look_as", { player });
    return [...this.machine.view(this.machine.shared.view.cells)];
  }

  // The words of a position that a player cannot tell from this one, drawn at random.
  redealt(words, player, seed) {
    this.#set("s", words);
    this.#set("rng", [BigInt.asUintN(64, BigInt(seed))]);
    this.machine.call("deal_again", { player });
    return this.#get("s");
  }

  #set(name, values) {
    this.machine.view(this.machine.shared[name]).set(values);
  }

  #get(name) {
    return this.machine.view(this.machine.shared[name]).slice();
  }

  #position() {
    const { turn, legals, cells, scores } = this.machine.shared.view;
    const view = (array) => this.machine.view(array);
    const [player, over, count] = view(turn);
    const legal = Array.from(view(legals).subarray(0, count), Number);
    const unit = this.game.unit;
    return {
      words: this.#get("s"),
      rng: this.#get("rng"),
      player,
      over: over === 1,
      legal,
      cells: [...view(cells)],
      scores: [...view(scores)].map((score) => points(score, unit)),
    };
  }
}

// A score of the rules as people count.
export function points(score, unit) {
  const value = score / unit;
  const whole = Math.round(value);
  return Math.abs(value - whole) < 1e-12 * Math.abs(value) ? whole : value;
}
