// Sabaki's controller lets two engines of GTP play each other: `node sabaki.mjs PROGRAM SIZE [ARGUMENTS] [ARGUMENTS]`.
// Arguments are lists in JSON. Prints the moves and both engines' final scores.

import { createRequire } from "node:module";

const [program, size, ...lists] = process.argv.slice(2);
const { Controller } = createRequire(import.meta.url)("@sabaki/gtp");
const engines = lists.map((list) => new Controller(program, JSON.parse(list)));

async function ask(engine, name, ...args) {
  const { content, error } = await engine.sendCommand({ name, args });
  if (error) throw new Error(`${name} ${args.join(" ")}: ${content}`);
  return content.trim();
}

const moves = [];
engines.forEach((engine) => engine.start());
for (const engine of engines) {
  await ask(engine, "boardsize", size);
  await ask(engine, "clear_board");
}
for (let turn = 0; moves.slice(-2).join() !== "pass,pass"; turn = 1 - turn) {
  const colour = "BW"[turn];
  const move = await ask(engines[turn], "genmove", colour);
  await ask(engines[1 - turn], "play", colour, move).catch((error) => {
    if (move !== "pass") throw error; // nothing can be played after the end
  });
  moves.push(move);
}
const scores = await Promise.all(engines.map((engine) => ask(engine, "final_score")));
console.log(JSON.stringify({ moves, scores }));
await Promise.all(engines.map((engine) => engine.stop()));
