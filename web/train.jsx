// Train in the tab: with and without FARL, side by side.

import { useEffect, useRef, useState } from "preact/hooks";
import { references } from "./bytes.js";
import { Chart, short } from "./chart.jsx";
import { agentFile, save } from "./files.js";
import { usePace } from "./pace.js";
import { Stopped, Thinker } from "./thinker.js";

const COLOURS = { farl: "var(--accent)", plain: "var(--bad)" };
const NAMES = { td: "TD learning", sarsa: "SARSA", q: "Q-learning" };
const FIELDS = [
  { name: "alpha", label: "learning rate α", low: 0.0001, high: 1000, step: 0.05 },
  { name: "alpha_final", label: "α at the end", low: 0.0001, high: 1000, step: 0.05 },
  { name: "epsilon", label: "exploration ε", low: 0, high: 1, step: 0.01 },
  { name: "epsilon_final", label: "ε at the end", low: 0, high: 1, step: 0.01 },
  { name: "gamma", label: "discount γ", low: 0, high: 1, step: 0.01 },
];

export function Train({ page, actions, compact = false }) {
  const { game, trainings } = page.document;
  const [which, setWhich] = useState(0);
  const training = trainings[which];
  const [settings, setSettings] = useState(() => usual(training));
  const [runs, setRuns] = useState([]);
  const going = useRef([]);
  useEffect(() => () => going.current.forEach((run) => run.thinker.worker.terminate()), []);

  const begin = (kinds) => {
    going.current.forEach((run) => run.thinker.worker.terminate());
    going.current = kinds.map((farl) => start(page, training, settings, farl, setRuns));
    setRuns(going.current.map((run) => ({ ...run })));
  };
  const running = runs.some((run) => run.running);
  usePace(running, (ms) => going.current.forEach(({ thinker }) => thinker.ask("rest", { ms })));
  const measured = training.exact ? "exact play" : "random players";
  return (
    <section class="train" aria-label="Train">
      {!compact && (
        <header>
          <h2>Train in this tab</h2>
          <p class="lead">
            An agent plays against itself and learns from the outcome: {NAMES[training.algo]} with{" "}
            {training.weights.toLocaleString("en")} weights in {training.tuples} n‑tuple
            {training.tuples > 1 ? "s" : ""}. Nothing leaves your computer.
          </p>
        </header>
      )}
      <div class="row hero">
        <button type="button" class="main large" onClick={() => begin([true, false])}>
          Train with and without FARL
        </button>
        {!compact && (
          <button type="button" onClick={() => begin([settings.farl])}>
            Train once
          </button>
        )}
        {running && (
          <button
            type="button"
            onClick={() => going.current.forEach((run) => run.thinker.ask("stop", {}))}
          >
            Stop
          </button>
        )}
        {!running && runs.some((run) => run.episode < run.episodes) && (
          <button type="button" onClick={() => going.current.forEach((run) => goOn(run, setRuns))}>
            Go on
          </button>
        )}
      </div>
      <div class="curves card">
        <Chart
          label={`Learning curves, measured against ${measured}`}
          x={[0, runs[0]?.episodes ?? settings.episodes]}
          y={extent(runs, game)}
          height={compact ? 220 : 300}
          guides={goal(page, training)}
          lines={runs.map((run) => ({
            name: run.farl ? "FARL" : "no FARL",
            points: run.points.map(({ episode, score }) => [episode, score]),
            colour: run.farl ? COLOURS.farl : COLOURS.plain,
            dashed: !run.farl,
          }))}
        />
        <p class="axis">
          episodes of self-play →{" "}
          {game.players === 1
            ? "points in a game"
            : game.zeroSum
              ? `share of wins against ${measured}, a draw is half`
              : `mean score against ${measured}`}
        </p>
      </div>
      <div class="runs">
        {runs.map((run) => (
          <RunCard key={`${run.farl}`} {...{ page, run, training, actions, compact }} />
        ))}
      </div>
      {!compact && (
        <Settings
          {...{ trainings, which, settings, setSettings }}
          setWhich={(i) => {
            setWhich(i);
            setSettings(usual(trainings[i]));
          }}
        />
      )}
    </section>
  );
}

function usual(training) {
  const { td } = training.learner;
  const chosen = Object.fromEntries(FIELDS.map(({ name }) => [name, td[name]]));
  return { ...chosen, episodes: training.quick, farl: true, seed: 1 };
}

