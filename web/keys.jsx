// Everything by keyboard.

import { useEffect, useRef } from "preact/hooks";

const ARROWS = { ArrowUp: "up", ArrowRight: "right", ArrowDown: "down", ArrowLeft: "left" };

export function KEYS(page) {
  const pointing = page.document.board.targets.some((target) => target.towards);
  return [
    pointing ? ["↑ → ↓ ←", "slide the tiles"] : ["↑ → ↓ ←", "go from move to move on the board"],
    ["Enter", "play the move that has the focus"],
    ["U", "take a move back"],
    ["R", "play it again"],
    ["N", "new game"],
    ["V", "show or hide values"],
    ["M", "jump to the next mistake (The game)"],
    ["1 2 3 4 5", "the views"],
    ["?", "these keys"],
  ];
}

export function useKeys(given) {
  const latest = useRef(given);
  latest.current = given;
  useEffect(() => {
    const press = (event) => {
      const { actions, board, position, seats, views } = latest.current;
      const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (
        typing ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        document.querySelector("dialog[open]")
      )
        return;
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
