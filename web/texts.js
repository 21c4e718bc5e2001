// The texts of the page in the language of the reader. English stands in the code, and is the key
// of the table texts.json, which has the German. A test finds texts that the table lacks.
//
//   t("Undo")                                 a text
//   t("{count} mistakes", { count: 3 })       with values
//   rich("the *value* of {move}", { move })   with emphasis, and with elements as values
//   term("champion")                          the same text: marks one that t() gets later
//   moveText(game.actions[a])                 the name of a move

import { h } from "preact";
import { useEffect, useState } from "preact/hooks";
import { keep, kept } from "./kept.js";
import table from "./texts.json";

export { term } from "./term.js";

export const LANGUAGES = { en: "English", de: "Deutsch" };

const { moves, ...parts } = table;
const known = { en: {}, de: Object.assign({}, ...Object.values(parts)) };
const words = { en: {}, de: moves };
const listeners = new Set();
let current = preferred();

function preferred() {
  const wanted = [kept("language"), ...(navigator.languages ?? [navigator.language])];
  return wanted.map((tag) => String(tag).slice(0, 2)).find((tag) => tag in LANGUAGES) ?? "en";
}

export const language = () => current;

export function speak(chosen) {
  current = chosen;
  keep("language", chosen);
  listeners.forEach((listen) => listen(chosen));
}

// The language as state: everything below is drawn again when it changes.
export function useLanguage() {
  const [shown, setShown] = useState(current);
  useEffect(() => {
    listeners.add(setShown);
    return () => listeners.delete(setShown);
  }, []);
  useEffect(() => {
    document.documentElement.lang = shown;
  }, [shown]);
  return shown;
}

export function t(text, values = null) {
  const found = known[current][text] ?? text;
  return values ? found.replace(/\{(\w+)\}/g, (_, name) => values[name]) : found;
}

const MARKS = /\*([^*]+)\*|\{(\w+)\}/;

export function rich(text, values = {}) {
  return t(text)
    .split(new RegExp(MARKS, "g"))
    .map((part, i) => {
      if (part === undefined || part === "") return null;
      if (i % 3 === 1) return h("em", null, part);
      return i % 3 === 2 ? values[part] : part;
    });
}

// The name of a move, word by word: "2 from heap 1" is "2 von Haufen 1".
export const moveText = (name) =>
  name
    .split(" ")
    .map((word) => words[current][word] ?? word)
    .join(" ");

// Numbers as the language writes them: 1,234 and 1.234; 0.50 and 0,50.
export const number = (value) => value.toLocaleString(current);

export function fixed(value, digits) {
  const how = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString(current, how);
}
