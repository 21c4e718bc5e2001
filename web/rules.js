// The rules of a game, as its kernels know them. A position is a plain object:
// {words, rng, player, over, legal, cells, scores}; after chance also {after, afterWords}

export const NOBODY = -1; // looks at the screen: it is handed from one person to another
const REDEALS = 0x2545f4914f6cdd1dn; // so the seeds of redeals are not those of games

export class Rules {
  constructor(machine, game) {
    this.machine = machine;
    this.game = game; // what Python says about it
    for (const name of ["s", "s_after", "rng", "view"]) machine.share(name);
  }

  start(seed) {
    this.#seed(seed);
    this.machine.call("begin_game");
    return { ...this.#position(), begun: true };
  }

  // The position after an action; `after` is what it looked like before chance.
  play(position, action) {
    this.#set("s", position.words);
    this.#set("rng", position.rng);
    this.machine.call("play_action", { action });
    const next = this.#position();
    if (this.game.chance || this.game.hides) {
      next.afterWords = this.#get("s_after");
      next.after = this.look(next.afterWords).cells;
    }
    return next;
  }

  // The cells after an action and before chance, as the player who plays it sees them.
  after(position, action) {
    const { after, afterWords, cells } = this.play(position, action);
    return this.game.hides ? this.sees(afterWords, position.player) : (after ?? cells);
  }

  look(words, seed = 0) {
    this.#set("s", words);
    this.#seed(seed);
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
    this.#seed(seed);
    this.machine.call("deal_again", { player });
    return this.#get("s");
  }

  // A position of a game with hidden information as a player sees it: in its words all that this
  // player cannot know is drawn again, as it is for agents. If no person plays (null), all cells are
  // shown, but the words are still for the player to move.
  seen(truth, viewer, number = 0) {
    if (truth.over) return truth;
    const { player, begun } = truth;
    const hidden = { player, over: false, begun, legal: [], scores: truth.scores.map(() => 0) };
    if (viewer === NOBODY) return { ...hidden, words: null, cells: truth.cells.map(() => 0) };
    const seed = REDEALS + BigInt(number);
    const position = {
      ...hidden,
      words: this.redealt(truth.words, viewer ?? player, seed),
      rng: BigUint64Array.of(seed),
    };
    if (viewer === null) {
      const { cells, after, legal, scores } = truth;
      return { ...position, cells, after, legal, scores };
    }
    if (truth.after) position.after = this.sees(truth.afterWords, viewer);
    if (viewer === player) position.legal = truth.legal;
    position.scores[viewer] = truth.scores[viewer];
    return { ...position, cells: this.sees(truth.words, viewer) };
  }

  // What an agent may know of the position that it is to move in.
  given(truth, number) {
    return this.game.hides ? this.seen(truth, truth.player, number) : truth;
  }

  // Does a player see which of its actions another one plays? NOBODY: do all players?
  notices(truth, player, action) {
    if (player === NOBODY)
      return truth.scores.every((_, p) => this.notices(truth, p, action));
    if (!this.game.hides || player === truth.player) return true;
    const after = (a) => this.sees(this.play(truth, a).afterWords, player).join();
    const mine = after(action);
    return truth.legal.every((a) => a === action || after(a) !== mine);
  }

  #seed(seed) {
    this.#set("rng", [BigInt.asUintN(64, BigInt(seed))]);
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
