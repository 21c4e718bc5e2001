// What an adviser thinks of a position, and how that is shown on the board.

import { useEffect, useState } from "preact/hooks";
import { fixed, number, t } from "./texts.js";
import { Stopped } from "./thinker.js";

const PATIENCE = 400; // milliseconds that an outdated search may go on
const FEW = 9; // moves whose values are all written on the board
const NUMBERED = 5; // of more moves

export function useRating(thinker, player, position) {
  const [rating, setRating] = useState(null);
  useEffect(() => {
    if (!position || player.kind === "human") {
      setRating(null);
      return undefined;
    }
    let [wanted, waiting] = [true, true];
    const began = performance.now();
    const show = (found, share) =>
      wanted && setRating({ position, player, ...rated(found), share });
    thinker
      .ask("rate", { player, words: position.words }, ({ done, iterations, found }) =>
        show(found, done / iterations),
      )
      .then((found) => {
        waiting = false;
        show(found, 1);
      })
      .catch((error) => {
        waiting = false;
        if (!(error instanceof Stopped) && wanted) setRating(null);
      });
    return () => {
      wanted = false;
      if (waiting && performance.now() - began > PATIENCE) thinker.restart();
    };
  }, [position, player]);
  return rating && rating.position === position && rating.player === player ? rating : null;
}

// What is certain about a position (players.js); null while it is not known, or never will be.
export function useVerdict(thinker, position, exact) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    if (!position || position.over) return undefined;
    let wanted = true;
    thinker
      .ask("verdict", { words: position.words, exact })
      .then((verdict) => wanted && setFound({ position, verdict }))
      .catch((error) => {
        if (!(error instanceof Stopped)) throw error;
      });
    return () => (wanted = false);
  }, [position]);
  return found?.position === position ? found.verdict : null;
}

// Values with what they lose against the best one, best first.
export function rated(found) {
  const top = Math.max(...found.map(({ value }) => value));
  const visits = found.reduce((sum, entry) => sum + (entry.visits ?? 0), 0);
  const entries = found
    .map((entry) => ({
      ...entry,
      loss: top - entry.value,
      part: visits ? entry.visits / visits : undefined,
    }))
    .sort((a, b) => b.value - a.value || a.action - b.action);
  return { entries, top, spread: top - Math.min(...found.map(({ value }) => value)) };
}

// Values on the board: colours for all moves, numbers for the best. `sign` is -1 where the values
// of the player to move are shown from the other side.
export function overlayOf({ entries, spread }, game, sign = 1) {
  return Object.fromEntries(
    entries.map(({ action, value, loss, part }, rank) => {
      const text = said(sign * value, game);
      const written = entries.length <= FEW || rank < NUMBERED;
      return [
        action,
        {
          text: written ? brief(sign * value, game) : null,
          order: value,
          tone: tone(spread > 0 ? loss / spread : 0),
          best: loss === 0,
          share: written ? part : undefined,
          said: t("value {value}", { value: text }),
        },
      ];
    }),
  );
}

// From good to bad; numbers say the same to who cannot tell the colours.
export function tone(bad) {
  return `color-mix(in oklab, var(--good), var(--bad) ${Math.round(100 * Math.sqrt(bad))}%)`;
}

export function said(value, game) {
  if (wide(game)) return number(Math.round(value)).replace("-", "−");
  return fixed(Math.abs(value) < 0.005 ? 0 : value, 2).replace("-", "−");
}

// The same for the little room on a board: 12,345 becomes 12.3k.
function brief(value, game) {
  if (!wide(game) || Math.abs(value) < 10000) return said(value, game);
  return `${fixed(value / 1000, 1)}k`;
}

function wide(game) {
  const [low, high] = game.range.map((x) => x / game.unit);
  return high - low > 100;
}
