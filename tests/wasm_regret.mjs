// Learns by regret matching in Node: node wasm_regret.mjs WEB_FOLDER JOB ANSWER. Both are JSON.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [web, file, out] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${web}/${name}`));
const { Machine, KernelError } = await load("machine.js");

const job = JSON.parse(readFileSync(file));
const module = await WebAssembly.compile(Buffer.from(job.module, "base64"));
const machine = await Machine.start({ kernels: job.kernels, memory: job.memory }, module, null);
const numbers = (array) => Array.from(machine.view(array), String);

machine.view(machine.share("rng"))[0] = BigInt(job.seed);
for (const [first, episodes] of job.parts) machine.call("train_regret", { first, episodes });
const { store, totals, rng } = machine.shared;
const answer = {
  imports: WebAssembly.Module.imports(module).map(({ name }) => name),
  tables: numbers(store.tables),
  keys: numbers(store.keys),
  used: numbers(store.used),
  totals: numbers(totals),
  rng: numbers(rng),
  full: false,
};
try {
  machine.call("train_regret", { store: machine.place(job.small), first: 0, episodes: 1000 });
} catch (error) {
  answer.full = error instanceof KernelError;
}
machine.view(machine.share("work").state).set(job.state.map(BigInt));
const n = machine.call("look_up");
answer.policy = Array.from(machine.view(machine.shared.policy).subarray(0, n));
answer.values = Array.from(machine.view(machine.shared.values).subarray(0, n));
writeFileSync(out, JSON.stringify(answer));
