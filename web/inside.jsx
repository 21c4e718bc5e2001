// Look inside: the agent's value of every move, and the n-tuples behind it.

import { useEffect, useState } from "preact/hooks";
import { Choice, Parameters } from "./seat.jsx";
import { playerName, seatName } from "./seats.js";
import { canSetUp } from "./setup.jsx";
import { verdictText } from "./evaluation.jsx";
import { moveText, number, t } from "./texts.js";
import { Tuples } from "./tuples.jsx";
import { said, tone, useRating } from "./values.js";

export function Inside(props) {
  const { page, position, players, rating, advice, setAdvice, adviser, tuple, setTuple } = props;
  const { actions, verdict } = props;
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
    <section class="panel" aria-label={t("Look inside")}>
      <p class="lead">
        {position.over
          ? t("The game is over. Go back a move to see values.")
          : t(
              "The value of each move for {player}, who is to move. Play any move on the board to look at another position.",
              { player: seatName(page, position.player) },
            )}
      </p>
      <div class="row">
        <Choice label={t("values by")} players={thinking} value={advice} onChange={setAdvice} />
        <Parameters player={advice} onChange={setAdvice} />
        {canSetUp(page.document) && (
          <button type="button" onClick={actions.setUp}>
            {t("Set up a position …")}
          </button>
        )}
      </div>
      {rating && rating.share < 1 && <progress value={rating.share} aria-label={t("Search")} />}
      {rating && (
        <table class="values">
          <caption class="unseen">{t("Values of the moves")}</caption>
          <thead>
            <tr>
              <th>{t("move")}</th>
              <th class="number">{t("value")}</th>
              {verdict && <th>{t("exact")}</th>}
              <th>{t("behind the best")}</th>
              {rating.entries[0]?.visits !== undefined && <th class="number">{t("visits")}</th>}
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
                    {moveText(game.actions[a])}
                  </button>
                </th>
                <td
                  class="number"
                  style={{ "--tone": tone(rating.spread ? loss / rating.spread : 0) }}
                >
                  <b>{said(value, game)}</b>
                </td>
                {verdict && (
                  <td>
                    {verdict.actions[a] && verdictText(page, position.player, verdict.actions[a])}
                  </td>
                )}
                <td>
                  <Bar loss={loss} spread={rating.spread} text={said(loss, game)} />
                </td>
                {visits !== undefined && <td class="number">{number(visits)}</td>}
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
        label={t("compare with")}
        players={[{ kind: "none" }, ...thinking]}
        value={other ?? { kind: "none" }}
        onChange={(player) => setOther(player.kind === "none" ? null : player)}
      />
      {advice.kind === "trained" && !advice.mixed && legal !== null && !position.over && (
        <Tuples
          key={`${legal}`}
          {...{ page, position, adviser, advice, tuple, setTuple }}
          action={legal}
          value={rating?.entries.find((entry) => entry.action === legal)?.value ?? 0}
        />
      )}
      {advice.kind === "trained" && !advice.mixed && legal === null && !position.over && (
        <p class="note">
          {t("Choose a move in the table: you will see what speaks for it and what against.")}
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
      <small>{loss === 0 ? t("best") : text}</small>
    </span>
  );
}
