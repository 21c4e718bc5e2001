// The network of an agent whose file is brought to the page: its own n-tuples, laid out by the
// kernel that tafl's own networks are laid out with.

import { term } from "./term.js";

const LARGEST = 2 ** 28; // weights
const MOST_STRIDES = 2e6; // of cells times indices
const INDEXED = ["now", "codes", "last", "trace"]; // scratch with a place an index
const TOO_LARGE = term("its network is larger than a page has room for");
const SIGMAS = ["tanh", "identity"];
const ALGORITHMS = ["td", "sarsa", "q"];

// The form of an agent with these settings and n-tuples (tafl/page/pack.py), without weights.
// Returns what is wrong, as text, where no network can be made of them.
export function networkOf({ document: { network, game, program }, rules }, settings, tuples) {
  const { td, network: wanted, algo } = settings ?? {};
  const known =
    ALGORITHMS.includes(algo) && SIGMAS.includes(wanted?.sigma) && Number.isFinite(td?.gamma);
  if (!known) return term("its settings are not those of an agent that this page knows");
  if ((wanted.kind === "mlp") !== Boolean(program.memory.trained.net.boards))
    return term("its network is of another kind than those of this page");
  const which = chosenBoards(network, wanted.symmetries);
  if (!which) return term("its choice of symmetric boards is not one that this page knows");
  if (wanted.kind) return hiddenUnits(program, game, network, wanted, which);
  if (!sound(tuples, game.cells)) return term("its n-tuples are not cells of this game");
  if (tuples.some((cells) => new Set(cells).size < cells.length))
    return term("one of its n-tuples has a cell twice");
  const bits = wanted.hash_bits ?? 0;
  if (bits !== 0 && !(bits >= 16 && bits <= 28)) return TOO_LARGE;
  const indices = tuples.length * which.length;
  const shared = wanted.shared === true;
  if (shared && (algo !== "td" || !network.seats.length))
    return term("its network is of another kind than those of this page");
  const networks = shared ? 1 : game.players;
  const outputs = networks * (algo === "td" ? 1 : game.actions.length);
  if (indices * game.cells > MOST_STRIDES) return TOO_LARGE;
  const laid = layOut(rules.machine, game, { ...network, bits }, tuples, which);
  if (outputs * laid.size > LARGEST) return TOO_LARGE;
  const form = structuredClone(program.memory.trained);
  for (const name of INDEXED) form.work[name] = resized(form.work[name], indices);
  form.work.memory.sums = resized(form.work.memory.sums, indices);
  const turned = which.flatMap((s) => network.turned[s]);
  form.asked = true;
  Object.assign(form.td, {
    gamma: td.gamma,
    afterstates: td.afterstates !== false,
    zero_terminal: td.zero_terminal !== false,
  });
  Object.assign(form.net, {
    weights: { type: "float32", shape: [outputs * laid.size] },
    strides: { type: "int32", shape: [game.cells, indices], given: laid.strides },
    base: { type: "uint32", shape: [indices], given: laid.base },
    rows: { type: "uint32", shape: [0] },
    size: laid.size,
    outputs: outputs / networks,
    by_action: algo !== "td",
    turned: { type: "int32", shape: [which.length, game.actions.length], given: turned },
    tuples: tuples.length,
    symmetries: which.length,
    width: 1,
    tanh: wanted.sigma === "tanh",
    ...seatsOf(game, network, shared),
  });
  return form;
}

// How players see values and cells, where one network serves all of them.
function seatsOf({ players, cells }, { seats, places, values }, shared) {
  if (!shared)
    return { seats: { type: "int32", shape: [0, 0, 0] }, places: { type: "int32", shape: [0, 0] } };
  return {
    seats: { type: "int32", shape: [players, cells, values], given: seats },
    places: { type: "int32", shape: [players, cells], given: places },
  };
}

// The form of an agent with hidden units.
function hiddenUnits(program, game, network, { units, sigma }, which) {
  if (!(Number.isInteger(units) && units > 0 && units <= 4096)) return TOO_LARGE;
  const form = structuredClone(program.memory.trained);
  const shape = [game.players, game.cells * network.values + 3, units];
  const given = which.flatMap((s) => network.boards[s]);
  form.asked = true;
  Object.assign(form.net, {
    weights: { type: "float32", shape },
    boards: { type: "int64", shape: [which.length, game.cells], given: given.map(BigInt) },
    identity: sigma !== "tanh",
  });
  for (const name in form.work.memory) form.work.memory[name] = { type: "float32", shape: [units] };
  return form;
}

// The numbers of the boards that a setting names: all, only the board itself, or a number.
function chosenBoards({ boards, groups }, symmetries) {
  if (symmetries === true || symmetries >= boards.length) return boards.map((_, s) => s);
  return groups[Number(symmetries)] ?? null;
}

function sound(tuples, cells) {
  const whole = (c) => Number.isInteger(c) && c >= 0 && c < cells;
  return (
    Array.isArray(tuples) &&
    tuples.length > 0 &&
    tuples.every(
      (tuple) =>
        Array.isArray(tuple) && tuple.length > 0 && tuple.length <= cells && tuple.every(whole),
    )
  );
}

function layOut(machine, game, network, tuples, which) {
  const longest = Math.max(...tuples.map(({ length }) => length));
  const table = (rows, width) => machine.place({ type: "int32", shape: [rows.length, width] });
  const given = {
    tuples: table(tuples, longest),
    lengths: machine.place({ type: "int32", shape: [tuples.length] }),
    boards: table(which, game.cells),
    strides: machine.place({ type: "int32", shape: [game.cells, tuples.length * which.length] }),
    base: machine.place({ type: "uint32", shape: [tuples.length * which.length] }),
  };
  tuples.forEach((cells, i) => machine.view(given.tuples).set(cells, i * longest));
  machine.view(given.lengths).set(tuples.map(({ length }) => length));
  which.forEach((s, i) => machine.view(given.boards).set(network.boards[s], i * game.cells));
  const size = machine.call("index_tuples", { ...given, n: network.values, hash_bits: network.bits });
  const [strides, base] = [given.strides, given.base].map((array) => machine.view(array).slice());
  return { size, strides, base };
}

function resized({ type, shape }, last) {
  return { type, shape: [...shape.slice(0, -1), last] };
}
