// How an episode is learned from: who learns from what, and how a result flows back.

import { useMemo, useState } from "preact/hooks";
import { Board } from "./board.jsx";
import { Line } from "./game.js";
import { seatColour, seatName } from "./seats.js";
import { number, t } from "./texts.js";

const SHOWN = 7; // afterstates at the end of a game
const STEP = 0.5; // of the way to the target that a value goes
const TRIES = 60; // games, of which the shortest with a winner is shown
const MOST_PLIES = 3000; // of all of them together

// The last afterstates of a game: {cells, player, scores}, and the scores before them.
export function ending(page) {
  const { rules } = page;
  const { players } = page.document.game;
  let [best, played] = [null, 0];
  for (let k = 0; k < TRIES && played < MOST_PLIES; k++) {
    const line = new Line(rules, 1);
    while (!line.at.position.over && line.at.ply < 400) {
      const { legal } = line.at.position;
      line.play(legal[(k * (line.at.ply + 3) + 3) % legal.length]);
    }
    played += line.at.ply;
    const { scores, over } = line.at.position;
    const told = over && (players === 1 || new Set(scores).size > 1) && line.at.ply >= 2 * players;
    if (told && (!best || line.at.ply < best.at.ply)) best = line;
  }
  return best && lastOf(best);
}

function lastOf(line) {
  const nodes = line.path.slice(1).slice(-SHOWN);
  return {
    before: nodes[0].parent.position.scores,
    states: nodes.map(({ position, parent }) => ({
      position: { ...position, cells: position.after ?? position.cells, legal: [] },
      player: parent.position.player,
      scores: position.scores,
    })),
  };
}

// Plays the game once more: every afterstate learns from the next one of its player, and with
// final adaptation all players from the end (Algorithm 2 of the paper, alpha 1/2, gamma 1).
export function learned({ states, before }, values, farl) {
  const next = [...values];
  const adapt = (i, target) => (next[i] += STEP * (target - next[i]));
  const last = {}; // of each player: where its previous afterstate is
  states.forEach(({ player, scores }, i) => {
    const over = i === states.length - 1;
    const from = last[player];
    const reward = (p) => scores[p] - (last[p] === undefined ? before : states[last[p]].scores)[p];
    if (from !== undefined) adapt(from, reward(player) + (over ? 0 : next[i]));
    if (over && farl) {
      for (const [p, j] of Object.entries(last)) if (Number(p) !== player) adapt(j, reward(p));
      adapt(i, 0);
    }
    last[player] = i;
  });
  return next;
}

// The end of a game in pictures, with values that change when it is played again.
export function Backflow({ page, farl }) {
  const { game } = page.document;
  const episode = useMemo(() => ending(page), []);
  const blank = () => episode.states.map(() => 0);
  const [known, setKnown] = useState(() => ({ values: episode && blank(), farl, times: 0 }));
  if (!episode) return null;
  const { values, times } = known.farl === farl ? known : { values: blank(), times: 0 };
  const play = (more) => {
    let after = values;
    for (let i = 0; i < more; i++) after = learned(episode, after, farl);
    setKnown({ values: after, farl, times: times + more });
  };
  const { scores } = episode.states[episode.states.length - 1];
  const most = Math.max(1e-9, ...values.map(Math.abs), ...(game.players > 1 ? scores : []));
  return (
    <figure class="backflow">
      <ol>
        {episode.states.map(({ position, player }, i) => (
          <li key={i}>
            <Board
              page={page}
              position={position}
              small
              label={t("Afterstate {number}", { number: i + 1 })}
            />
            <span class="mover">
              <i class="chip" style={{ background: seatColour(page, player) }} />
              {game.players > 1 ? seatName(page, player) : t("move {number}", { number: i + 1 })}
            </span>
            <Level value={values[i]} most={most} colour={seatColour(page, player)} />
          </li>
        ))}
      </ol>
      <figcaption>
        {game.players > 1 && (
          <span>
            {t("The end: {scores}.", {
              scores: scores.map((s, p) => `${seatName(page, p)} ${signed(s)}`).join(", "),
            })}{" "}
          </span>
        )}
        {times === 0 ? t("Before learning, all values are 0.") : played(times, farl)}
      </figcaption>
      <div class="row">
        <button type="button" class="main" onClick={() => play(1)}>
          {t("Play this game once more")}
        </button>
        <button type="button" onClick={() => play(20)}>
          {t("20 times")}
        </button>
        <button
          type="button"
          disabled={times === 0}
          onClick={() => setKnown({ values: blank(), farl, times: 0 })}
        >
          {t("Forget it all")}
        </button>
      </div>
    </figure>
  );
}

