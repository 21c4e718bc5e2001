// A lesson: afterstates, n-tuples, temporal differences for N players, and what FARL adds.
// Its examples use one game (as a view of its page), or several.

import { useEffect, useMemo, useState } from "preact/hooks";
import { Board } from "./board.jsx";
import { Backflow, Threads } from "./episode.jsx";
import { Line, preview } from "./game.js";
import { seatName } from "./seats.js";
import { moveText, number, rich, t } from "./texts.js";
import { Thinker } from "./thinker.js";
import { Train } from "./train.jsx";
import { overlayOf, useRating } from "./values.js";

// The lesson in the page of a game: that game is every example.
export function Lesson({ page, actions }) {
  const game = t(page.document.game.title);
  return (
    <article class="lesson">
      <Opening title={t("How a computer learns {game} by playing against itself", { game })} />
      <Afterstates page={page} />
      <Tuples page={page} />
      <Differences page={page} />
      <Final page={page} />
      <section>
        <Step number="5">{t("Compare both in training")}</Step>
        <p>
          {t(
            "Two agents with the same settings and the same seed learn {game}; one of them with " +
              "final adaptation, the other without. Watch the two curves for a minute.",
            { game },
          )}
        </p>
        <Train page={page} actions={actions} compact />
        <p>
          {rich("Then train longer, with settings of your own, and play against the result: {train}.", {
            train: (
              <button type="button" class="link" onClick={() => actions.show("train")}>
                {t("Train")}
              </button>
            ),
          })}
        </p>
      </section>
    </article>
  );
}

// The lesson on its own: a small game, one for three players, and a large one.
export function Course({ title, pages: [small, many, large], open }) {
  const name = (page) => t(page.document.game.title);
  return (
    <article class="lesson">
      <Opening title={t(title)} />
      <ul class="pages">
        {[small, many, large].map((page) => (
          <li key={name(page)} class="card">
            <Board
              page={page}
              position={{ ...opening(page), legal: [] }}
              small
              label={name(page)}
            />
            <h3>{name(page)}</h3>
            <p>{t(page.document.game.text)}</p>
            <button type="button" onClick={() => open(page, "play")}>
              {t("Play {game}", { game: name(page) })}
            </button>
          </li>
        ))}
      </ul>
      <Afterstates page={small} />
      <Tuples page={large} />
      <Differences page={small} />
      <Final page={many} />
      <section>
        <Step number="5">{t("Compare both in training")}</Step>
        <p>
          {t(
            "Two agents with the same settings and the same seed learn {game}; one of them with " +
              "final adaptation, the other without. They are measured against perfect play, " +
              "where a draw is the best possible result: 50 %.",
            { game: name(small) },
          )}
        </p>
        <Train page={small} compact />
        <p>
          {t(
            "The same code learns games for any number of players. Here are three: the curve " +
              "shows the mean score of the agent when the other two play perfectly.",
          )}
        </p>
        <Train page={many} compact />
        <Question>
          {t(
            "Both agents play the same number of games, win some and lose some. What does only " +
              "one of them learn from a lost game?",
          )}
        </Question>
      </section>
      <section>
        <Step number="6">{t("A game with too many positions for a table")}</Step>
        <p>
          {t(
            "{game} has {count} positions, too many to store a value for each. The windows of " +
              "step 2 are enough to learn to play it well. Train an agent for a minute, play " +
              "against it, and look at which of its windows favour a move.",
            { game: name(large), count: number(4531985219092) },
          )}
        </p>
        <div class="row">
          <button type="button" class="main" onClick={() => open(large, "train")}>
            {t("Train {game}", { game: name(large) })}
          </button>
          <button type="button" onClick={() => open(small, "inside")}>
            {t("Look into a trained agent of {game}", { game: name(small) })}
          </button>
          <button type="button" onClick={() => open(many, "play")}>
            {t("Play {game} against two agents", { game: name(many) })}
          </button>
        </div>
        <p class="note">
          {t("Final Adaptation Reinforcement Learning is by Wolfgang Konen and Samineh Bagheri (2021).")}
        </p>
      </section>
    </article>
  );
}

