// One seat at the board: who sits there, how strong, and the parameters of a search.

import { LEVELS, PARAMETERS, playerName, same, seatColour, seatName } from "./seats.js";
import { t } from "./texts.js";

export function Seat({ page, players, seat, p, onChange }) {
  const { game } = page.document;
  const change = (player) => onChange({ ...player, mistakes: seat.mistakes ?? 0 });
  return (
    <li class="seat">
      <div class="seat-head">
        <span class="chip big" style={{ background: seatColour(page, p) }} />
        <span class="seat-name">
          {seatName(page, p)}
          {game.players > 1 && p === 0 && <small>{t("begins")}</small>}
        </span>
        <Choice
          label={t("{player} is played by", { player: seatName(page, p) })}
          players={players}
          value={seat}
          onChange={change}
          quiet
        />
      </div>
      {seat.kind !== "human" && seat.kind !== "random" && <Details {...{ seat, onChange }} />}
    </li>
  );
}

export function Choice({ label, players, value, onChange, quiet }) {
  const chosen = players.findIndex((player) => same(player, value));
  return (
    <label class="choice">
      <span class={quiet ? "unseen" : ""}>{label}</span>
      <select value={chosen} onChange={(event) => onChange(players[Number(event.target.value)])}>
        {players.map((player, i) => (
          <option key={i} value={i}>
            {playerName(player)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Details({ seat, onChange }) {
  const chosen = LEVELS.find(({ mistakes }) => mistakes === (seat.mistakes ?? 0));
  return (
    <div class="details">
      <div class="levels" role="group" aria-label={t("Level")}>
        {LEVELS.map(({ name, mistakes }) => (
          <button
            key={name}
            type="button"
            aria-pressed={mistakes === chosen?.mistakes}
            onClick={() => onChange({ ...seat, mistakes })}
          >
            {t(name)}
          </button>
        ))}
      </div>
      <small>{chosen && t(chosen.said)}</small>
      {PARAMETERS[seat.kind] && (
        <details class="advanced">
          <summary>{t("Advanced")}</summary>
          <div class="details">
            <Parameters player={seat} onChange={onChange} />
          </div>
        </details>
      )}
    </div>
  );
}

export function Parameters({ player, onChange }) {
  return (PARAMETERS[player.kind] ?? []).map(({ name, label, low, high, step = 1 }) => (
    <label key={name}>
      <span>{t(label)}</span>
      <input
        type="number"
        min={low}
        max={high}
        step={step}
        value={player[name]}
        onChange={(event) => {
          const given = Number(event.target.value);
          const value = Math.min(high, Math.max(low, step === 1 ? Math.round(given) : given));
          event.target.value = String(value || low);
          onChange({ ...player, [name]: value || low });
        }}
      />
    </label>
  ));
}
