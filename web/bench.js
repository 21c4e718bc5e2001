// Learning in Node, for `tafl bench --wasm`: node bench.js JOB prints moves per second.

import { readFileSync } from "node:fs";
import { inflate, loader } from "./bytes.js";
import { Machine } from "./machine.js";

const BLOCK = 0.1; // seconds

const { program, training, packed, seconds, warmUp } = JSON.parse(readFileSync(process.argv[2]));
const module = await WebAssembly.compile(await inflate(packed[program.module]));
const machine = await Machine.start(
  program,
  module,
  await loader(packed, program.memory, training),
);
const learner = machine.place(training.learner);
learner.rng = machine.place({ type: "uint64", shape: [1] });
learner.totals = machine.place(program.memory.totals);
machine.view(learner.rng)[0] = BigInt(training.streams[0]);

let episode = 0;
function learn(episodes) {
  machine.call(training.kernel, { ...learner, first: episode, episodes, total: training.total });
  episode += episodes;
}
const moves = () => machine.view(learner.totals)[0];
const clock = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;

// the compiler makes fast code while slow code runs: a kernel that is called again gets it
for (let i = 0; i < 50; i++) learn(Math.ceil(warmUp / 50));
await new Promise((done) => setTimeout(done, 300));
let [first, began, block] = [moves(), clock(), 10];
let passed = 0;
while (passed < seconds) {
  const before = clock();
  learn(block);
  const took = clock() - before;
  block = Math.max(1, Math.min(2 * block, Math.round((block * BLOCK) / Math.max(took, 1e-3))));
  passed = clock() - began;
}
console.log(JSON.stringify({ moves_per_second: (moves() - first) / passed, imports: imports() }));

function imports() {
  return WebAssembly.Module.imports(module).map(({ name }) => name);
}
