// A puzzle: a position in which exactly one move wins. One for each day, and any others.

import { useMemo, useState } from "preact/hooks";
import { Board } from "./board.jsx";
import { lastMove } from "./changes.js";
import { Line, preview } from "./game.js";
import { keep, kept } from "./kept.js";
import { seatColour, seatName } from "./seats.js";
import { ShareButton } from "./share.jsx";
import { moveText, rich, t } from "./texts.js";

const DAY = 86_400_000; // milliseconds

// The number of the puzzle of a day, the same for everybody on that date.
export function today(count, now = new Date()) {
  const days = Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY);
  return days % count;
}

export function Puzzle({ page, puzzles, actions = null }) {
  const daily = today(puzzles.length);
  const [number, setNumber] = useState(daily);
  const other = () => {
    const next = Math.floor(Math.random() * (puzzles.length - 1));
    setNumber(next >= number ? next + 1 : next);
  };
  return (
    <section class="puzzle" aria-label={t("Puzzle")}>
      <Position
        key={number}
        {...{ page, number, other, actions }}
        puzzle={puzzles[number]}
        daily={number === daily}
      />
    </section>
  );
}

function Position({ page, puzzle, number, daily, other, actions }) {
  const { game, board } = page.document;
  const line = useMemo(() => new Line(page.rules, 1, puzzle.moves), []);
  const start = line.at.position;
  const previews = useMemo(() => preview(page.rules, start, board), []);
  const [tried, setTried] = useState([]);
  const solved = tried.at(-1) === puzzle.answer;
  const after = useMemo(
    () => new Line(page.rules, 1, [...puzzle.moves, puzzle.answer]).at,
    [],
  );
  const at = solved ? after : line.at;
  const last = useMemo(() => lastMove(page.rules, board, at), [at]);
  const player = seatName(page, start.player);
  const play = (action) => {
    setTried((before) => [...before, action]);
    if (action === puzzle.answer && !tried.length) note(game, number);
  };
  return (
    <>
      <div class="frame-card">
        <Board
          page={page}
          position={solved ? { ...at.position, legal: [] } : at.position}
          previews={solved ? {} : previews}
          last={last && { ...last, animated: solved }}
          onPlay={solved ? null : play}
          label={t("Puzzle: {player} to move", { player })}
        />
      </div>
      <div class="told">
        <p class="eyebrow">
          {daily ? t("The puzzle of the day") : t("Puzzle {number}", { number: number + 1 })}
        </p>
        <h2>
          <i class="chip big" style={{ background: seatColour(page, start.player) }} />{" "}
          {t("Find the only winning move")}
        </h2>
        <p>
          {puzzle.wins_in
            ? t("{player} is to move and wins in {count} moves, but only if the first one is right.", {
                player,
                count: puzzle.wins_in,
              })
            : t("{player} is to move and wins, but only with one move.", { player })}
        </p>
        <Verdict {...{ puzzle, tried, solved, game }} />
        <div class="row">
          <button type="button" class={solved ? "main" : ""} onClick={other}>
            {t("Another puzzle")}
          </button>
          {solved && <ShareButton name={`${game.title} ${number + 1}`} where=".puzzle .board" />}
          <PlayOn {...{ page, puzzle, actions }} />
        </div>
        <Solved game={game} />
      </div>
    </>
  );
}

// What the move that was tried does: data from an exact solver.
function Verdict({ puzzle, tried, solved, game }) {
  if (!tried.length) return <p role="status" />;
  const action = tried.at(-1);
  const move = <b>{moveText(game.actions[action])}</b>;
  const times = tried.length;
  if (solved) {
    return (
      <p role="status" class="right">
        {times === 1
          ? rich("Right: {move} wins. Solved at the first try!", { move })
          : rich("Right: {move} wins. Solved after {times} tries.", { move, times })}
      </p>
    );
  }
  return (
    <p role="status" class="wrong">
      {puzzle.draws.includes(action)
        ? rich("{move} only draws. Try again.", { move })
        : rich("{move} loses. Try again.", { move })}
    </p>
  );
}

// Puzzles that were solved at the first try are counted in this browser.
function note(game, number) {
  const known = kept(`puzzles.${game.name}`) ?? [];
  if (!known.includes(number)) keep(`puzzles.${game.name}`, [...known, number]);
}

function Solved({ game }) {
  const count = (kept(`puzzles.${game.name}`) ?? []).length;
  if (!count) return null;
  return (
    <p class="note">
      {count === 1
        ? t("You have solved one puzzle at the first try.")
        : t("You have solved {count} puzzles at the first try.", { count })}
    </p>
  );
}

// To the position on the board: in this page, or in the page of its game.
function PlayOn({ page, puzzle, actions }) {
  const go = () => {
    actions.open(new Line(page.rules, 1, puzzle.moves));
    actions.show("play");
  };
  if (actions) {
    return (
      <button type="button" onClick={go}>
        {t("Play on from here")}
      </button>
    );
  }
  return (
    <a class="button" href={`${page.document.file}#v=play&s=1&m=${puzzle.moves.join(".")}`}>
      {t("Play on from here")}
    </a>
  );
}
