// Play: who sits where, how fast agents answer, and hints.

import { takeFile } from "./drops.js";
import { Choice, Seat } from "./seat.jsx";
import { TEMPOS, useTempo } from "./tempo.js";
import { rich, t } from "./texts.js";

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
      <Tempo />
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

// How long agents wait with their answer.
function Tempo() {
  const [tempo, setTempo] = useTempo();
  return (
    <label class="choice">
      <span>{t("agents answer")}</span>
      <select value={tempo} onChange={(event) => setTempo(Number(event.target.value))}>
        {TEMPOS.map(({ name, ms }) => (
          <option key={ms} value={ms}>
            {t(name)}
          </option>
        ))}
      </select>
    </label>
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
