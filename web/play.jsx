// Play: who sits where, and whose turn it is.

import { takeFile } from "./drops.js";
import { Choice, Seat } from "./seat.jsx";
import { outcome, playerName, seatColour, seatName } from "./seats.js";
import { number, rich, t } from "./texts.js";

export function Status({ page, position, seats, thinking }) {
  const { game } = page.document;
  const seat = seats[position.player];
  const alone = game.players === 1;
  return (
    <div class="status">
      {position.over ? (
        <strong class="result">{outcome(page, position)}</strong>
      ) : (
        <>
          {!alone && (
            <span class="chip" style={{ background: seatColour(page, position.player) }} />
          )}
          <strong>
            {alone
              ? t("{points} points", { points: number(position.scores[0]) })
              : seatName(page, position.player)}
          </strong>
          {!alone && (
            <span class="who">{seat.kind === "human" ? t("your move") : playerName(seat)}</span>
          )}
          {thinking && <Thought {...thinking} />}
        </>
      )}
      {!alone && (position.over || !game.zeroSum) && (
        <span class="scores">
          {position.scores.map((s, p) => (
            <span key={p}>
              <i class="chip" style={{ background: seatColour(page, p) }} />
              {Number(s.toFixed(2))}
            </span>
          ))}
        </span>
      )}
    </div>
  );
}

function Thought({ done, iterations }) {
  return (
    <span class="thought" role="status">
      {t("thinking")}
      {iterations ? ` ${Math.round((100 * done) / iterations)} %` : " …"}
    </span>
  );
}

export function Play({
  page,
  agents,
  players,
  seats,
  setSeats,
  actions,
  hints,
  advice,
  setAdvice,
}) {
  const { game } = page.document;
  const set = (p, player) => setSeats(seats.map((old, q) => (q === p ? player : old)));
  return (
    <section class="panel" aria-label={t("Play")}>
      <p class="lead">{t(game.text)}</p>
      <h2>{game.players === 1 ? t("Who plays") : t("At the board")}</h2>
      <ul class="seats">
        {seats.map((seat, p) => (
          <Seat key={p} {...{ page, players, seat, p }} onChange={(player) => set(p, player)} />
        ))}
      </ul>
      {game.players > 1 && (
        <div class="row">
          <button type="button" onClick={() => setSeats([...seats.slice(1), seats[0]])}>
            {t("Change seats")}
          </button>
        </div>
      )}
      <h2>{t("Hints")}</h2>
      <label class="switch">
        <input type="checkbox" checked={hints} onChange={actions.hint} />
        <span>{t("Show the value of each move")}</span>
      </label>
      {hints && (
        <Choice
          label={t("values by")}
          players={players.filter((p) => p.kind !== "human" && p.kind !== "random")}
          value={advice}
          onChange={setAdvice}
        />
      )}
      <Bring page={page} actions={actions} />
      {!agents.length && (
        <p class="note">
          {rich("No trained agent came with this page. {train}, in this tab.", {
            train: (
              <button type="button" class="link" onClick={() => actions.show("train")}>
                {t("Train one now")}
              </button>
            ),
          })}
        </p>
      )}
    </section>
  );
}

function Bring({ page, actions }) {
  return (
    <label class="file">
      <input
        type="file"
        accept=".agent,.safetensors"
        onChange={(event) => {
          const file = event.target.files[0];
          event.target.value = "";
          if (file) takeFile(page, actions, file);
        }}
      />
      <span>{t("Open an agent from a file …")}</span>
    </label>
  );
}
