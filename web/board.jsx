// The board, drawn from its description (tafl/core/games/board.py).

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

const RISE = 0.62; // from a stone of a heap to the next one
const ARROWS = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] };
const MARGIN = 0.75; // around the board, where directions are shown

export function Board(props) {
  const {
    page,
    position,
    marks = {},
    overlay = {},
    tuple = null,
    last = null,
    small = false,
  } = props;
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
  const places = Object.fromEntries([
    ...sources.map((c) => [`from ${c}`, board.cells[c]]),
    ...legal.filter((a) => within(a) && spots[a]).map((a) => [String(a), spots[a]]),
  ]);
  const [focus, setFocus] = useState(null);
  const focused = focus in places ? focus : Object.keys(places)[0];

  const onKeyDown = (event) => {
    const step = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] }[
      event.key
    ];
    if (event.key === "Escape") setLifted({ position, cell: null });
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
      aria-label={props.label ?? "board"}
      onKeyDown={onKeyDown}
      {...swipe}
    >
      {board.look !== "plain" && <Frame frame={board.frame} />}
      {board.edges.map((edge, i) => (
        <polyline key={i} class="edge" points={edge.points} stroke={`var(--${edge.colour})`} />
      ))}
      {shown.map((c) => (
        <Shape
          key={c}
          shape={board.shapes[board.cells[c].shape]}
          x={board.cells[c].x}
          y={board.cells[c].y}
          class={board.cells[c].kind === "die" ? "cell die" : "cell"}
        />
      ))}
      <Dice board={board} position={position} />
      {tuple && <TupleMarks board={board} tuple={tuple} />}
      <Pieces board={board} position={position} last={last} />
      {last?.cells.map((c) => (
        <LastMark key={c} board={board} position={position} cell={c} />
      ))}
      {!small &&
        board.labels.map((label, i) => (
          <text key={i} class="label" font-size={letter} x={label.x} y={label.y + 0.36 * letter}>
            {label.text}
          </text>
        ))}
      {sources.includes(chosen) && <Lifted board={board} cell={chosen} />}
      {Object.entries(overlay).map(
        ([a, shown]) => within(a) && <Value key={a} at={spots[a]} {...shown} />,
      )}
      {chosen === null &&
        bestOf(sources, previews, overlay).map(([c, shown]) => (
          <Value key={`from ${c}`} at={board.cells[c]} {...shown} />
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
          name={game.actions[a]}
          said={overlay[a]?.said}
          mark={previews[a]?.from === undefined ? marks[a] : "reach"}
          focused={focused === String(a)}
          onPlay={() => props.onPlay(a)}
          onFocus={() => setFocus(String(a))}
        />
      ))}
    </svg>
  );
}

function widened([x, y, w, h]) {
  return [x - MARGIN + 0.35, y - MARGIN + 0.35, w + 2 * MARGIN - 0.7, h + 2 * MARGIN - 0.7];
}

// Without what stands beside it.
function bare({ frame: [x, y, w, h], tall }) {
  return [x - 0.06, y - tall - 0.06, w + 0.12, h + tall + 0.12];
}

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
  const count = board.pieces[position.cells[c]]?.count ?? 1;
  return { x: cell.x, y: cell.y - (target.part ? RISE * (count - target.part) : 0), cell: c };
}

