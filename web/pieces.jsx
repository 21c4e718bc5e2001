// What lies on a board: its frame and cells, pieces, seeds and dice, and how they move.

import { useEffect, useRef } from "preact/hooks";
import { COME, DROP, FALL, FLIP, GO, SLIDE } from "./changes.js";
import { pieceOf } from "./look.js";
import { quiet } from "./tempo.js";
import { t } from "./texts.js";

export const RISE = 0.62; // from a stone of a heap to the next one
const MOST_STORED = 24; // seeds that are drawn in a store, beside their number
const [NARROW, LONG] = [0.75, 1.9]; // seeds of a store lie in a longer heap than those of a pit

export function Shape({ shape, x, y, ...more }) {
  const { tag: Tag, ...attributes } = shape;
  return <Tag {...attributes} {...more} transform={`translate(${x} ${y})`} />;
}

export function Ground({ board, shown }) {
  const [x, y, width, height] = board.frame;
  return (
    <>
      {board.look !== "plain" && (
        <rect class="frame" x={x} y={y} width={width} height={height} rx="0.16" />
      )}
      <Edges board={board} />
      {shown
        .filter((c) => board.cells[c].kind !== "note")
        .map((c) => (
        <Shape
          key={c}
          shape={board.shapes[board.cells[c].shape]}
          x={board.cells[c].x}
          y={board.cells[c].y}
          class={`cell ${kindOf(board, board.cells[c])}`}
        />
      ))}
    </>
  );
}

function kindOf(board, { kind, shape, x, y }) {
  if (kind === "die") return "die";
  if (shape === "card") return "card";
  if (board.lines.includes(shape)) return "line";
  return board.look === "check" && (x + y) % 2 ? "odd" : "";
}

export function Edges({ board, above = false }) {
  return board.edges
    .filter((edge) => edge.above === above)
    .map((edge, i) => (
      <polyline
        key={i}
        class="edge"
        points={edge.points}
        stroke={`var(--${edge.colour})`}
        stroke-width={edge.width}
      />
    ));
}