function Opening({ title }) {
  return (
    <header>
      <p class="eyebrow">{t("A lesson")}</p>
      <h2>{title}</h2>
      <p class="lead">
        {t(
          "The computer is not told which moves are good. It plays, sees how a game ends, and " +
            "slowly works out the value of the positions that lead there. Everything on this " +
            "page runs in your browser while you read.",
        )}
      </p>
    </header>
  );
}

function Step({ number, children }) {
  return (
    <h3>
      <span>{number}</span>
      {children}
    </h3>
  );
}

function Question({ children }) {
  return (
    <p class="question">
      <b>{t("To think about.")}</b> {children}
    </p>
  );
}

function Afterstates({ page }) {
  const { board, game, agents } = page.document;
  const position = useMemo(() => opening(page), []);
  const previews = useMemo(() => preview(page.rules, position, board), []);
  const [action, setAction] = useState(position.legal[Math.floor(position.legal.length / 2)]);
  const [asked, setAsked] = useState(false);
  const rating = useAgent(page, asked ? position : null);
  const after = { ...position, cells: previews[action].cells, legal: [] };
  return (
    <section>
      <Step number="1">{t("A move leads to an afterstate")}</Step>
      <p>
        {rich(
          "To choose a move it is enough to judge positions. Imagine each move, look at the " +
            "board that it leads to (its *afterstate*), and choose the move with the best one. " +
            "Click on the left board.",
        )}
      </p>
      <div class="pair">
        <figure>
          <Board
            page={page}
            position={position}
            previews={previews}
            overlay={rating ? overlayOf(rating, game) : {}}
            onPlay={setAction}
            label={t("A position")}
            small={!board.targets[0].towards}
          />
          <figcaption>
            {t("{player} to move", { player: seatName(page, position.player) })}
          </figcaption>
        </figure>
        <figure>
          <Board page={page} position={after} label={t("The afterstate")} small />
          <figcaption>
            {rich("the afterstate of {move}", { move: <b>{moveText(game.actions[action])}</b> })}
          </figcaption>
        </figure>
      </div>
      {game.chance && (
        <p>
          {t(
            "In this game chance also moves, and it moves after the afterstate. So the agent " +
              "judges its move, not its luck.",
          )}
        </p>
      )}
      {agents.length > 0 && (
        <>
          <label class="switch">
            <input
              type="checkbox"
              checked={asked}
              onChange={(event) => setAsked(event.target.checked)}
            />
            <span>{t("ask a trained agent")}</span>
          </label>
          <p>
            {rich(
              "An agent gives each afterstate one number, its *value*: the result that it " +
                "expects in the end. It plays the move with the highest value. To learn the " +
                "game is to learn these numbers.",
            )}
          </p>
        </>
      )}
    </section>
  );
}

// What the first agent of a page thinks of a position.
function useAgent(page, position) {
  const player = useMemo(() => ({ kind: "trained", agent: "a0" }), []);
  const thinker = useMemo(() => {
    if (!page.document.agents.length) return null;
    const made = new Thinker(page);
    made.add("a0", page.document.agents[0].trained);
    return made;
  }, []);
  useEffect(() => () => thinker?.worker.terminate(), []);
  return useRating(thinker, player, thinker && position);
}

