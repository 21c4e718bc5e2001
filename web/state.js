// A position of a game, with the moves that led to it, for programs; as `State` in Python.

export class State {
  #game;
  #position;
  #past = null; // of the last move: its action, the position before it, and that one's past
  #begin; // what serialize() writes of the position before the first move

  // game: {about, rules}; begin: {seed}, or {seed, words} where no start leads to it
  constructor(game, begin, position, past = null) {
    this.#game = game;
    this.#begin = begin;
    this.#position = position;
    this.#past = past;
  }

  get player() {
    return this.#position.player;
  }

  get over() {
    return this.#position.over;
  }

  get scores() {
    return [...this.#position.scores];
  }

  get cells() {
    return [...this.#position.cells];
  }

  get legal() {
    return this.#position.legal.map((action) => ({ action, name: this.#name(action) }));
  }

  get history() {
    const actions = [];
    for (let past = this.#past; past; past = past.past) actions.push(past.action);
    return actions.reverse();
  }

  // The cells as a player sees them.
  sees(player) {
    this.#check(player);
    const { rules, about } = this.#game;
    return about.hides ? rules.sees(this.#position.words, player) : this.cells;
  }

  // Another position that looks the same to a player; without history, which might tell.
  redealt(player, seed = 0) {
    this.#check(player);
    const { rules } = this.#game;
    const { words } = this.#seen(player, seed);
    const begin = { seed: String(seed), words: [...words].map(String) };
    return new State(this.#game, begin, rules.look(words, seed));
  }

  play(move) {
    const action = this.#action(move);
    const position = this.#game.rules.play(this.#position, action);
    this.#past = { action, position: this.#position, past: this.#past };
    this.#position = position;
    return this;
  }

  undo() {
    if (!this.#past) throw new Error("there is no move to take back");
    this.#position = this.#past.position;
    this.#past = this.#past.past;
    return this;
  }

  copy() {
    return new State(this.#game, this.#begin, this.#position, this.#past);
  }

  toJSON() {
    return { game: this.#game.about.name, ...this.#begin, actions: this.history };
  }

  serialize() {
    return JSON.stringify(this);
  }

  // What an agent is given: what the player to move may know, and nothing else.
  static given(state, seed) {
    return state.#seen(state.player, seed);
  }

  #seen(player, seed) {
    const { words, legal, over } = this.#position;
    const hidden = this.#game.about.hides && !over;
    return { legal, over, words: hidden ? this.#game.rules.redealt(words, player, seed) : words };
  }

  #name(action) {
    return this.#game.about.actions[action];
  }

  #check(player) {
    const { players } = this.#game.about;
    if (!(Number.isInteger(player) && player >= 0 && player < players))
      throw new Error(`players are 0 to ${players - 1}, not ${player}`);
  }

  #action(move) {
    const { legal, over } = this.#position;
    if (over) throw new Error("the game is over");
    const wanted = String(move).trim().toLowerCase();
    const named = legal.find((a) => a === move || this.#name(a).toLowerCase() === wanted);
    if (named !== undefined) return named;
    const names = legal.map((a) => this.#name(a)).join(", ");
    throw new Error(`${JSON.stringify(move)} is not legal here; legal moves: ${names}`);
  }
}