function start(page, training, settings, farl, setRuns) {
  const thinker = new Thinker(page);
  const td = { farl_others: farl, farl_terminal: farl };
  for (const { name } of FIELDS) td[name] = settings[name];
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
    thinker.ask("learn", { training, td, seed, episodes, packed: more }, (progress) =>
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

function goOn(run, setRuns) {
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

function RunCard({ page, run, training, actions, compact }) {
  const { game } = page.document;
  const last = run.points[run.points.length - 1];
  const label = `${run.farl ? "FARL" : "no FARL"}, ${short(run.episode)} episodes`;
  const take = async () => {
    const weights = await run.thinker.ask("weights", {});
    actions.challenge(actions.addAgent({ label, form: training.player, weights }));
  };
  const keep = async () => {
    const weights = await run.thinker.ask("weights", {});
    save(
      agentFile(training.header, weights, run),
      `${game.title.toLowerCase().replace(/\W+/g, "-")}.agent`,
    );
  };
  return (
    <article class={`card run ${run.farl ? "farl" : "plain"}`}>
      <h3>
        <i class="key" />
        {run.farl ? "With FARL" : "Without FARL"}
      </h3>
      <p class="figure">{last ? score(last.score, game) : "–"}</p>
      <progress value={run.episode} max={run.episodes} aria-label="Episodes" />
      <dl>
        <div>
          <dt>episodes</dt>
          <dd>{run.episode.toLocaleString("en")}</dd>
        </div>
        <div>
          <dt>moves per second</dt>
          <dd>{run.seconds ? Math.round(run.moves / run.seconds).toLocaleString("en") : "–"}</dd>
        </div>
        <div>
          <dt>training time</dt>
          <dd>{run.seconds.toFixed(1)} s</dd>
        </div>
      </dl>
      {run.failed && <p class="note">Training failed: {run.failed}</p>}
      {!compact && (
        <div class="row">
          <button type="button" disabled={!run.episode} onClick={take}>
            Play against it
          </button>
          <button type="button" disabled={!run.episode} onClick={keep}>
            Save
          </button>
        </div>
      )}
    </article>
  );
}

function score(value, game) {
  if (game.players === 1) return Math.round(value).toLocaleString("en");
  return game.zeroSum ? `${(100 * value).toFixed(1)} %` : value.toFixed(3);
}

function goal(page, training) {
  const { zeroSum, players } = page.document.game;
  return training.exact && zeroSum && players === 2 ? [{ y: 0.5, text: "perfect play" }] : [];
}

function extent(runs, game) {
  const scores = runs.flatMap((run) => run.points.map((point) => point.score));
  if (game.players === 1) return [0, 1.1 * Math.max(100, ...scores)];
  return game.zeroSum ? [0, Math.max(0.6, ...scores)] : [0, Math.max(0.5, ...scores)];
}

function Settings({ trainings, which, setWhich, settings, setSettings }) {
  const set = (name, value) => setSettings({ ...settings, [name]: value });
  const number = (event, low, high, whole) => {
    const value = Math.min(high, Math.max(low, Number(event.target.value) || low));
    event.target.value = String(whole ? Math.round(value) : value);
    return whole ? Math.round(value) : value;
  };
  return (
    <details class="settings">
      <summary>Settings</summary>
      <div class="fields">
        <label>
          <span>algorithm</span>
          <select value={which} onChange={(event) => setWhich(Number(event.target.value))}>
            {trainings.map(({ algo }, i) => (
              <option key={algo} value={i}>
                {NAMES[algo]}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>episodes</span>
          <input
            type="number"
            min="10"
            max="1000000000"
            value={settings.episodes}
            onChange={(e) => set("episodes", number(e, 10, 1e9, true))}
          />
        </label>
        {FIELDS.map(({ name, label, low, high, step }) => (
          <label key={name}>
            <span>{label}</span>
            <input
              type="number"
              min={low}
              max={high}
              step={step}
              value={settings[name]}
              onChange={(e) => set(name, number(e, low, high, false))}
            />
          </label>
        ))}
        <label>
          <span>seed</span>
          <select value={settings.seed} onChange={(e) => set("seed", Number(e.target.value))}>
            {trainings[which].streams.map((_, i) => (
              <option key={i} value={i + 1}>
                {i + 1}
              </option>
            ))}
          </select>
        </label>
        <label class="switch">
          <input
            type="checkbox"
            checked={settings.farl}
            onChange={(e) => set("farl", e.target.checked)}
          />
          <span>FARL for “Train once”</span>
        </label>
      </div>
    </details>
  );
}