// What dice show: pips, or a number if they have more sides; nothing before a throw.
export function Dice({ board, position }) {
  return board.cells.flatMap(({ x, y, kind }, c) => {
    const value = position.cells[c];
    if (kind !== "die" || !value) return [];
    const pips = board.pips[value];
    return (
      <g key={c} class="pips" role="img" aria-label={t("die: {value}", { value })}>
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

// The backs of cards that the viewer does not see.
export function Backs({ board, position }) {
  return board.cells.flatMap(({ x, y, kind, shape }, c) =>
    kind === "card" && position.cells[c] === 0
      ? [
          <g key={c} class="back" role="img" aria-label={t("hidden card")}>
            <Shape shape={board.shapes[shape]} x={x} y={y} />
            <path d={`M${x - 0.2} ${y - 0.28}l.4 .56m0-.56l-.4 .56M${x} ${y - 0.34}v.68`} />
          </g>,
        ]
      : [],
  );
}

export function Pieces({ board, position, last }) {
  return board.cells.flatMap((cell, c) => {
    const value = position.cells[c];
    const piece = pieceOf(board, c, value);
    if (!piece || cell.kind === "die" || cell.kind === "off" || piece.shape === "seeds") return [];
    const fresh = last?.cells.includes(c) && !last.slides[c];
    const moves = fresh || last?.slides[c] || last?.flips[c];
    return Array.from({ length: piece.count }, (_, k) => (
      <Piece
        key={`${c}.${k}.${value}.${moves ? last.ply : ""}`}
        board={board}
        piece={piece}
        cell={cell}
        rank={k}
        motion={last?.animated && moves ? motionOf(board, last, c, cell) : null}
      />
    ));
  });
}

// Pieces that the last move took away go while they are seen.
export function Gone({ board, last }) {
  if (!last?.animated || quiet()) return null;
  return last.gone.map(({ cell, value, rank }) => (
    <Piece
      key={`${cell}.${rank}.${last.ply}`}
      board={board}
      piece={pieceOf(board, cell, value)}
      cell={board.cells[cell]}
      rank={rank}
      motion={{ frames: [{ opacity: 1 }, { opacity: 0, transform: "scale(.5)" }], duration: GO }}
      gone
    />
  ));
}

// How a piece comes to its cell.
function motionOf(board, last, c, cell) {
  if (last.slides[c]) {
    const [x, y] = last.slides[c];
    return {
      frames: [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }],
      duration: SLIDE,
      easing: "ease-out",
    };
  }
  if (last.flips[c]) {
    const { from, delay } = last.flips[c];
    const [old, thin] = [`var(--${from})`, "scale(.05, 1)"];
    return {
      frames: [{ transform: "none" }, { transform: thin }, { transform: "none" }],
      paint: [{ fill: old }, { fill: old, offset: 0.49 }, { offset: 0.5 }],
      duration: FLIP,
      delay,
    };
  }
  if (board.falling) {
    const deep = cell.y - board.box[1];
    return {
      frames: [{ transform: `translate(0, ${-deep}px)` }, { transform: "none" }],
      duration: FALL + DROP * deep,
      easing: "cubic-bezier(.5,0,.9,.6)",
    };
  }
  return {
    frames: [
      { opacity: 0.2, transform: "scale(.6)" },
      { opacity: 1, transform: "none" },
    ],
    duration: COME,
    easing: "cubic-bezier(.2,.9,.3,1.2)",
  };
}

function useMotion(motion) {
  const node = useRef(null);
  useEffect(() => {
    if (!motion || quiet() || !node.current?.animate) return;
    const { frames, paint, ...how } = motion;
    node.current.animate(frames, { fill: "backwards", ...how });
    if (paint) node.current.firstElementChild.animate(paint, { fill: "backwards", ...how });
  }, []);
  return node;
}

function Piece({ board, piece, cell, rank, motion, gone = false }) {
  const node = useMotion(motion);
  const [x, y] = [cell.x, cell.y + (cell.step || -RISE) * rank];
  const shape = piece.shape === "cell" ? cell.shape : piece.shape;
  const pen = board.lines.includes(shape);
  const paint = pen
    ? { class: shape === cell.shape ? "pen line" : "pen", stroke: `var(--${piece.colour})` }
    : { class: "solid", fill: `var(--${piece.colour})`, stroke: `var(--edge-${piece.colour})` };
  const usual = piece.text.length < 3 ? 0.4 : 1.15 / piece.text.length;
  const most = { note: 0.22, card: 0.64 / piece.text.length }[shape] ?? usual;
  const size = Math.min(usual, most); // of the text
  return (
    <g
      ref={node}
      class={`piece ${piece.colour} ${piece.shape} ${gone ? "gone" : ""}`}
      style={{ transformOrigin: `${x}px ${y}px` }}
    >
      <Shape shape={board.shapes[shape]} x={x} y={y} {...paint} />
      {piece.text && !pen && rank === piece.count - 1 && (
        <text
          class="sign"
          x={x}
          y={y + 0.36 * size}
          font-size={size}
          fill={`var(--on-${piece.colour})`}
        >
          {piece.text}
        </text>
      )}
    </g>
  );
}

// Seeds in pits and stores, as the words of the state count them.
export function Seeds({ board, position, last }) {
  return board.counts.map(({ cell, word, x, y }) => {
    const number = position.words
      ? Number(position.words[word])
      : Number(board.pieces[position.cells[cell]]?.text ?? 0);
    const place = board.cells[cell];
    const [wide, tall] = place.shape === "store" ? [NARROW, LONG] : [1, 1];
    const drawn = Math.min(number, place.shape === "store" ? MOST_STORED : board.seeds.length);
    const sown = last?.animated ? last.sown[cell] : undefined;
    return (
      <g key={cell} class="pit">
        {board.seeds.slice(0, drawn).map(([dx, dy], k) => (
          <Seed
            key={`${k}.${k === drawn - 1 && sown !== undefined ? last.ply : ""}`}
            x={place.x + dx * wide}
            y={place.y + dy * tall}
            delay={k === drawn - 1 ? sown : undefined}
          />
        ))}
        <text class="count" x={x} y={y + 0.12} font-size="0.34">
          {number}
        </text>
      </g>
    );
  });
}

function Seed({ x, y, delay }) {
  const grow = [{ opacity: 0, transform: "scale(2.4)" }, { opacity: 1, transform: "none" }];
  const motion = delay === undefined ? null : { frames: grow, duration: COME, delay };
  const node = useMotion(motion);
  return (
    <circle
      ref={node}
      class="seed"
      cx={x}
      cy={y}
      r="0.075"
      style={{ transformOrigin: `${x}px ${y}px` }}
    />
  );
}