const signed = (value) =>
  `${value > 0 ? "+" : value < 0 ? "−" : ""}${number(Number(Math.abs(value).toFixed(2)))}`;

function played(times, farl) {
  return farl
    ? t("Played with final adaptation: {times}×.", { times })
    : t("Played without final adaptation: {times}×.", { times });
}

function Level({ value, most, colour }) {
  const height = (32 * Math.abs(value)) / most;
  return (
    <span class="level">
      <svg viewBox="0 0 24 72" aria-hidden="true">
        <line x1="0" x2="24" y1="36" y2="36" />
        <rect
          x="5"
          width="14"
          rx="2"
          y={value > 0 ? 36 - height : 36}
          height={height}
          fill={colour}
        />
      </svg>
      <b>{signed(value)}</b>
    </span>
  );
}

// Afterstates in a row, each in the colour of who made it, and who learns from what.
export function Threads({ page, farl, final = false }) {
  const { players } = page.document.game;
  const moves = 3 * players + (players === 1 ? 3 : 0);
  const [gap, top] = [62, 74];
  const width = (moves + 1) * gap + 40;
  const x = (i) => 34 + i * gap;
  const arcs = Array.from({ length: moves - players }, (_, i) => ({ from: i + players, to: i }));
  const loose = Array.from({ length: players }, (_, k) => moves - 1 - k);
  const unheard = (i) =>
    final && !farl && i >= moves - players && (players > 1 ? i < moves - 1 : true);
  return (
    <svg
      class="threads"
      viewBox={`0 0 ${width} ${final ? 138 : 100}`}
      role="img"
      aria-label={
        !final
          ? t("Each player learns from its own next afterstate")
          : farl
            ? t("The end of a game with final adaptation")
            : t("The end of a game without final adaptation")
      }
    >
      <defs>
        <marker
          id="tip"
          viewBox="0 0 8 8"
          refX="6"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto-start-reverse"
        >
          <path d="M0 0 8 4 0 8z" fill="context-stroke" />
        </marker>
      </defs>
      {arcs.map(({ from, to }) => (
        <path
          key={from}
          class="arc"
          stroke={seatColour(page, from % players)}
          marker-end="url(#tip)"
          d={`M${x(from)} ${top - 14} C${x(from)} ${top - 58} ${x(to)} ${top - 58} ${x(to)} ${top - 16}`}
        />
      ))}
      {final &&
        farl &&
        loose.map((i) => (
          <path
            key={`l${i}`}
            class="arc final"
            stroke={seatColour(page, i % players)}
            marker-end="url(#tip)"
            d={`M${x(moves)} ${top + 14} C${x(moves)} ${top + 58} ${x(i)} ${top + 58} ${x(i)} ${top + 17}`}
          />
        ))}
      {Array.from({ length: moves }, (_, i) => (
        <g key={i} class={unheard(i) ? "never" : ""}>
          <circle cx={x(i)} cy={top} r="13" fill={seatColour(page, i % players)} />
          <text x={x(i)} y={top + 4.5}>
            {i + 1}
          </text>
        </g>
      ))}
      <g class="end">
        <rect x={x(moves) - 17} y={top - 13} width="34" height="26" rx="6" />
        <text x={x(moves)} y={top + 4}>
          {t("end")}
        </text>
      </g>
    </svg>
  );
}
