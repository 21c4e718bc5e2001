/** A legal move: its number, and how people write it. */
export interface Move {
  readonly action: number;
  readonly name: string;
}

/** What a move is worth to the player to move, in points. */
export interface Value extends Move {
  readonly value: number;
  /** How often a tree search has tried the move. */
  readonly visits?: number;
  /** How often an agent that draws its moves plays this one: 0 to 1. */
  readonly share?: number;
}

/** A position, with the moves that led to it. Players are counted from 0. */
export interface State {
  readonly player: number;
  readonly over: boolean;
  /** The score of each player so far, in points. */
  readonly scores: number[];
  /** The value of each cell: the whole truth, also what players do not see. */
  readonly cells: number[];
  /** The legal moves; none when the game is over. */
  readonly legal: Move[];
  /** The numbers of the moves so far. */
  readonly history: number[];
  /** The value of each cell as far as a player sees it. */
  sees(player: number): number[];
  /** Plays a move, then what is random; throws if the move is not legal. */
  play(move: number | string): this;
  /** Takes the last move back. */
  undo(): this;
  copy(): State;
  /** A random position that looks the same to a player, without the moves that led to it. */
  redealt(player: number, seed?: number | bigint): State;
  /** The position as text, with all its moves; `deserialize` reads it. */
  serialize(): string;
  toJSON(): SavedState;
}

/** A position as JSON. Its seed tells what is random, so keep it from players of hidden games. */
export interface SavedState {
  readonly game: string;
  readonly seed: string;
  readonly words?: string[];
  readonly actions: number[];
}

/** An agent; of a game with hidden information it is given only what the player to move sees. */
export interface Agent {
  /** Returns the number of a move for the player to move. */
  act(state: State): Promise<number>;
  /** Returns what the moves are worth, in the order of their numbers; none when the game is over. */
  values(state: State): Promise<Value[]>;
}

export interface AgentOptions {
  /** Agents with the same seed play the same moves. */
  seed?: number | bigint;
  /** The share of moves that are random, from 0 to 1. */
  mistakes?: number;
}

export interface Game {
  readonly name: string;
  readonly title: string;
  /** The rules in one sentence. */
  readonly text: string;
  readonly players: number;
  /** How people write each move, by its number. */
  readonly actions: string[];
  /** Does the game hide something from its players? */
  readonly hides: boolean;
  /** What `agent` knows: trained agents and searches. */
  readonly agents: string[];
  /** The start position; the seed decides all that is random. */
  start(seed?: number | bigint): State;
  deserialize(saved: string | SavedState): State;
  /** An agent by its name, such as "mcts(iterations=2000)". */
  agent(name: string, options?: AgentOptions): Agent;
  /** Ends the worker of a game that was loaded with one. */
  close(): unknown;
}

export interface LoadOptions {
  /** The WebAssembly, where it is not beside this module: an address, bytes, or compiled. */
  wasm?: string | URL | BufferSource | WebAssembly.Module;
  /** Further trained agents: files that tafl has exported for the same game, by name. */
  agents?: Record<string, string | URL | BufferSource>;
  /** Let agents think in a worker, so that the page never waits. */
  worker?: boolean;
}

export function load(options?: LoadOptions): Promise<Game>;
