// A worker seen from the page: requests that return promises, and reports on the way.

import { references } from "./bytes.js";

let address = null; // of the worker's script: pages opened from disk have no other file to load

function scriptAddress() {
  const text = document.getElementById("worker").textContent.replaceAll("<\\/", "</");
  address ??= URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return address;
}

let born = 0; // workers, counted

export class Stopped extends Error {}

export class Thinker {
  constructor(page) {
    this.page = page;
    this.agents = new Map(); // key -> {form, weights}
    this.waiting = new Map();
    this.number = 0;
    this.born = ++born;
    this.#begin();
  }

  #begin() {
    const { document: known, packed } = this.page;
    this.worker = new Worker(scriptAddress());
    this.loaded = new Map(); // key -> when it is there
    this.worker.onmessage = ({ data }) => this.#answer(data);
    this.worker.onerror = (event) => this.#fail(event.message || "the worker failed");
    const needed = pick(packed, [known.program.module, ...references(known.program.memory)]);
    const given = { program: known.program, game: known.game, packed: needed };
    this.ready = this.#send("start", given);
    this.ready.catch(() => {});
  }

  // Makes an agent known; its weights travel when it is first asked.
  add(key, form, weights = null) {
    this.agents.set(key, { form, weights });
  }

  async ask(method, given, report = null) {
    await this.ready;
    const key = given.player?.agent ?? (typeof given.agent === "string" ? given.agent : null);
    if (key) await this.#load(key);
    return this.#send(method, given, report);
  }

  // Gives the worker an agent, once.
  #load(key) {
    if (!this.loaded.has(key)) {
      const { form, weights } = this.agents.get(key);
      const packed = pick(this.page.packed, [...references(form)]);
      this.loaded.set(key, this.#send("agent", { key, form, weights, packed }));
    }
    return this.loaded.get(key);
  }

  // Ends the current work, and starts again with the same agents.
  restart() {
    this.worker.terminate();
    this.#fail(null);
    this.#begin();
  }

  get busy() {
    return this.waiting.size > 0;
  }

  #send(method, given, report = null) {
    const id = ++this.number;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed, report });
      this.worker.postMessage({ id, method, given });
    });
  }

  #answer({ id, result, error, progress }) {
    const request = this.waiting.get(id);
    if (!request) return;
    if (progress) return request.report?.(progress);
    this.waiting.delete(id);
    if (error) request.failed(new Error(error));
    else request.done(result);
  }

  #fail(message) {
    for (const { failed } of this.waiting.values()) {
      failed(message === null ? new Stopped() : new Error(message));
    }
    this.waiting.clear();
  }
}

function pick(packed, names) {
  return Object.fromEntries(names.map((name) => [name, packed(name)]));
}
