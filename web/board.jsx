// The board, drawn from its description (tafl/core/games/board.py).

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { CellHit, Hit, nearest, spot, useSwipe } from "./hits.jsx";
import { BestMove, LastMark, Lifted, TupleMarks, Value, WonMarks } from "./marks.jsx";
import { moveText, t } from "./texts.js";
import { Backs, Dice, Edges, Gone, Ground, Pieces, Seeds } from "./pieces.jsx";

const MARGIN = 0.62; // around the board, where directions and their values are shown
const STEPS = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] };

export function Board(props) {
  const { page, position, marks = {}, overlay = {}, tuple = null, last = null } = props;
  const { small = false, won = [], best = null } = props;
  const { board, game } = page.document;
  const previews = props.previews ?? {};
  const legal = props.onPlay ? position.legal : [];
  const pointing = board.targets.some((target) => target.towards);
  const box = small ? bare(board) : pointing ? widened(board.box) : board.box;
  const letter = Math.min(0.3, 0.035 * box[2]);
  const root = useRef(null);
  const shown = board.cells.flatMap(({ kind }, c) => (kind === "off" ? [] : [c]));
  const spots = useMemo(
    () => Object.fromEntries(position.legal.map((a) => [a, spot(board, position, a, previews[a])])),
    [position, previews],
  );
  const [lifted, setLifted] = useState({ position, cell: null }); // a piece that is to be carried
  const chosen = lifted.position === position ? lifted.cell : null;
  const lift = (cell) => setLifted({ position, cell: cell === chosen ? null : cell });
  const sources = [...new Set(legal.map((a) => previews[a]?.from))].filter((c) => c !== undefined);
  const within = (a) => previews[a]?.from === undefined || previews[a].from === chosen;
  const held = sources.includes(chosen) ? [chosen] : sources; // arrows lead a lifted piece on
  const places = Object.fromEntries([
    ...held.map((c) => [`from ${c}`, board.cells[c]]),
    ...legal.filter((a) => within(a) && spots[a]).map((a) => [String(a), spots[a]]),
  ]);
  const { focused, setFocus, keeping } = useFocus(root, places, position);

  const onKeyDown = (event) => {
    if (event.key === "Escape") setLifted({ position, cell: null });
    const step = STEPS[event.key];
    if (!step || pointing) return;
    event.preventDefault();
    event.stopPropagation();
    const next = nearest(places, focused, step);
    if (next === null) return;
    setFocus(next);
    root.current.querySelector(`[data-place="${next}"]`)?.focus();
  };

  const swipe = useSwipe(
    pointing && props.onPlay
      ? (towards) => {
          const action = board.targets.findIndex((target) => target.towards === towards);
          if (legal.includes(action)) props.onPlay(action);
        }
      : null,
  );

  return (
    <svg
      ref={root}
      class={`board ${board.look} ${small ? "small" : ""}`}
      viewBox={box.join(" ")}
      role="group"
      aria-label={props.label ?? t("Board")}
      onKeyDown={onKeyDown}
      {...keeping}
      {...swipe}
    >
      <Ground board={board} shown={shown} />
      <Dice board={board} position={position} />
      <Backs board={board} position={position} />
      <Pieces board={board} position={position} last={last} />
      <Seeds board={board} position={position} last={last} />
      <Gone board={board} last={last} />
      <Edges board={board} above />
      {last?.cells.map((c) => (
        <LastMark key={c} board={board} position={position} cell={c} />
      ))}
      <WonMarks board={board} lines={won} />
      {tuple && <TupleMarks board={board} tuple={tuple} />}
      {!small &&
        board.labels.map((label, i) => (
          <text key={i} class="label" font-size={letter} x={label.x} y={label.y + 0.36 * letter}>
            {t(label.text)}
          </text>
        ))}
      {sources.includes(chosen) && <Lifted board={board} cell={chosen} />}
      {best !== null && <BestMove board={board} way={previews[best]} at={spots[best]} />}
      {Object.entries(overlay).map(
        ([a, value]) => within(a) && <Value key={a} board={board} at={spots[a]} {...value} />,
      )}
      {chosen === null &&
        bestOf(sources, previews, overlay).map(([c, value]) => (
          <Value key={`from ${c}`} board={board} at={board.cells[c]} {...value} />
        ))}
      {props.onCell &&
        shown.map((c) => (
          <CellHit
            key={c}
            page={page}
            cell={c}
            value={position.cells[c]}
            onCell={(step) => props.onCell(c, step)}
          />
        ))}
      {sources.map((c) => (
        <CellHit
          key={`from ${c}`}
          page={page}
          cell={c}
          value={position.cells[c]}
          pressed={c === chosen}
          place={`from ${c}`}
          focused={focused === `from ${c}`}
          onFocus={() => setFocus(`from ${c}`)}
          onCell={() => lift(c)}
        />
      ))}
      {legal.filter(within).map((a) => (
        <Hit
          key={a}
          board={board}
          position={position}
          action={a}
          at={spots[a]}
          name={moveText(game.actions[a])}
          shown={overlay[a]}
          mark={previews[a]?.from === undefined ? marks[a] : "reach"}
          focused={focused === String(a)}
          onPlay={() => props.onPlay(a)}
          onFocus={() => setFocus(String(a))}
        />
      ))}
    </svg>
  );
}

// Which place has the focus. After a move the places are others: the focus stays on the board.
function useFocus(root, places, position) {
  const [focus, setFocus] = useState(null);
  const inside = useRef(false);
  const focused = focus in places ? focus : Object.keys(places)[0];
  const any = focused !== undefined;
  useEffect(() => {
    if (!inside.current || !any || document.activeElement !== document.body) return;
    root.current.querySelector(`[data-place="${focused}"]`)?.focus({ preventScroll: true });
  }, [position, any]);
  const keeping = {
    onFocusIn: () => (inside.current = true),
    onFocusOut: ({ relatedTarget: next }) => {
      if (next && !root.current?.contains(next)) inside.current = false;
    },
  };
  return { focused, setFocus, keeping };
}

function widened([x, y, w, h]) {
  return [x - MARGIN, y - MARGIN, w + 2 * MARGIN, h + 2 * MARGIN];
}

// Without what stands beside it.
function bare({ frame: [x, y, w, h], tall }) {
  return [x - 0.06, y - tall - 0.06, w + 0.12, h + tall + 0.12];
}

// The best that can be done with each piece.
function bestOf(sources, previews, overlay) {
  return sources.flatMap((c) => {
    const own = Object.keys(overlay).filter((a) => previews[a]?.from === c);
    const best = own.sort((a, b) => overlay[b].order - overlay[a].order)[0];
    return best === undefined ? [] : [[c, overlay[best]]];
  });
}
