// Trainings in workers: begun, followed, and gone on with. A run is what is known about one of them.

import { references } from "./bytes.js";
import { fieldsOf } from "./settings.jsx";
import { Stopped, Thinker } from "./thinker.js";

export function start(page, training, settings, farl, setRuns) {
  const thinker = new Thinker(page);
  const champion = page.document.agents.findIndex(({ label }) => label === "champion");
  const agent = training.exact || champion < 0 ? null : `a${champion}`;
  if (agent) thinker.add(agent, page.document.agents[champion].trained);
  const td = { farl_others: farl, farl_terminal: farl };
  for (const { name } of fieldsOf(training)) td[name] = settings[name];
  const { episodes, seed } = settings;
  const run = {
    farl,
    td,
    episodes,
    seed,
    thinker,
    training,
    points: [],
    episode: 0,
    moves: 0,
    seconds: 0,
    running: true,
  };
  const more = Object.fromEntries(
    [...references(training)].map((name) => [name, page.packed(name)]),
  );
  follow(
    run,
    thinker.ask("learn", { training, td, seed, episodes, agent, packed: more }, (progress) =>
      update(run, progress, setRuns),
    ),
    setRuns,
  );
  return run;
}

function update(run, progress, setRuns) {
  Object.assign(run, progress);
  setRuns((runs) => runs.map((old) => (old.thinker === run.thinker ? { ...run } : old)));
}

export function goOn(run, setRuns) {
  run.running = true;
  follow(
    run,
    run.thinker.ask("go", {}, (progress) => update(run, progress, setRuns)),
    setRuns,
  );
}

function follow(run, promise, setRuns) {
  promise
    .then((progress) => update(run, { ...progress, running: false }, setRuns))
    .catch((error) => {
      if (!(error instanceof Stopped))
        update(run, { running: false, failed: error.message }, setRuns);
    });
}

// The next move of a game that a learner plays against itself, for people who watch.
export async function watched(run, position, seed) {
  return (await run.thinker.ask("watch", { position, seed })).action;
}

// What agents are measured against.
export function yardstick(page, training) {
  if (training.exact) return "exact";
  return page.document.agents.some(({ label }) => label === "champion") ? "champion" : "random";
}
