// Look inside: the agent's value of every move, and the n-tuples behind it.

import { useEffect, useState } from "preact/hooks";
import { Choice, Parameters } from "./seat.jsx";
import { playerName } from "./seats.js";
import { canSetUp } from "./setup.jsx";
import { said, tone, useRating } from "./values.js";

const SHOWN = 12; // n-tuples

export function Inside(props) {
  const { page, position, players, rating, advice, setAdvice, adviser, tuple, setTuple } = props;
  const { actions } = props;
  const { game } = page.document;
  const [action, setAction] = useState(null);
  const [other, setOther] = useState(null);
  const thinking = players.filter((player) => player.kind !== "human" && player.kind !== "random");
  const second = useRating(
    adviser,
    other ?? { kind: "human" },
    other && !position.over ? position : null,
  );
  const legal = position.legal.includes(action) ? action : null;
  useEffect(() => setTuple(null), [action, advice]);
  return (
    <section class="panel" aria-label="Look inside">
      <p class="lead">
        {position.over
          ? "The game is over. Go back a move to see values."
          : "The value of each move in this position. Play any move on the board to look at another position."}
      </p>
      <div class="row">
        <Choice label="values by" players={thinking} value={advice} onChange={setAdvice} />
        <Parameters player={advice} onChange={setAdvice} />
        {canSetUp(page.document) && (
          <button type="button" onClick={actions.setUp}>
            Set up a position …
          </button>
        )}
      </div>
      {rating && rating.share < 1 && <progress value={rating.share} aria-label="Search" />}
      {rating && (
        <table class="values">
          <caption class="unseen">Values of the moves</caption>
          <thead>
            <tr>
              <th>move</th>
              <th class="number">value</th>
              <th>behind the best</th>
              {rating.entries[0]?.visits !== undefined && <th class="number">visits</th>}
              {second && <th class="number">{playerName(other)}</th>}
            </tr>
          </thead>
          <tbody>
            {rating.entries.map(({ action: a, value, loss, visits }) => (
              <tr key={a} class={a === legal ? "chosen" : ""}>
                <th scope="row">
                  <button
                    type="button"
                    class="move"
                    aria-pressed={a === legal}
                    onClick={() => setAction(a === legal ? null : a)}
                  >
                    {game.actions[a]}
                  </button>
                </th>
                <td
                  class="number"
                  style={{ "--tone": tone(rating.spread ? loss / rating.spread : 0) }}
                >
                  <b>{said(value, game)}</b>
                </td>
                <td>
                  <Bar loss={loss} spread={rating.spread} text={said(loss, game)} />
                </td>
                {visits !== undefined && <td class="number">{visits.toLocaleString("en")}</td>}
                {second && (
                  <td class="number">
                    {said(second.entries.find((e) => e.action === a)?.value ?? 0, game)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Choice
        label="compare with"
        players={[{ kind: "none" }, ...thinking]}
        value={other ?? { kind: "none" }}
        onChange={(player) => setOther(player.kind === "none" ? null : player)}
      />
      {advice.kind === "trained" && legal !== null && !position.over && (
        <Tuples
          key={`${legal}`}
          {...{ page, position, adviser, advice, tuple, setTuple }}
          action={legal}
        />
      )}
      {advice.kind === "trained" && legal === null && !position.over && (
        <p class="note">
          Choose a move in the table: you will see which n-tuples speak for it and which against.
        </p>
      )}
    </section>
  );
}

function Bar({ loss, spread, text }) {
  const share = spread ? loss / spread : 0;
  return (
    <span class="bar" style={{ "--tone": tone(share) }}>
      <i style={{ width: `${100 * share}%` }} />
      <small>{loss === 0 ? "best" : text}</small>
    </span>
  );
}

// The weights that add up to a value, the strongest first.
function Tuples({ page, position, adviser, advice, action, tuple, setTuple }) {
  const { game } = page.document;
  const [found, setFound] = useState([]);
  useEffect(() => {
    let wanted = true;
    adviser
      .ask("contributions", { agent: advice.agent, words: position.words, action })
      .then((list) => wanted && setFound(list))
      .catch(() => {});
    return () => (wanted = false);
  }, [position, advice, action]);
  const strongest = [...found]
    .filter(({ weight }) => weight)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, SHOWN);
  const sum = found.reduce((total, { weight }) => total + weight, 0);
  const most = Math.abs(strongest[0]?.weight ?? 1);
  return (
    <div class="tuples">
      <h2>Why {game.actions[action]}?</h2>
      <p class="note">
        {found.length} n-tuples and mirror images add up to {sum.toFixed(3)}; these{" "}
        {strongest.length} say most. Point at one to see its cells on the board.
      </p>
      <ol>
        {strongest.map((entry) => {
          const on = tuple && tuple.tuple === entry.tuple && tuple.symmetry === entry.symmetry;
          const show = () => setTuple(entry);
          return (
            <li key={`${entry.tuple}.${entry.symmetry}`}>
              <button
                type="button"
                aria-pressed={Boolean(on)}
                onPointerEnter={show}
                onFocus={show}
                onClick={show}
              >
                <span>
                  n-tuple {entry.tuple + 1}
                  {entry.symmetry ? `, turned ${entry.symmetry}` : ""}
                </span>
                <span class={`weight ${entry.weight >= 0 ? "for" : "against"}`}>
                  <i style={{ width: `${(50 * Math.abs(entry.weight)) / most}%` }} />
                  <small>
                    {entry.weight >= 0 ? "+" : "−"}
                    {Math.abs(entry.weight).toFixed(3)}
                  </small>
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
