// A game under way: a tree of positions. Playing something else than before makes a variation.

import { pieceOf } from "./look.js";
import { looks } from "./search.js";
import { t } from "./texts.js";

export class Line {
  constructor(rules, seed, actions = [], given = rules.start(seed)) {
    this.rules = rules;
    this.seed = seed;
    this.fromStart = given.begun === true;
    const position = this.fromStart ? given : { ...given, rng: streamOf(seed) };
    this.viewer = null; // who looks at a game with hidden information; null: all is shown
    this.finished = false; // then all is shown, too
    this.root = this.#node(position, null, null);
    this.at = this.root;
    for (const action of actions) {
      if (!this.at.truth.legal.includes(action)) break;
      this.play(action);
    }
  }

  // A node has the true position, and the one that is shown: only this one may be drawn.
  #node(truth, action, parent) {
    this.finished ||= truth.over;
    const shown = (node) => this.#shown(node);
    const noticed = (node) => this.#noticed(node);
    return {
      truth,
      action,
      parent,
      children: [],
      ply: parent ? parent.ply + 1 : 0,
      get position() {
        return shown(this);
      },
      get noticed() {
        return noticed(this);
      },
    };
  }

  // Is there something that must not be seen before the end?
  get secret() {
    return this.rules.game.hides && !this.finished;
  }

  // The true position, or as the viewer sees it.
  #shown(node) {
    if (!this.rules.game.hides) return node.truth;
    const viewer = this.finished ? null : this.viewer;
    if (node.view?.viewer !== viewer)
      node.view = { viewer, position: this.rules.seen(node.truth, viewer, node.ply) };
    return node.view.position;
  }

  // What an agent is given that is to move now.
  get given() {
    return this.rules.given(this.at.truth, this.at.ply);
  }

  // Does the viewer see which move led here?
  #noticed({ parent, action }) {
    return !this.secret || this.viewer === null || !parent || this.rules.notices(parent.truth, this.viewer, action);
  }

  play(action) {
    const known = this.at.children.find((child) => child.action === action);
    const node = known ?? this.#node(this.rules.play(this.at.truth, action), action, this.at);
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
  const position = looked(rules, texts.map((text) => BigInt.asIntN(64, BigInt(`0x${text}`))));
  const sane = position && position.player >= 0 && position.player < game.players;
  if (!sane || position.cells.some((value) => !(value in board.pieces))) {
    return t("this is not a position of this game");
  }
  return new Line(rules, 1, [], position);
}

// A position that the rules can go on with; null where words make no sense to them.
function looked(rules, words) {
  try {
    const position = rules.look(words);
    for (const action of position.legal) rules.play(position, action);
    return position;
  } catch {
    return null;
  }
}

// What each action does to the board, for drawing: asked of the rules, never known here.
// A target with a source carries a piece from there, as Python knows; an action that points at nothing
// may do so, too.
export function preview(rules, position, board) {
  const found = Object.fromEntries(
    position.legal.map((action) => {
      const cells = rules.after(position, action);
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
  return { cell: changed.find((c) => pieceOf(board, c, cells[c])) ?? changed[0] ?? pointed[0], part };
}

// Where the player to move has one piece less and where one more, if pieces say whose they are. On a
// cell with several of them, the text says how many.
function moved(board, { player, cells: before }, after) {
  const own = (c, value) => {
    const piece = pieceOf(board, c, value);
    return piece && piece.player === player ? Number(piece.text) || piece.count : 0;
  };
  const differing = before.flatMap((value, c) => {
    const more = board.cells[c].kind === "board" ? own(c, after[c]) - own(c, value) : 0;
    return more ? [{ c, more }] : [];
  });
  const [from, to] = [differing.filter((d) => d.more < 0), differing.filter((d) => d.more > 0)];
  return from.length === 1 && to.length === 1 ? { from: from[0].c, cell: to[0].c } : null;
}

// Where a piece has gone: from a cell that was left to one of the same kind that has the same piece
// now (a die is beside the board), the farthest if it jumped over others.
function carried(board, look, before, after) {
  const cells = before.flatMap((_, c) => (board.cells[c].kind === "board" ? [c] : []));
  const there = (c, value) => pieceOf(board, c, value) !== null;
  const left = cells.filter((c) => there(c, before[c]) && !there(c, after[c]));
  const taken = cells.filter((c) => there(c, after[c]) && look[after[c]] !== look[before[c]]);
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
