// What is certain about a position: searched to the end of the game, or until time runs out.

import { points } from "./rules.js";

const DEEPEST = 40; // plies (tafl/page/program.py)
const PATIENCE = 350; // milliseconds that the next ply may be expected to take
const NODES = 120_000; // of the proof search, about half a second
const UNDECIDED = 1 << 20; // a height (tafl/core/search/table.py)

// {value: points of the player to move, plies: until a win or a loss, actions: {action: the same}},
// or null where nothing is certain in time.
export function verdict(machine, game, words, exact) {
  const { kernels } = machine;
  machine.view(machine.share("s")).set(words);
  if (kernels.alphabeta_values) return deepened(machine, game) ?? proven(machine, game);
  return exact && kernels.maxn_scores ? solved(machine, game) : null;
}

// Alpha-beta, a ply deeper each time; a win within that depth is one, and a loss that no move avoids.
function deepened(machine, game) {
  const [low, high] = game.range;
  const actions = {};
  let [passed, before] = [0, 1];
  for (let depth = 1; depth <= DEEPEST; depth++) {
    const began = performance.now();
    const found = looked(machine, depth);
    for (const { action, value, height } of found) {
      const end = value === high || value === low;
      if (action in actions || (!end && height >= UNDECIDED)) continue;
      actions[action] = { value: points(value, game.unit), plies: end ? depth : null };
    }
    const top = Math.max(...found.map(({ value }) => value));
    const settled = found.every(({ action }) => action in actions);
    if (settled || top === high) {
      const ended = top === high || top === low;
      return { value: points(top, game.unit), plies: ended ? depth : null, actions };
    }
    const took = performance.now() - began;
    const growth = Math.min(30, Math.max(2, took / Math.max(before, 0.1)));
    [passed, before] = [passed + took, took];
    if (took * growth > PATIENCE || passed > PATIENCE) return null;
  }
  return null;
}

function looked(machine, depth) {
  const table = machine.share("bounds");
  const n = machine.call("alphabeta_values", { depth, table });
  const [actions, values, heights] = ["actions", "values", "heights"].map((name) =>
    machine.view(machine.share(name)),
  );
  return Array.from({ length: n }, (_, i) => ({
    action: Number(actions[i]),
    value: values[i],
    height: Number(heights[i]),
  }));
}

// The proof search, which says who wins but not how soon.
function proven(machine, game) {
  if (!machine.kernels.prove_value) return null;
  const proof = machine.share("proof");
  const tree = machine.share("bare");
  if (!machine.call("prove_value", { tree, nodes: NODES })) return null;
  const value = points(machine.view(proof.value)[0], game.unit);
  const action = Number(machine.view(proof.action)[0]);
  return { value, plies: null, actions: action < 0 ? {} : { [action]: { value, plies: null } } };
}

// Max-N to the end, for games of several players that are small enough.
function solved(machine, game) {
  const n = machine.call("maxn_scores", { depth: DEEPEST });
  machine.call("look_at");
  const player = machine.view(machine.shared.view.turn)[0];
  const [actions, scores] = ["actions", "scores"].map((name) => machine.view(machine.share(name)));
  const found = Array.from({ length: n }, (_, i) => [
    Number(actions[i]),
    { value: points(scores[i * game.players + player], game.unit), plies: null },
  ]);
  const value = Math.max(...found.map(([, entry]) => entry.value));
  return { value, plies: null, actions: Object.fromEntries(found) };
}
