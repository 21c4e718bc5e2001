// Above the board: whose turn it is, what the players have, and how the game ended.

import { outcome, tallyOf } from "./result.js";
import { playerName, seatColour, seatName } from "./seats.js";
import { number, t } from "./texts.js";

export function Status({ page, at, seats, thinking }) {
  const { position } = at;
  return (
    <div class="status">
      {position.over ? (
        <strong class="result">{outcome(page, position, seats)}</strong>
      ) : (
        <Turn {...{ page, position, seats, thinking }} />
      )}
      <Counts page={page} at={at} />
    </div>
  );
}

function Turn({ page, position, seats, thinking }) {
  const seat = seats[position.player];
  const alone = page.document.game.players === 1;
  return (
    <>
      {!alone && <span class="chip" style={{ background: seatColour(page, position.player) }} />}
      <strong>
        {alone
          ? t("{points} points", { points: number(position.scores[0]) })
          : seatName(page, position.player)}
      </strong>
      {!alone && <span class="who">{seat.kind === "human" ? t("your move") : playerName(seat)}</span>}
      {thinking && <Thought {...thinking} />}
    </>
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

// What is counted in this game: pieces, seeds or points of each player, else the moves.
function Counts({ page, at }) {
  const { game } = page.document;
  const { position } = at;
  const tally = tallyOf(page.document, position);
  if (tally?.numbers.length === 1) {
    return (
      <span class="scores">
        {number(tally.numbers[0])} {t(tally.name)}
      </span>
    );
  }
  const scored = game.players > 1 && !game.zeroSum;
  const numbers = tally?.numbers ?? (scored ? position.scores.map((s) => Number(s.toFixed(2))) : null);
  const ply = at.ply + (position.over ? 0 : 1);
  if (!numbers) return <span class="scores">{t("move {number}", { number: number(ply) })}</span>;
  return (
    <span class="scores" title={tally && t(tally.name)}>
      {numbers.map((count, p) => (
        <span key={p}>
          <i class="chip" style={{ background: seatColour(page, p) }} />
          <span class="unseen">{seatName(page, p)}</span>
          {number(count)}
        </span>
      ))}
      {tally && <span class="of">{t(tally.name)}</span>}
    </span>
  );
}