function Tuples({ page }) {
  const { trainings, board, game } = page.document;
  const tuples = useMemo(() => JSON.parse(trainings[0].header.tuples), []);
  const [position, setPosition] = useState(() => opening(page));
  const previews = useMemo(() => preview(page.rules, position, board), [position]);
  const [i, setI] = useState(0);
  const cells = tuples[i];
  const values = board.pieces.length;
  const pattern = cells.reduce((sum, c, j) => sum + position.cells[c] * values ** j, 0);
  const play = (action) => {
    const next = page.rules.play(position, action);
    setPosition(next.over ? opening(page) : next);
  };
  return (
    <section>
      <Step number="2">{t("n-tuples: small windows on the board")}</Step>
      <p>
        {rich(
          "There are far too many positions to keep a value for each. So the agent looks " +
            "through small windows. A window of *n* cells is an *n-tuple*; every pattern in it " +
            "has a number, its weight. The value of a position is the sum of the weights of " +
            "the patterns in all windows. Play on the board: the pattern changes only when " +
            "something changes inside the window.",
        )}
      </p>
      <div class="pair">
        <figure>
          <Board
            page={page}
            position={position}
            previews={previews}
            onPlay={play}
            tuple={{ cells, weight: 1 }}
            small={!board.targets[0].towards}
            label={t("An n-tuple on the board")}
          />
          <figcaption>
            {t("{game}, n-tuple {number} of {count}", {
              game: t(game.title),
              number: i + 1,
              count: tuples.length,
            })}
          </figcaption>
        </figure>
        <div>
          <p class="figure">{number(pattern)}</p>
          <p>
            {t(
              "is the number of the pattern in this window, one of {patterns} (cells in the " +
                "window: {cells}, values of each cell: {values}). This window has that many " +
                "weights for each player.",
              { patterns: number(values ** cells.length), cells: cells.length, values },
            )}
          </p>
          {tuples.length > 1 && (
            <label class="slide">
              <span>{t("window")}</span>
              <input
                type="range"
                min="0"
                max={tuples.length - 1}
                value={i}
                onInput={(event) => setI(Number(event.target.value))}
              />
            </label>
          )}
          <p>{t("Learning means: change these numbers, a little after every move.")}</p>
        </div>
      </div>
    </section>
  );
}

function Differences({ page }) {
  const { players } = page.document.game;
  return (
    <section>
      <Step number="3">{t("Learning from the next value")}</Step>
      <p>
        {rich(
          "Early in a game the result is unknown. One turn later the agent can predict it " +
            "better. So each player moves the value of its last afterstate a little towards " +
            "the value of its next one, plus its reward in between. The difference of the two " +
            "is the *temporal difference*.",
        )}{" "}
        {players > 1 &&
          t(
            "With several players each of them learns along its own thread, from one of its " +
              "afterstates to the next.",
          )}
      </p>
      <Threads page={page} farl={false} />
      <p>
        {t(
          "Here is the end of a game. Play it again and again, always the same moves, and watch " +
            "the values below the boards: each moves half of the way to its target.",
        )}
      </p>
      <Backflow page={page} farl={false} />
      {players > 1 && (
        <Question>
          {t(
            "The result flows back, one turn each time the game is played. But whose values " +
              "never change, however often it is played?",
          )}
        </Question>
      )}
    </section>
  );
}

function Final({ page }) {
  const { players } = page.document.game;
  const [farl, setFarl] = useState(true);
  return (
    <section>
      <Step number="4">{t("The last move, and what FARL adds")}</Step>
      <p>
        {players > 1
          ? t(
              "The last move of a game is made by one player. Only this player's thread reaches " +
                "the end. The others never move again, so without a further step they never " +
                "learn how the game ended: a player does not learn to see its losses coming.",
            )
          : t(
              "Nothing comes after the last position. But the agent does not learn this: the " +
                "value of that position keeps its chance value, which flows back into earlier " +
                "ones.",
            )}
      </p>
      <p>
        {rich(
          "*Final Adaptation Reinforcement Learning* (FARL) adds one step at the end of every " +
            "game. All players learn from the result, and the last position learns that nothing " +
            "comes after it. Switch it off and on, and play the game again.",
        )}
      </p>
      <label class="switch">
        <input type="checkbox" checked={farl} onChange={(event) => setFarl(event.target.checked)} />
        <span>{t("final adaptation")}</span>
      </label>
      <Threads page={page} farl={farl} final />
      <Backflow page={page} farl={farl} />
    </section>
  );
}

// A position some moves into a game, the same every time.
function opening(page) {
  const line = new Line(page.rules, 1);
  const plies = Math.min(6, Math.floor(page.document.game.cells / 2));
  for (let i = 0; i < plies; i++) {
    const { legal } = line.at.position;
    const after = page.rules.play(line.at.position, legal[(5 * i + 3) % legal.length]);
    if (after.over) break;
    line.play(legal[(5 * i + 3) % legal.length]);
  }
  return line.at.position;
}
