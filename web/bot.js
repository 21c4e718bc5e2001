// The module that `tafl export --js` writes: a game with its agents, for other web pages and Node.
// Python puts in the name of the game and the files of its agents (tafl/page/bot.py).

import { agentNames, playerOf } from "./agents.js";
import { loader, unpack } from "./bytes.js";
import { Machine } from "./machine.js";
import { Rules } from "./rules.js";
import { State } from "./state.js";
import { Elsewhere, Thinking, serve } from "./thinking.js";

const WASM = new URL("./$GAME.wasm", import.meta.url);
const AGENTS = "$AGENTS";
const ROLE = "tafl agents"; // the name of a worker that this module has started

const builtin = (name) => globalThis.process?.getBuiltinModule?.(name);

export async function load({ wasm = WASM, agents = {}, worker = false } = {}) {
  const files = { ...AGENTS, ...agents };
  const started = await Started.from(wasm);
  const { about, program } = started.document;
  const rules = new Rules(await started.machine(), about);
  const given = { wasm: started.module, agents: mapped(files, (file) => file.href ?? file) };
  const thinking = worker ? elsewhere(given) : await here(started, files);
  return new Game(about, rules, thinking, program.kernels, Object.keys(files));
}

// A compiled module, and what its custom section says of the game.
class Started {
  static async from(wasm) {
    const compiled = wasm instanceof WebAssembly.Module;
    const module = compiled ? wasm : await WebAssembly.compile(await bytesOf(wasm));
    const [section] = WebAssembly.Module.customSections(module, "tafl");
    if (!section) throw new Error("this is not a module that tafl has exported");
    return Object.assign(new Started(), { module, ...(await unpack(section)) });
  }

  async machine() {
    const { program } = this.document;
    return Machine.start(program, this.module, await loader(this.packed, program.memory));
  }
}

async function here(started, files) {
  const read = (name) => bytesOf(files[name]);
  return new Thinking(await started.machine(), started.document.about, read);
}

const mapped = (files, change) =>
  Object.fromEntries(Object.entries(files).map(([name, file]) => [name, change(file)]));

class Game {
  #rules;
  #thinking;
  #kernels;
  #trained;

  constructor(about, rules, thinking, kernels, trained) {
    this.name = about.name;
    this.title = about.title;
    this.text = about.text;
    this.players = about.players;
    this.actions = about.actions;
    this.hides = about.hides;
    this.agents = agentNames(kernels, trained);
    this.#rules = { about, rules };
    this.#thinking = thinking;
    this.#kernels = kernels;
    this.#trained = trained;
  }

  start(seed = 0) {
    const { rules } = this.#rules;
    return new State(this.#rules, { seed: String(BigInt(seed)) }, rules.start(seed));
  }

  deserialize(text) {
    const { game, seed, words, actions } = typeof text === "string" ? JSON.parse(text) : text;
    if (game !== this.name) throw new Error(`this is a position of ${game}, not of ${this.name}`);
    const { rules } = this.#rules;
    const from = words && rules.look(words.map(BigInt), seed);
    const state = from ? new State(this.#rules, { seed, words }, from) : this.start(seed);
    for (const action of actions) state.play(action);
    return state;
  }

  agent(text, { seed = 0, mistakes = 0 } = {}) {
    const player = playerOf(text, this.#kernels, this.#trained);
    return new Agent(this, this.#thinking, { ...player, mistakes }, BigInt(seed));
  }

  // Ends the worker, if there is one.
  close() {
    return this.#thinking.close?.();
  }
}

class Agent {
  #game;
  #thinking;
  #player;
  #rng;

  constructor(game, thinking, player, rng) {
    this.#game = game;
    this.#thinking = thinking;
    this.#player = player;
    this.#rng = rng;
  }

  // What each move is worth to the player to move, in points.
  async values(state) {
    if (state.over) return [];
    const { found } = await this.#ask("rate", state);
    const { actions } = this.#game;
    return found
      .map((entry) => ({ ...entry, name: actions[entry.action] }))
      .sort((a, b) => a.action - b.action);
  }

  async act(state) {
    if (state.over) throw new Error("the game is over; there is no move to choose");
    const { action, rng } = await this.#ask("act", state);
    this.#rng = rng;
    return action;
  }

  #ask(method, state) {
    const position = State.given(state, this.#rng);
    return this.#thinking.ask(method, { player: this.#player, position, rng: this.#rng });
  }
}

// Bytes as they are, or those of a file: in Node from the disk, else from the web.
async function bytesOf(given) {
  if (!(given instanceof URL) && typeof given !== "string") return given;
  const url = new URL(given, import.meta.url);
  const fs = url.protocol === "file:" && builtin("node:fs");
  if (fs) return fs.promises.readFile(url);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} cannot be read: ${answer.status}`);
  return answer.arrayBuffer();
}

function elsewhere(given) {
  const threads = builtin("node:worker_threads");
  const worker = threads
    ? new threads.Worker(new URL("./$GAME.js", import.meta.url), { workerData: ROLE })
    : new Worker(new URL("./$GAME.js", import.meta.url), { type: "module", name: ROLE });
  worker.postMessage(given);
  return new Elsewhere(worker);
}

// In such a worker: the first message says what to load, the others ask.
function listen() {
  const threads = builtin("node:worker_threads");
  const own = threads ? threads.workerData === ROLE : globalThis.name === ROLE;
  if (!own || !(threads || "WorkerGlobalScope" in globalThis)) return;
  const port = threads?.parentPort ?? globalThis;
  let thinking = null;
  const heard = (data) => {
    if (thinking) serve(port, thinking, data);
    else thinking = Started.from(data.wasm).then((started) => here(started, data.agents));
  };
  if (threads) port.on("message", heard);
  else globalThis.onmessage = ({ data }) => heard(data);
}

listen();