// The place that lies next in a direction.
function nearest(places, from, [dx, dy]) {
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

function useSwipe(onSwipe) {
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

function Shape({ shape, x, y, ...more }) {
  const { tag: Tag, ...attributes } = shape;
  return <Tag {...attributes} {...more} transform={`translate(${x} ${y})`} />;
}

function Frame({ frame: [x, y, width, height] }) {
  return <rect class="frame" x={x} y={y} width={width} height={height} rx="0.16" />;
}

// What dice show: pips, or a number if they have more sides; nothing before a throw.
function Dice({ board, position }) {
  return board.cells.flatMap(({ x, y, kind }, c) => {
    const value = position.cells[c];
    if (kind !== "die" || !value) return [];
    const pips = board.pips[value];
    return (
      <g key={c} class="pips" role="img" aria-label={`die: ${value}`}>
        {pips?.map(([dx, dy], i) => (
          <circle key={i} cx={x + dx} cy={y + dy} r="0.085" />
        ))}
        {!pips && (
          <text class="sign" x={x} y={y + 0.15} font-size="0.42">
            {value}
          </text>
        )}
      </g>
    );
  });
}

function Pieces({ board, position, last }) {
  const slides = last?.slides;
  return board.cells.flatMap((cell, c) => {
    const piece = board.pieces[position.cells[c]];
    if (!piece || cell.kind !== "board") return [];
    const fresh = last?.cells.includes(c);
    const from = slides?.[c];
    const count = Array.from({ length: piece.count }, (_, k) => k);
    return count.map((k) => (
      <Piece
        key={`${c}.${k}.${position.cells[c]}.${fresh ? last.ply : ""}${from ? last.ply : ""}`}
        board={board}
        piece={piece}
        shape={board.shapes[piece.shape === "cell" ? cell.shape : piece.shape]}
        x={cell.x}
        y={cell.y - RISE * k}
        fall={fresh && board.falling ? cell.y - board.box[1] : 0}
        slide={from}
        fresh={fresh && !board.falling && !from}
      />
    ));
  });
}

function Piece({ board, piece, shape, x, y, fall, slide, fresh }) {
  const node = useRef(null);
  useEffect(() => {
    const quiet = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (quiet || !node.current?.animate) return;
    if (fall) {
      const frames = [{ transform: `translate(0, ${-fall}px)` }, { transform: "none" }];
      node.current.animate(frames, {
        duration: 120 + 60 * fall,
        easing: "cubic-bezier(.5,0,.9,.6)",
      });
    } else if (slide) {
      const frames = [
        { transform: `translate(${slide[0]}px, ${slide[1]}px)` },
        { transform: "none" },
      ];
      node.current.animate(frames, { duration: 130, easing: "ease-out" });
    } else if (fresh) {
      const frames = [
        { opacity: 0.2, transform: "scale(.6)" },
        { opacity: 1, transform: "none" },
      ];
      node.current.animate(frames, { duration: 160, easing: "cubic-bezier(.2,.9,.3,1.2)" });
    }
  }, []);
  const pen = board.lines.includes(piece.shape);
  const colour = `var(--${piece.colour})`;
  const paint = pen ? { class: "pen", stroke: colour } : { class: "solid", fill: colour };
  const size = piece.text.length < 3 ? 0.4 : 1.15 / piece.text.length;
  return (
    <g ref={node} class={`piece ${piece.colour}`} style={{ transformOrigin: `${x}px ${y}px` }}>
      <Shape shape={shape} x={x} y={y} {...paint} />
      {piece.text && !pen && (
        <text class="sign" x={x} y={y + 0.36 * size} font-size={size}>
          {piece.text}
        </text>
      )}
    </g>
  );
}

function LastMark({ board, position, cell }) {
  const { x, y } = board.cells[cell];
  const piece = board.pieces[position.cells[cell]];
  if (!piece || piece.shape === "tile") return null;
  const above = piece.text && !board.lines.includes(piece.shape) ? 0.29 : 0; // the text
  return <circle class="last" cx={x} cy={y - above} r={above ? 0.07 : 0.1} />;
}

function TupleMarks({ board, tuple }) {
  const sign = tuple.weight >= 0 ? "for" : "against";
  const places = tuple.cells.map((c) => board.cells[c]).filter(({ kind }) => kind !== "off");
  return (
    <g class={`tuple ${sign}`}>
      <polyline points={places.map(({ x, y }) => `${x},${y}`).join(" ")} />
      {places.map(({ x, y }, i) => (
        <circle key={i} cx={x} cy={y} r="0.46" />
      ))}
    </g>
  );
}

// The value of an action, on the board.
function Value({ at, text, tone, best, share, faint }) {
  if (!at) return null;
  const width = 0.2 + 0.118 * text.length;
  return (
    <g class={`value ${best ? "best" : ""} ${faint ? "faint" : ""}`} style={{ "--tone": tone }}>
      {share !== undefined && (
        <rect
          class="share"
          x={at.x - 0.38}
          y={at.y + 0.22}
          width={0.76 * share}
          height="0.07"
          rx="0.035"
        />
      )}
      <rect x={at.x - width / 2} y={at.y - 0.165} width={width} height="0.33" rx="0.165" />
      <text x={at.x} y={at.y + 0.072}>
        {text}
      </text>
    </g>
  );
}

// Where to click for an action.
function Hit({ board, position, action, at, name, said, mark, focused, onPlay, onFocus }) {
  const target = board.targets[action];
  if (!at) return null;
  const press = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onPlay();
  };
  return (
    <g
      class={`hit ${mark ?? ""} ${target.towards ? "towards" : ""}`}
      role="button"
      tabindex={focused ? 0 : -1}
      data-action={action}
      data-place={action}
      aria-label={said ? `${name}, ${said}` : name}
      onClick={onPlay}
      onKeyDown={press}
      onFocus={onFocus}
    >
      <title>{name}</title>
      <HitShape board={board} position={position} target={target} at={at} />
    </g>
  );
}

// The best that can be done with each piece.
function bestOf(sources, previews, overlay) {
  return sources.flatMap((c) => {
    const own = Object.keys(overlay).filter((a) => previews[a]?.from === c);
    const best = own.sort((a, b) => overlay[b].value - overlay[a].value)[0];
    return best === undefined ? [] : [[c, overlay[best]]];
  });
}

function Lifted({ board, cell }) {
  const { x, y } = board.cells[cell];
  return <circle class="lifted" cx={x} cy={y} r="0.44" />;
}

// Where to click for a cell: one that is being set up, or one with a piece that can be carried.
function CellHit({ page, cell, value, onCell, pressed, place, focused = true, onFocus }) {
  const { board, game } = page.document;
  const { x, y, shape } = board.cells[cell];
  const press = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onCell(event.shiftKey ? -1 : 1);
  };
  const own = board.targets.findIndex(({ cells, part }) => cells.join() === `${cell}` && !part);
  const piece = board.pieces[value];
  const there = piece
    ? [piece.count > 1 ? piece.count : "", piece.text || piece.colour].join(" ").trim()
    : "empty";
  return (
    <g
      class="hit"
      role="button"
      tabindex={focused ? 0 : -1}
      data-cell={cell}
      data-place={place}
      aria-pressed={pressed}
      onFocus={onFocus}
      aria-label={`${own >= 0 ? game.actions[own] : `cell ${cell + 1}`}: ${there}`}
      onClick={(event) => onCell(event.shiftKey ? -1 : 1)}
      onKeyDown={press}
    >
      {board.tall ? (
        <rect class="area" x={x - 0.5} y={y - 0.5 - board.tall} width="1" height={1 + board.tall} />
      ) : (
        <Shape shape={board.shapes[shape]} x={x} y={y} class="area" />
      )}
    </g>
  );
}

