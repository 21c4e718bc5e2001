// Play: who sits where, and whose turn it is.

import { takeFile } from "./drops.js";
import { LEVELS, PARAMETERS, outcome, same, seatColour, seatName } from "./seats.js";

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
              ? `${position.scores[0].toLocaleString("en")} points`
              : seatName(page, position.player)}
          </strong>
          {!alone && <span class="who">{seat.kind === "human" ? "your move" : seat.label}</span>}
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
      thinking{iterations ? ` ${Math.round((100 * done) / iterations)} %` : " …"}
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
    <section class="panel" aria-label="Play">
      <p class="lead">{game.text}</p>
      <h2>{game.players === 1 ? "Who plays" : "At the board"}</h2>
      <ul class="seats">
        {seats.map((seat, p) => (
          <Seat key={p} {...{ page, players, seat, p }} onChange={(player) => set(p, player)} />
        ))}
      </ul>
      {game.players > 1 && (
        <div class="row">
          <button type="button" onClick={() => setSeats([...seats.slice(1), seats[0]])}>
            Change seats
          </button>
        </div>
      )}
      <h2>Hints</h2>
      <label class="switch">
        <input type="checkbox" checked={hints} onChange={actions.hint} />
        <span>Show the value of each move</span>
      </label>
      {hints && (
        <Choice
          label="values by"
          players={players.filter((p) => p.kind !== "human" && p.kind !== "random")}
          value={advice}
          onChange={setAdvice}
        />
      )}
      <Bring page={page} actions={actions} />
      {!agents.length && (
        <p class="note">
          No trained agent came with this page.{" "}
          <button type="button" class="link" onClick={() => actions.show("train")}>
            Train one now
          </button>
          , in this tab.
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
      <span>Open an agent from a file …</span>
    </label>
  );
}

function Seat({ page, players, seat, p, onChange }) {
  const { game } = page.document;
  return (
    <li class="seat">
      <div class="seat-head">
        <span class="chip big" style={{ background: seatColour(page, p) }} />
        <span class="seat-name">
          {seatName(page, p)}
          {game.players > 1 && p === 0 && <small>begins</small>}
        </span>
        <Choice
          label={`${seatName(page, p)} is played by`}
          players={players}
          value={seat}
          onChange={onChange}
          quiet
        />
      </div>
      {seat.kind !== "human" && <Details seat={seat} onChange={onChange} />}
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
            {player.label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Details({ seat, onChange }) {
  const level = LEVELS.findIndex(({ mistakes }) => mistakes === (seat.mistakes ?? 0));
  return (
    <div class="details">
      <Parameters player={seat} onChange={onChange} />
      {seat.kind !== "random" && (
        <label>
          <span>level</span>
          <select
            value={level}
            onChange={(event) =>
              onChange({ ...seat, mistakes: LEVELS[Number(event.target.value)].mistakes })
            }
          >
            {LEVELS.map(({ name }, i) => (
              <option key={i} value={i}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {LEVELS[level]?.said && <small>{LEVELS[level].said}</small>}
    </div>
  );
}

export function Parameters({ player, onChange }) {
  return (PARAMETERS[player.kind] ?? []).map(({ name, label, low, high, step = 1 }) => (
    <label key={name}>
      <span>{label}</span>
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
