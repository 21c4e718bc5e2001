// How fast agents answer: after the animation of a move has ended, and a pause that can be chosen.

import { useState } from "preact/hooks";
import { keep, kept } from "./kept.js";
import { term } from "./texts.js";

export const TEMPOS = [
  { name: term("at once"), ms: 0 },
  { name: term("at a normal pace"), ms: 400 },
  { name: term("slowly"), ms: 1200 },
];

const before = kept("tempo");
let chosen = TEMPOS.some(({ ms }) => ms === before) ? before : 400;

export function useTempo() {
  const [, redraw] = useState(0);
  const choose = (ms) => {
    chosen = ms;
    keep("tempo", ms);
    redraw((n) => n + 1);
  };
  return [chosen, choose];
}

// Whether people want nothing to move on their screens.
export function quiet() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// Milliseconds that an agent waits with its answer to a move whose animation takes this long.
export function rest(lasting) {
  return quiet() ? 0 : lasting + chosen;
}
