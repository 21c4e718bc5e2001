// Agents that think: here, one after the other, or in a worker.

import { loader, unpack } from "./bytes.js";
import { Players } from "./players.js";

export class Thinking {
  // read(name): the bytes of a trained agent's file
  constructor(machine, about, read) {
    this.machine = machine;
    this.players = new Players(machine, about);
    this.read = read;
    this.loaded = new Map(); // name -> when it is there
    this.last = Promise.resolve();
  }

  // given: {player, position, rng}; all kernels share memory, so one request waits for the other
  ask(method, given) {
    const answer = this.last.then(() => this.#answer(method, given));
    this.last = answer.catch(() => {});
    return answer;
  }

  async #answer(method, { player, position, rng }) {
    if (player.agent) await this.#load(player.agent);
    if (method === "act") return this.players.act(player, position, rng);
    this.players.seed(rng);
    return { found: await this.players.rate(player, position.words) };
  }

  #load(name) {
    if (!this.loaded.has(name)) this.loaded.set(name, this.#add(name));
    return this.loaded.get(name);
  }

  async #add(name) {
    const { document, packed } = await unpack(await this.read(name));
    const [own, others] = [await loader(packed, document), this.machine.bytes];
    this.machine.bytes = own; // its names mean other bytes in the rest of the memory
    this.players.add(name, document);
    this.machine.bytes = others;
  }
}

// The same in a worker that runs this file, too (bot.js).
export class Elsewhere {
  constructor(worker) {
    this.worker = worker;
    this.waiting = new Map();
    this.number = 0;
    const heard = (data) => {
      const { done, failed } = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.error) failed(new Error(data.error));
      else done(data.result);
    };
    const broken = (error) => {
      for (const { failed } of this.waiting.values()) failed(new Error(error.message));
      this.waiting.clear();
    };
    if (worker.on) worker.on("message", heard).on("error", broken);
    else {
      worker.onmessage = ({ data }) => heard(data);
      worker.onerror = broken;
    }
  }

  ask(method, given) {
    const id = ++this.number;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.worker.postMessage({ id, method, given });
    });
  }

  close() {
    return this.worker.terminate();
  }
}

// Answers requests, in the worker; port has postMessage.
export async function serve(port, thinking, { id, method, given }) {
  try {
    port.postMessage({ id, result: await (await thinking).ask(method, given) });
  } catch (error) {
    port.postMessage({ id, error: String(error?.message ?? error) });
  }
}
