// A lesson: afterstates, n-tuples, temporal differences for N players, and what FARL repairs.

import { useMemo, useState } from "preact/hooks";
import { Board } from "./board.jsx";
import { Line, preview } from "./game.js";
import { seatColour, seatName } from "./seats.js";
import { Train } from "./train.jsx";

export function Lesson({ page, actions }) {
  const { game } = page.document;
  return (
    <article class="lesson">
      <header>
        <p class="eyebrow">A lesson in five steps</p>
        <h2>How a computer learns {game.title} by playing against itself</h2>
        <p class="lead">
          Nobody tells it what a good move is. It plays, it sees how a game ends, and it slowly
          works out what that says about the positions on the way there. Everything on this page
          runs in your browser while you read.
        </p>
      </header>
      <Afterstates page={page} />
      <Tuples page={page} />
      <Differences page={page} />
      <Final page={page} />
      <section>
        <h3>
          <span>5</span>See it happen
        </h3>
        <p>
          Two agents with the same settings and the same luck learn {game.title}; one of them with
          final adaptation, the other without. Watch the two curves for a minute.
        </p>
        <Train page={page} actions={actions} compact />
        <p>
          Then train longer, with settings of your own, and play against the result:{" "}
          <button type="button" class="link" onClick={() => actions.show("train")}>
            Train
          </button>
          .
        </p>
      </section>
    </article>
  );
}

function Afterstates({ page }) {
  const { board, game } = page.document;
  const position = useMemo(() => opening(page), []);
  const previews = useMemo(() => preview(page.rules, position, board), []);
  const [action, setAction] = useState(position.legal[Math.floor(position.legal.length / 2)]);
  const after = { ...position, cells: previews[action].cells, legal: [] };
  return (
    <section>
      <h3>
        <span>1</span>A move leads to an afterstate
      </h3>
      <p>
        To choose a move you need not judge moves. It is enough to judge positions: imagine each
        move, look at the board that it leaves behind (its <em>afterstate</em>), and take the one
        you like best. Click on the left board.
      </p>
      <div class="pair">
        <figure>
          <Board
            page={page}
            position={position}
            previews={previews}
            onPlay={setAction}
            label="A position"
            small={!board.targets[0].towards}
          />
          <figcaption>{seatName(page, position.player)} to move</figcaption>
        </figure>
        <figure>
          <Board page={page} position={after} label="The afterstate" small />
          <figcaption>
            the afterstate of <b>{game.actions[action]}</b>
          </figcaption>
        </figure>
      </div>
      {game.chance && (
        <p>
          Here chance moves, too: the new tile comes after the afterstate. So the agent judges its
          own work, not its luck.
        </p>
      )}
    </section>
  );
}

function Tuples({ page }) {
  const { trainings, board } = page.document;
  const tuples = useMemo(() => JSON.parse(trainings[0].header.tuples), []);
  const position = useMemo(() => opening(page), []);
  const [i, setI] = useState(0);
  const cells = tuples[i];
  const values = board.pieces.length;
  return (
    <section>
      <h3>
        <span>2</span>n-tuples: small windows on the board
      </h3>
      <p>
        There are far too many positions to keep a value for each. So the agent looks through small
        windows. A window of <em>n</em> cells is an <em>n-tuple</em>; every pattern that can be seen
        through it has a number of its own, a weight. The value of a position is the sum of the
        weights of what is seen through all windows.
      </p>
      <div class="pair">
        <figure>
          <Board
            page={page}
            position={{ ...position, legal: [] }}
            tuple={{ cells, weight: 1 }}
            small
            label="An n-tuple on the board"
          />
          <figcaption>
            n-tuple {i + 1} of {tuples.length}
          </figcaption>
        </figure>
        <div>
          <p class="figure">{(values ** cells.length).toLocaleString("en")}</p>
          <p>
            patterns of {cells.length} cell{cells.length > 1 ? "s" : ""} with {values} values each:
            so many weights has this window, for each player.
          </p>
          {tuples.length > 1 && (
            <label class="slide">
              <span>window</span>
              <input
                type="range"
                min="0"
                max={tuples.length - 1}
                value={i}
                onInput={(event) => setI(Number(event.target.value))}
              />
            </label>
          )}
          <p>Learning means: change these numbers, a little after every move.</p>
        </div>
      </div>
    </section>
  );
}

function Differences({ page }) {
  const { players } = page.document.game;
  return (
    <section>
      <h3>
        <span>3</span>Learning from the next guess
      </h3>
      <p>
        Early in a game nobody knows how it will end. But a guess one turn later is a better guess:
        it knows more of the game. So each player moves the value of its last afterstate a little
        towards the value of its next one, plus what it got in between. The difference of the two is
        the <em>temporal difference</em>.{" "}
        {players > 1 &&
          "With several players each of them follows its own thread: what the others do in between is like the weather."}
      </p>
      <Threads page={page} farl={false} />
    </section>
  );
}

function Final({ page }) {
  const { players } = page.document.game;
  const [farl, setFarl] = useState(true);
  return (
    <section>
      <h3>
        <span>4</span>The last move, and what FARL repairs
      </h3>
      <p>
        {players > 1
          ? "The last move of a game is made by one player. Only this player's thread reaches the end. The others never move again, so without more ado they never learn how the game ended: a player does not learn to see its losses coming."
          : "Nothing comes after the last position. But nobody tells the agent: the value of that position keeps what it was by chance, and flows back into earlier ones."}
      </p>
      <p>
        <em>Final Adaptation Reinforcement Learning</em> (FARL) adds one step at the end of every
        game. All players learn from the result, and the last position learns that nothing comes
        after it.
      </p>
      <label class="switch">
        <input type="checkbox" checked={farl} onChange={(event) => setFarl(event.target.checked)} />
        <span>final adaptation</span>
      </label>
      <Threads page={page} farl={farl} final />
    </section>
  );
}

// Afterstates in a row, each in the colour of who made it, and who learns from what.
function Threads({ page, farl, final = false }) {
  const { players } = page.document.game;
  const moves = 3 * players + (players === 1 ? 3 : 0);
  const [gap, top] = [62, 74];
  const width = (moves + 1) * gap + 40;
  const x = (i) => 34 + i * gap;
  const arcs = Array.from({ length: moves - players }, (_, i) => ({
    from: i + players,
    to: i,
    late: i + players >= moves,
  }));
  const loose = Array.from({ length: players }, (_, k) => moves - 1 - k);
  return (
    <svg
      class="threads"
      viewBox={`0 0 ${width} 138`}
      role="img"
      aria-label={
        final
          ? `The end of a game ${farl ? "with" : "without"} final adaptation`
          : "Each player learns from its own next afterstate"
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
        <g
          key={i}
          class={
            final && !farl && i >= moves - players && (players > 1 ? i < moves - 1 : true)
              ? "never"
              : ""
          }
        >
          <circle cx={x(i)} cy={top} r="13" fill={seatColour(page, i % players)} />
          <text x={x(i)} y={top + 4.5}>
            {i + 1}
          </text>
        </g>
      ))}
      <g class="end">
        <rect x={x(moves) - 17} y={top - 13} width="34" height="26" rx="6" />
        <text x={x(moves)} y={top + 4}>
          end
        </text>
      </g>
    </svg>
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