function HitShape({ board, position, target, at }) {
  if (target.towards) {
    const turn = { up: 0, right: 90, down: 180, left: 270 }[target.towards];
    return (
      <g transform={`translate(${at.x} ${at.y}) rotate(${turn})`}>
        <rect class="area" x="-0.7" y="-0.22" width="1.4" height="0.44" />
        <path class="chevron" d="M-.2 .08 0-.1 .2 .08" />
      </g>
    );
  }
  if (target.part) {
    const cell = board.cells[target.cells[0]];
    const top = cell.y - RISE * (board.pieces[position.cells[target.cells[0]]].count - 1);
    return (
      <>
        <circle class="area" cx={at.x} cy={at.y} r="0.31" />
        <rect
          class="ghost"
          x={at.x - 0.36}
          y={top - 0.36}
          width="0.72"
          height={at.y - top + 0.72}
          rx="0.36"
        />
      </>
    );
  }
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
      <Shape shape={board.shapes[shape]} x={x} y={y} class="area" />
      <circle class="dot" cx={x} cy={y} r="0.09" />
    </>
  );
}

// What moved where when tiles slid: for the animation only.
function slides(board, before, after, towards) {
  const [dx, dy] = ARROWS[towards];
  const found = {};
  const lines = new Map();
  board.cells.forEach((cell, c) => {
    const key = dx ? cell.y : cell.x;
    lines.set(key, [...(lines.get(key) ?? []), c]);
  });
  for (const cells of lines.values()) {
    cells.sort((a, b) => {
      const [p, q] = [board.cells[a], board.cells[b]];
      return (q.x - p.x) * dx + (q.y - p.y) * dy;
    });
    const tiles = cells.filter((c) => before[c]);
    for (const c of cells.filter((c) => after[c])) {
      const from = tiles.shift();
      if (from === undefined) break;
      const start = after[c] === before[from] ? from : (tiles.shift() ?? from);
      const [p, q] = [board.cells[start], board.cells[c]];
      if (start !== c) found[c] = [p.x - q.x, p.y - q.y];
    }
  }
  return found;
}

// What the last move changed; chance, which comes after it, does not count.
export function lastMove(board, at) {
  if (at.action === null) return null;
  const before = at.parent.position.cells;
  const after = at.position.after ?? at.position.cells;
  const target = board.targets[at.action];
  const changed = after.flatMap((v, c) =>
    v !== before[c] && board.pieces[v] && board.cells[c].kind === "board" ? [c] : [],
  );
  if (target.towards) {
    const fresh = at.position.cells.flatMap((v, c) => (v !== after[c] ? [c] : []));
    return { cells: fresh, ply: at.ply, slides: slides(board, before, after, target.towards) };
  }
  const cells = target.part
    ? []
    : changed.filter((c) => target.cells.includes(c) || !target.cells.length);
  return { cells, ply: at.ply };
}
