// A game under way: a tree of positions. Playing something else than before makes a variation.

import { looks } from "./search.js";
import { t } from "./texts.js";

export class Line {
  constructor(rules, seed, actions = [], given = rules.start(seed)) {
    this.rules = rules;
    this.seed = seed;
    this.fromStart = given.begun === true;
    const position = this.fromStart ? given : { ...given, rng: streamOf(seed) };
    this.root = { position, action: null, parent: null, children: [], ply: 0 };
    this.at = this.root;
    for (const action of actions) {
      if (!this.at.position.legal.includes(action)) break;
      this.play(action);
    }
  }

  play(action) {
    const known = this.at.children.find((child) => child.action === action);
    const node = known ?? {
      position: this.rules.play(this.at.position, action),
      action,
      parent: this.at,
      children: [],
      ply: this.at.ply + 1,
    };
    if (!known) this.at.children.push(node);
    this.at.next = node;
    this.at = node;
    return node;
  }

  undo() {
    if (this.at.parent) this.at = this.at.parent;
  }

  redo() {
    const next = this.at.next ?? this.at.children[0];
    if (next) this.at = next;
  }

  goTo(node) {
    this.at = node;
    for (let n = node; n.parent; n = n.parent) n.parent.next = n;
  }

  // From the start to here.
  get path() {
    const nodes = [];
    for (let node = this.at; node; node = node.parent) nodes.push(node);
    return nodes.reverse();
  }

  // The same, and on to the end of what was played.
  get whole() {
    const nodes = this.path;
    for (let node = this.at.next; node; node = node.next) nodes.push(node);
    return nodes;
  }

  get actions() {
    return this.path.slice(1).map((node) => node.action);
  }
}

// The state of chance that a seed stands for, as at the start of a game.
function streamOf(seed) {
  return BigUint64Array.of(BigInt.asUintN(64, BigInt(seed)));
}

// The game that a line of text describes, as tafl writes positions: moves, or the words of a state.
// Returns what is wrong, as text, if it cannot be read.
export function readText(rules, game, board, text) {
  const said = text.trim().replace(/^[^:@]*(?=[:@])/, "");
  if (said.startsWith("@")) return readWords(rules, game, board, said.slice(1).trim().split(/\s+/));
  const line = new Line(rules, 1);
  const words = said
    .replace(/^:/, "")
    .replaceAll(",", " ")
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean);
  while (words.length) {
    const { legal } = line.at.position;
    const fits = (a) => {
      const name = game.actions[a].toLowerCase().split(" ");
      return name.every((part, i) => part === words[i]) ? name.length : 0;
    };
    const named = legal.filter(fits).sort((a, b) => fits(b) - fits(a))[0];
    const action = named ?? legal.find((a) => String(a) === words[0]);
    if (action === undefined)
      {
      const number = line.at.ply + 1;
      return t("move {number}, {word}, is not legal", { number, word: words[0].slice(0, 20) });
    }
    words.splice(0, fits(action) || 1);
    line.play(action);
  }
  return line;
}

export function readWords(rules, game, board, texts) {
  const wanted = rules.start(1).words.length;
  const right = texts.length === wanted && texts.every((text) => /^[0-9a-f]{1,16}$/i.test(text));
  if (!right) return t("a position of this game has {count} hexadecimal words", { count: wanted });
  const position = rules.look(texts.map((text) => BigInt.asIntN(64, BigInt(`0x${text}`))));
  const sane = position.player >= 0 && position.player < game.players;
  if (!sane || position.cells.some((value) => !(value in board.pieces))) {
    return t("this is not a position of this game");
  }
  return new Line(rules, 1, [], position);
}

// What each action does to the board, for drawing: asked of the rules, never known here.
// A target with a source carries a piece from there, as Python knows; an action that points at nothing
// may do so, too.
export function preview(rules, position, board) {
  const found = Object.fromEntries(
    position.legal.map((action) => {
      const after = rules.play(position, action);
      const cells = after.after ?? after.cells;
      return [action, { ...wayOf(rules, position, board, action, cells), cells }];
    }),
  );
  return unambiguous(board, found);
}

// Where an action takes a piece: {from, cell}, or {cell} alone, or {}.
export function wayOf(rules, position, board, action, cells) {
  const { cells: pointed, part, towards, source } = board.targets[action];
  if (source !== null) return { from: source, cell: pointed[0] };
  if (!pointed.length && !towards) {
    const way = moved(board, position, cells);
    return way ?? carried(board, looks(board), position.cells, cells);
  }
  const changed = pointed.filter((c) => cells[c] !== position.cells[c]);
  return { cell: changed.find((c) => board.pieces[cells[c]]) ?? changed[0] ?? pointed[0], part };
}

// Where the player to move has one piece less and where one more, if pieces say whose they are. On a
// cell with several of them, the text says how many.
function moved(board, { player, cells: before }, after) {
  const own = (value) => {
    const piece = board.pieces[value];
    return piece && piece.player === player ? Number(piece.text) || 1 : 0;
  };
  const differing = before.flatMap((value, c) => {
    const more = board.cells[c].kind === "board" ? own(after[c]) - own(value) : 0;
    return more ? [{ c, more }] : [];
  });
  const [from, to] = [differing.filter((d) => d.more < 0), differing.filter((d) => d.more > 0)];
  return from.length === 1 && to.length === 1 ? { from: from[0].c, cell: to[0].c } : null;
}

// Where a piece has gone: from a cell that was left to one of the same kind that has the same piece
// now (a die is beside the board), the farthest if it jumped over others.
function carried(board, look, before, after) {
  const cells = before.flatMap((_, c) => (board.cells[c].kind === "board" ? [c] : []));
  const left = cells.filter((c) => board.pieces[before[c]] && !board.pieces[after[c]]);
  const taken = cells.filter((c) => board.pieces[after[c]] && look[after[c]] !== look[before[c]]);
  const fits = (from, to) =>
    look[after[to]] === look[before[from]] && board.cells[to].shape === board.cells[from].shape;
  const pairs = left.flatMap((from) =>
    taken.filter((to) => fits(from, to)).map((to) => ({ from, cell: to })),
  );
  const far = ({ from, cell }) => {
    const [p, q] = [board.cells[from], board.cells[cell]];
    return Math.hypot(p.x - q.x, p.y - q.y);
  };
  return pairs.sort((a, b) => far(b) - far(a))[0] ?? {};
}

// Two actions that look the same on the board cannot be told apart by pointing at it. If they also do
// the same, as with two equal dice, one of them is enough.
function unambiguous(board, found) {
  const seen = new Map();
  for (const entry of Object.values(found)) {
    if (entry.from === undefined) continue;
    const way = `${entry.from}-${entry.cell}`;
    seen.set(way, [...(seen.get(way) ?? []), entry]);
  }
  for (const alike of seen.values()) {
    const same = alike.every((entry) => effect(board, entry) === effect(board, alike[0]));
    for (const entry of same ? alike.slice(1) : alike) {
      entry.from = entry.cell = undefined;
      entry.spare = same;
    }
  }
  return found;
}

// What an action does, as far as it is seen: pieces where they are, and dice in any order.
function effect(board, { cells }) {
  const of = (kind) => cells.filter((_, c) => board.cells[c].kind === kind);
  return JSON.stringify([of("board"), of("die").sort()]);
}
