// Where a board can be clicked: places of actions, and cells that are set up or left by a piece.

import { useRef } from "preact/hooks";
import { ARROWS } from "./changes.js";
import { pieceOf } from "./look.js";
import { RISE, Shape } from "./pieces.jsx";
import { moveText, t } from "./texts.js";

// Where an action is shown.
export function spot(board, position, action, preview) {
  const target = board.targets[action];
  const [x, y, w, h] = board.box;
  if (target.towards) {
    const [dx, dy] = ARROWS[target.towards];
    return { x: x + w / 2 + dx * (w / 2 + 0.12), y: y + h / 2 + dy * (h / 2 + 0.12) };
  }
  const c = preview ? preview.cell : target.cells[0];
  if (c === undefined) return null;
  const cell = board.cells[c];
  const count = pieceOf(board, c, position.cells[c])?.count ?? 1;
  return { x: cell.x, y: cell.y - (target.part ? RISE * (count - target.part) : 0), cell: c };
}

// The place that lies next in a direction.
export function nearest(places, from, [dx, dy]) {
  const here = places[from];
  let best = null;
  let least = Infinity;
  for (const [place, at] of Object.entries(places)) {
    if (!here || place === from) continue;
    const along = (at.x - here.x) * dx + (at.y - here.y) * dy;
    const aside = Math.abs((at.x - here.x) * dy) + Math.abs((at.y - here.y) * dx);
    if (along > 0.05 && along + 2.5 * aside < least) {
      best = place;
      least = along + 2.5 * aside;
    }
  }
  return best;
}

export function useSwipe(onSwipe) {
  const from = useRef(null);
  if (!onSwipe) return {};
  return {
    onPointerDown: (event) => (from.current = [event.clientX, event.clientY]),
    onPointerUp: (event) => {
      if (!from.current) return;
      const [dx, dy] = [event.clientX - from.current[0], event.clientY - from.current[1]];
      from.current = null;
      if (Math.max(Math.abs(dx), Math.abs(dy)) < 24) return;
      if (Math.abs(dx) > Math.abs(dy)) onSwipe(dx > 0 ? "right" : "left");
      else onSwipe(dy > 0 ? "down" : "up");
    },
  };
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);

function pressed(act) {
  return (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act(event);
  };
}

// Where to click for an action. With a value or a colour shown there, it needs no dot.
export function Hit(props) {
  const { board, position, action, at, name, shown, mark, focused, onPlay, onFocus } = props;
  const target = board.targets[action];
  if (!at) return null;
  return (
    <g
      class={`hit ${mark ?? ""} ${target.towards ? "towards" : ""} ${shown ? "valued" : ""}`}
      role="button"
      tabindex={focused ? 0 : -1}
      data-action={action}
      data-place={action}
      aria-label={shown ? `${name}, ${shown.said}` : name}
      onClick={onPlay}
      onKeyDown={pressed(onPlay)}
      onFocus={onFocus}
    >
      <title>{name}</title>
      <HitShape board={board} position={position} target={target} at={at} />
    </g>
  );
}

// Where to click for a cell: one that is being set up, or one with a piece that can be carried.
export function CellHit(props) {
  const { page, cell, value, onCell, pressed: isPressed, place, focused = true, onFocus } = props;
  const { board, game } = page.document;
  const { x, y, shape } = board.cells[cell];
  const own = board.targets.findIndex(({ cells, part }) => cells.join() === `${cell}` && !part);
  const piece = pieceOf(board, cell, value);
  const there = piece
    ? [piece.count > 1 ? piece.count : "", piece.text || t(capital(piece.colour))].join(" ").trim()
    : t("empty");
  const name = own >= 0 ? moveText(game.actions[own]) : t("cell {number}", { number: cell + 1 });
  const act = (event) => onCell(event.shiftKey ? -1 : 1);
  return (
    <g
      class="hit"
      role="button"
      tabindex={focused ? 0 : -1}
      data-cell={cell}
      data-place={place}
      aria-pressed={isPressed}
      onFocus={onFocus}
      aria-label={`${name}: ${there}`}
      onClick={act}
      onKeyDown={pressed(act)}
    >
      {board.tall ? (
        <rect class="area" x={x - 0.5} y={y - 0.5 - board.tall} width="1" height={1 + board.tall} />
      ) : (
        <Area board={board} shape={shape} x={x} y={y} />
      )}
    </g>
  );
}

// The place of a cell; lines are widened, also for a finger on a small screen.
function Area({ board, shape, x, y }) {
  if (!board.lines.includes(shape)) {
    return <Shape shape={board.shapes[shape]} x={x} y={y} class="area" />;
  }
  return (
    <>
      <Shape shape={board.shapes[shape]} x={x} y={y} class="trace" />
      <Shape shape={board.shapes[shape]} x={x} y={y} class="area wide" />
      <Shape shape={board.shapes[shape]} x={x} y={y} class="area least" />
    </>
  );
}

function HitShape({ board, position, target, at }) {
  if (target.towards) return <Arrow towards={target.towards} at={at} />;
  if (target.part) return <Stone {...{ board, position, target, at }} />;
  const places = target.cells.map((c) => board.cells[c]);
  if (places.length > 1) {
    const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
    const [left, top] = [Math.min(...xs) - 0.5, Math.min(...ys) - 0.5];
    const size = { width: Math.max(...xs) + 0.5 - left, height: Math.max(...ys) + 0.5 - top };
    return (
      <>
        <rect class="area" x={left} y={top} {...size} rx="0.2" />
        <circle class="ghost" cx={at.x} cy={at.y} r="0.36" />
      </>
    );
  }
  const { shape, x, y } = board.cells[at.cell];
  return (
    <>
      <Area board={board} shape={shape} x={x} y={y} />
      {!board.lines.includes(shape) && <circle class="dot" cx={x} cy={y} r="0.1" />}
    </>
  );
}

function Arrow({ towards, at }) {
  const turn = { up: 0, right: 90, down: 180, left: 270 }[towards];
  return (
    <g transform={`translate(${at.x} ${at.y}) rotate(${turn})`}>
      <rect class="area" x="-0.7" y="-0.3" width="1.4" height="0.6" />
      <path class="chevron" d="M-.2 .08 0-.1 .2 .08" />
    </g>
  );
}

// A stone of a heap, with how many a click takes: this one and all above it.
function Stone({ board, position, target, at }) {
  const cell = board.cells[target.cells[0]];
  const top = cell.y - RISE * (board.pieces[position.cells[target.cells[0]]].count - 1);
  return (
    <>
      <rect class="area" x={at.x - 0.6} y={at.y - RISE / 2} width="1.2" height={RISE} />
      <rect
        class="ghost"
        x={at.x - 0.36}
        y={top - 0.36}
        width="0.72"
        height={at.y - top + 0.72}
        rx="0.36"
      />
      <text class="takes" x={at.x} y={at.y + 0.11} font-size="0.3">
        {target.part}
      </text>
    </>
  );
}
