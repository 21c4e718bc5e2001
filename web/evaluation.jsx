// Beside the board: who is ahead, by how much, and whether that is certain.

import { seatColour, seatName } from "./seats.js";
import { t } from "./texts.js";
import { said } from "./values.js";

const GAMES = 2; // the range of scores where only wins count

// "Red wins in 7", "A draw", "Red wins by 6"; for more than two players what who moves gets.
export function verdictText(page, player, { value, plies }) {
  const { game } = page.document;
  if (!game.zeroSum || game.players !== 2) {
    return t("{player} gets {points}", {
      player: seatName(page, player),
      points: said(value, game),
    });
  }
  if (value === 0) return t("a draw");
  const winner = seatName(page, value > 0 ? player : 1 - player);
  if (span(game) > GAMES) {
    return t("{player} wins by {points} points", { player: winner, points: Math.round(Math.abs(value)) });
  }
  return plies
    ? t("{player} wins in {moves}", { player: winner, moves: plies })
    : t("{player} wins", { player: winner });
}

export function EvaluationBar({ page, position, rating, verdict, side, estimator }) {
  const { game } = page.document;
  if (game.players !== 2 || !game.zeroSum) {
    return <Words {...{ page, position, rating, verdict, estimator }} />;
  }
  const sign = position.player === side ? 1 : -1;
  const exact = verdict && sign * verdict.value;
  const known = position.over ? position.scores[side] : (exact ?? (rating && sign * rating.top));
  const half = span(game) / 2;
  const share = known === null ? 50 : 50 + 50 * Math.max(-1, Math.min(1, known / half));
  return (
    <div class="evaluation">
      <div
        class="evaluation-bar"
        role="img"
        aria-label={
          known === null
            ? t("no value yet")
            : t("{value} for {player}", {
                value: said(known, game),
                player: seatName(page, side),
              })
        }
      >
        <i style={{ width: `${share}%`, background: seatColour(page, side) }} />
        <i style={{ width: `${100 - share}%`, background: seatColour(page, 1 - side) }} />
      </div>
      <Words {...{ page, position, rating, verdict, known, side, estimator }} />
    </div>
  );
}

function Words({ page, position, rating, verdict, known, side, estimator }) {
  const { game } = page.document;
  if (position.over) return null;
  if (verdict) {
    return (
      <p class="evaluation-text">
        <b>{verdictText(page, position.player, verdict)}</b>
        <span
          class="tag exact"
          title={t("Searched to the end of the game; the moves of both players count.")}
        >
          {t("exact")}
        </span>
      </p>
    );
  }
  if (!rating) return <p class="evaluation-text">&nbsp;</p>;
  const who = known === undefined ? position.player : side;
  return (
    <p class="evaluation-text">
      <b>
        {t("{value} for {player}", {
          value: said(known ?? rating.top, game),
          player: seatName(page, who),
        })}
      </b>
      <span
        class="tag"
        title={t("What {agent} expects at the end of the game.", { agent: estimator })}
      >
        {t("estimate")}
      </span>
    </p>
  );
}

function span(game) {
  const [low, high] = game.range.map((x) => x / game.unit);
  return high - low;
}
