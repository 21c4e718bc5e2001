// Opens the page: unpacks what Python put in, starts the rules, and shows the first view.

import { render } from "preact";
import { App } from "./app.jsx";
import { inflate, loader } from "./bytes.js";
import { Machine } from "./machine.js";
import { Rules } from "./rules.js";

async function open() {
  const packed = (name) => document.getElementById(name).textContent;
  const known = JSON.parse(new TextDecoder().decode(await inflate(packed("document"))));
  const { program, game } = known;
  const module = await WebAssembly.compile(await inflate(packed(program.module)));
  const texts = new Proxy({}, { get: (_, name) => packed(name) });
  const machine = await Machine.start(program, module, await loader(texts, program.memory.game));
  const page = { document: known, packed, rules: new Rules(machine, game) };
  const root = document.getElementById("page");
  root.replaceChildren();
  render(<App page={page} />, root);
}

open().catch((error) => {
  const message = document.createElement("p");
  message.className = "loading";
  message.textContent = `This page cannot run here: ${error.message}`;
  document.getElementById("page").replaceChildren(message);
});
