// Everything by keyboard.

import { useEffect, useRef } from "preact/hooks";
import { t } from "./texts.js";

const ARROWS = { ArrowUp: "up", ArrowRight: "right", ArrowDown: "down", ArrowLeft: "left" };

export function KEYS(page) {
  const pointing = page.document.board.targets.some((target) => target.towards);
  return [
    [
      "↑ → ↓ ←",
      pointing ? t("slide the tiles") : t("go from move to move on the board"),
    ],
    ["Enter", t("play the move that has the focus")],
    ["← →", t("a move back or forward (The game)")],
    ["Home End", t("to the start or the end of the game (The game)")],
    ["U", t("take a move back")],
    ["R", t("play it again")],
    ["N", t("new game")],
    ["V", t("show or hide values")],
    ["M", t("jump to the next mistake (The game)")],
    ["1 2 3 4 5", t("the views")],
    ["?", t("how to play, and these keys")],
  ];
}

export function useKeys(given) {
  const latest = useRef(given);
  latest.current = given;
  useEffect(() => {
    const press = (event) => {
      const { actions, board, position, line, seats, view: shown, views } = latest.current;
      if (
        takes(event.target, event.key) ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        document.querySelector("dialog[open]")
      )
        return;
      const stepped = shown === "game" && steps(line, event.key);
      if (stepped) {
        event.preventDefault();
        actions.goTo(stepped);
        return;
      }
      const towards = ARROWS[event.key];
      const action = board.targets.findIndex((target) => towards && target.towards === towards);
      if (action >= 0) {
        event.preventDefault();
        if (position.legal.includes(action) && seats[position.player].kind === "human")
          actions.play(action);
        return;
      }
      if (towards && event.target === document.body) {
        event.preventDefault();
        document.querySelector(".board .hit[tabindex='0']")?.focus();
        return;
      }
      const wanted = {
        u: actions.undo,
        r: actions.redo,
        n: () => actions.newGame(),
        v: actions.hint,
        "?": actions.help,
      }[event.key.toLowerCase()];
      const view = views[Number(event.key) - 1];
      if (wanted) wanted();
      else if (view) actions.show(view.id);
      else if (event.key.toLowerCase() === "m")
        document.querySelector("[data-key=mistake]")?.click();
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}

// Whether a control does something with a key itself: a field with letters, a slider with arrows.
function takes({ tagName, type }, key) {
  if (tagName === "SELECT" || tagName === "TEXTAREA") return true;
  if (tagName !== "INPUT") return false;
  if (type === "checkbox" || type === "file") return key === " " || key === "Enter";
  if (type === "range" || type === "radio") return key in ARROWS || key === " ";
  return true;
}

// Where a key leads in a game that is looked through: the node, or undefined.
function steps(line, key) {
  const { at } = line;
  if (key === "ArrowLeft") return at.parent ?? undefined;
  if (key === "ArrowRight") return at.next ?? at.children[0];
  if (key === "Home") return line.root;
  if (key === "End") return line.whole.at(-1);
  return undefined;
}
