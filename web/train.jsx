// Train in the tab: with and without FARL, side by side.

import { useEffect, useRef, useState } from "preact/hooks";
import { wantsTraining } from "./address.js";
import { Chart, short } from "./chart.jsx";
import { agentFile, save } from "./files.js";
import { countsWins } from "./learning.js";
import { LiveBoard } from "./live.jsx";
import { usePace } from "./pace.js";
import { goOn, start, watched, yardstick } from "./runs.js";
import { NAMES, Settings, usual } from "./settings.jsx";
import { fixed, number, t, term } from "./texts.js";

const OPPONENTS = {
  exact: term("exact play"),
  champion: term("the champion at medium strength"),
  random: term("random players"),
};
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
  useLeaving(running);
  const [asked] = useState(wantsTraining); // the address says so only until it is written again
  useEffect(() => {
    if (!compact && asked) begin([true, false]);
  }, []);
  useKeeping({ runs, training, actions, compact });
  const measured = t(OPPONENTS[yardstick(page, training)]);
  const shown = runs.find((run) => run.farl) ?? runs[0];
  return (
    <section class="train" aria-label={t("Train")}>
      {!compact && (
        <header>
          <h2>{t("Train in this tab")}</h2>
          <p class="lead">
            {about(training)}
          </p>
          <p class="lead">
            {t(
              "FARL (Final Adaptation Reinforcement Learning) adds one step at the end of each " +
                "game: all players learn from the result, not only the one who moved last.",
            )}
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
      <div class={`curves card ${shown && !compact && !game.hides ? "watched" : ""}`}>
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
        {shown && !compact && !game.hides && (
          <LiveBoard
            key={shown.thinker.born}
            page={page}
            choose={(position, seed) => watched(shown, position, seed)}
            label={
              shown.running
                ? t("It plays against itself while it learns.")
                : t("It plays against itself, as well as it has learned.")
            }
          />
        )}
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

function RunCard({ page, run, training, actions, compact }) {
  const { game } = page.document;
  const last = run.points[run.points.length - 1];
  const take = async () => actions.challenge(await agentOf(run, training, actions));
  const keep = async () => {
    const weights = await run.thinker.ask("weights", {});
    save(agentFile(training.header, weights, run), fileName(game, run));
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

// The agent that a run has trained so far, as one that can take a seat; kept between visits.
async function agentOf(run, training, actions) {
  const { thinker, episode, farl } = run;
  if (thinker.taken?.episode === episode) return thinker.taken.agent;
  const weights = await thinker.ask("weights", {});
  const file = training.algo === "regret" ? null : agentFile(training.header, weights, run);
  const kind = farl ? t("FARL") : t("no FARL");
  const label = t("{kind}, {count} episodes", { kind, count: short(episode) });
  const agent = actions.addAgent({ label, form: training.player, weights, file });
  thinker.taken = { episode, agent };
  return agent;
}

// When a training ends, its agent is kept.
function useKeeping({ runs, training, actions, compact }) {
  const ended = runs.filter((run) => !run.running && run.episode > 0 && !run.failed);
  const which = ended.map((run) => `${run.farl}${run.episode}`).join();
  useEffect(() => {
    if (!compact) ended.forEach((run) => agentOf(run, training, actions).catch(() => {}));
  }, [which]);
}

// Two agents of the same game get two names: connect-four-farl-20000.agent
export function fileName({ title }, { farl, episode, seed }) {
  const words = [title.toLowerCase(), farl ? "farl" : "no-farl", episode, `seed-${seed}`];
  return `${words.join("-").replace(/[^\w]+/g, "-")}.agent`;
}

// Asks before the page is left while an agent learns.
function useLeaving(running) {
  useEffect(() => {
    if (!running) return undefined;
    const leave = (event) => event.preventDefault();
    window.addEventListener("beforeunload", leave);
    return () => window.removeEventListener("beforeunload", leave);
  }, [running]);
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
