// Runs kernels in Node: node wasm.mjs WEB_FOLDER JOB ANSWER. Both are JSON.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [web, file, out] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${web}/${name}`));
const { Machine } = await load("machine.js");
const { loader, inflate } = await load("bytes.js");
const { networkOf } = await load("network.js");
const { Players } = await load("players.js");
const { Rules } = await load("rules.js");
const { findGame } = await load("search.js");

const job = JSON.parse(readFileSync(file));
const { program, game, packed } = job;
const module = await WebAssembly.compile(await inflate(packed[program.module]));
const machine = await Machine.start(
  program,
  module,
  await loader(packed, program.memory, job.agent ?? null),
);

// Games of random players; the number of a game is the seed of its chance.
function randomGames() {
  const rules = new Rules(machine, game);
  const luck = machine.place({ type: "uint64", shape: [1] });
  return Array.from({ length: job.games }, (_, seed) => {
    const moves = [];
    let position = rules.start(seed);
    while (!position.over) {
      moves.push(
        position.legal[machine.call("draw_below", { rng: luck, n: position.legal.length })],
      );
      position = rules.play(position, moves.at(-1));
    }
    return moves;
  });
}

// Every array of the trace of every game, one after the other.
function traces(games) {
  const total = createHash("sha256");
  const places = {};
  for (const [seed, moves] of games.entries()) {
    const n = moves.length;
    places[n] ??= {
      moves: machine.place({ type: "int64", shape: [n] }),
      trace: machine.place(form(n)),
    };
    const { moves: array, trace } = places[n];
    machine.view(array).set(moves.map(BigInt));
    machine.view(machine.share("rng"))[0] = BigInt(seed);
    for (const part of Object.values(trace))
      machine.view(part).fill(part.type === "int64" ? 0n : 0);
    machine.call("replay", { moves: array, trace });
    for (const part of Object.values(trace)) {
      const view = machine.view(part);
      total.update(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    }
  }
  return total.digest("hex");
}

function form(moves) {
  return Object.fromEntries(
    Object.entries(job.trace).map(([name, { type, shape }]) => [
      name,
      { type, shape: [moves + 1, ...shape.slice(1)] },
    ]),
  );
}

async function values() {
  const players = new Players(machine, game);
  players.add("agent", job.agent);
  const found = [];
  for (const words of job.positions) {
    const rated = await players.rate({ kind: "trained", agent: "agent" }, words.map(BigInt));
    found.push(Object.fromEntries(rated.map(({ action, value }) => [action, value])));
  }
  return found;
}

function start() {
  const position = new Rules(machine, game).start(7);
  return { ...position, words: [...position.words].map(String), rng: String(position.rng[0]) };
}

const answer = { imports: WebAssembly.Module.imports(module).map(({ name }) => name) };
if (job.games) {
  answer.games = randomGames();
  answer.traces = traces(answer.games);
}
if (job.positions) answer.values = await values();
if (job.network) {
  const page = { document: job, rules: new Rules(machine, game) };
  const { net } = networkOf(page, job.settings, job.tuples);
  answer.net = { size: net.size, strides: [...net.strides.given], base: [...net.base.given] };
}
answer.start = start();
answer.ways = (job.wanted ?? []).map((wanted) =>
  findGame(new Rules(machine, game), job.board, wanted),
);
writeFileSync(out, JSON.stringify(answer));
process.exit(0); // a channel would keep it alive
