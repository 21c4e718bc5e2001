// Train in the tab: with and without FARL, side by side.

import { useEffect, useRef, useState } from "preact/hooks";
import { references } from "./bytes.js";
import { Chart, short } from "./chart.jsx";
import { agentFile, save } from "./files.js";
import { countsWins } from "./learning.js";
import { usePace } from "./pace.js";
import { NAMES, Settings, fieldsOf, usual } from "./settings.jsx";
import { fixed, number, t } from "./texts.js";
import { Stopped, Thinker } from "./thinker.js";

const COLOURS = { farl: "var(--accent)", plain: "var(--bad)" };

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
  const measured = training.exact ? t("exact play") : t("random players");
  return (
    <section class="train" aria-label={t("Train")}>
      {!compact && (
        <header>
          <h2>{t("Train in this tab")}</h2>
          <p class="lead">
            {about(training)}
          </p>
        </header>
      )}
      <div class="row hero">
        <button type="button" class="main large" onClick={() => begin([true, false])}>
          {t("Train with and without FARL")}
        </button>
        {!compact && (
          <button type="button" onClick={() => begin([settings.farl])}>
            {t("Train once")}
          </button>
        )}
        {running && (
          <button
            type="button"
            onClick={() => going.current.forEach((run) => run.thinker.ask("stop", {}))}
          >
            {t("Stop")}
          </button>
        )}
        {!running && runs.some((run) => run.episode < run.episodes) && (
          <button type="button" onClick={() => going.current.forEach((run) => goOn(run, setRuns))}>
            {t("Go on")}
          </button>
        )}
      </div>
      <div class="curves card">
        <Chart
          label={t("Learning curves, measured against {opponent}", { opponent: measured })}
          x={[0, runs[0]?.episodes ?? settings.episodes]}
          y={extent(runs, game)}
          height={compact ? 220 : 300}
          guides={goal(page, training)}
          lines={runs.map((run) => ({
            name: run.farl ? t("FARL") : t("no FARL"),
            points: run.points.map(({ episode, score }) => [episode, score]),
            colour: run.farl ? COLOURS.farl : COLOURS.plain,
            dashed: !run.farl,
          }))}
        />
        <p class="axis">
          {t("episodes of self-play →")}{" "}
          {game.players === 1
            ? t("points in a game")
            : countsWins(game)
              ? t("share of wins against {opponent}, a draw is half", { opponent: measured })
              : t("mean score against {opponent}", { opponent: measured })}
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

// What learns, and how large it is.
function about({ algo, weights, tuples }) {
  const values = { algorithm: t(NAMES[algo]), weights: number(weights), tuples };
  if (algo === "regret") {
    return t(
      "An agent plays against itself and learns by {algorithm}: it keeps values and a policy for " +
        "what a player sees at one of its moves, at most {weights} times. Nothing leaves your " +
        "computer.",
      values,
    );
  }
  return t(
    "An agent plays against itself and learns from the outcome: {algorithm}, {weights} " +
      "weights, n-tuples: {tuples}. Nothing leaves your computer.",
    values,
  );
}

function start(page, training, settings, farl, setRuns) {
  const thinker = new Thinker(page);
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
  const label = t("{kind}, {count} episodes", {
    kind: run.farl ? t("FARL") : t("no FARL"),
    count: short(run.episode),
  });
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
        {run.farl ? t("With FARL") : t("Without FARL")}
      </h3>
      <p class="figure">{last ? score(last.score, game) : "–"}</p>
      <progress value={run.episode} max={run.episodes} aria-label={t("Episodes")} />
      <dl>
        <div>
          <dt>{t("episodes")}</dt>
          <dd>{number(run.episode)}</dd>
        </div>
        <div>
          <dt>{t("moves per second")}</dt>
          <dd>{run.seconds ? number(Math.round(run.moves / run.seconds)) : "–"}</dd>
        </div>
        <div>
          <dt>{t("training time")}</dt>
          <dd>{fixed(run.seconds, 1)} s</dd>
        </div>
      </dl>
      {run.failed && <p class="note">{t("Training failed: {why}", { why: run.failed })}</p>}
      {!compact && (
        <div class="row">
          <button type="button" disabled={!run.episode} onClick={take}>
            {t("Play against it")}
          </button>
          {training.algo !== "regret" && (
            <button type="button" disabled={!run.episode} onClick={keep}>
              {t("Save")}
            </button>
          )}
        </div>
      )}
    </article>
  );
}

function score(value, game) {
  if (game.players === 1) return number(Math.round(value));
  return countsWins(game) ? `${fixed(100 * value, 1)} %` : fixed(value, 3);
}

function goal(page, training) {
  const { zeroSum, players } = page.document.game;
  return training.exact && zeroSum && players === 2 ? [{ y: 0.5, text: t("perfect play") }] : [];
}

function extent(runs, game) {
  const scores = runs.flatMap((run) => run.points.map((point) => point.score));
  if (game.players === 1) return [0, 1.1 * Math.max(100, ...scores)];
  if (countsWins(game)) return [0, Math.max(0.6, ...scores)];
  return [Math.min(0, ...scores), Math.max(0.5, ...scores)];
}
