// What an adviser thinks of a position, and how that is shown on the board.

import { useEffect, useState } from "preact/hooks";
import { Stopped } from "./thinker.js";

const PATIENCE = 400; // milliseconds that an outdated search may go on

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

export function overlayOf({ entries, spread }, game) {
  const crowded = entries.length > 20;
  return Object.fromEntries(
    entries.map(({ action, value, loss, part }) => {
      const bad = spread > 0 ? loss / spread : 0;
      const text = said(value, game);
      return [
        action,
        {
          text,
          value,
          tone: tone(bad),
          best: loss === 0,
          share: part,
          said: `value ${text}`,
          faint: crowded && bad > 0.6,
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
  const [low, high] = game.range.map((x) => x / game.unit);
  if (high - low > 100) return Math.round(value).toLocaleString("en");
  const text = value.toFixed(2);
  return text === "-0.00" ? "0.00" : text.replace("-", "−");
}
