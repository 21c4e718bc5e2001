// Marks on a board: the last move, what won, values, the best move, and n-tuples.

import { pieceOf } from "./look.js";
import { Shape } from "./pieces.jsx";

export function LastMark({ board, position, cell }) {
  const { x, y, shape } = board.cells[cell];
  const piece = pieceOf(board, cell, position.cells[cell]);
  if (board.counts.some((count) => count.cell === cell)) {
    return <circle class="sown" cx={x} cy={y} r="0.44" />;
  }
  if (!piece || piece.shape === "tile") return null;
  if (board.lines.includes(shape)) {
    return <Shape class="trace last-line" shape={board.shapes[shape]} x={x} y={y} />;
  }
  const above = piece.text && !board.lines.includes(piece.shape) ? 0.29 : 0; // the text
  return <circle class="last" cx={x} cy={y - above} r={above ? 0.07 : 0.1} />;
}

// The lines or the chain that won: each a list of cells.
export function WonMarks({ board, lines }) {
  return lines.map((cells) => {
    const places = cells.map((c) => board.cells[c]);
    const [{ x, y, shape }] = places;
    if (board.lines.includes(shape)) {
      return cells.map((c) => {
        const place = board.cells[c];
        const drawn = board.shapes[place.shape];
        return <Shape key={c} class="won line" shape={drawn} x={place.x} y={place.y} />;
      });
    }
    const points = places.map((place) => `${place.x},${place.y}`).join(" ");
    return (
      <g key={cells.join()} class="won" data-cells={cells.join()}>
        {["under", "over"].map((layer) =>
          cells.length === 1 ? (
            <circle key={layer} class={layer} cx={x} cy={y} r="0.42" />
          ) : (
            <polyline key={layer} class={layer} points={points} />
          ),
        )}
      </g>
    );
  });
}

export function TupleMarks({ board, tuple }) {
  const sign = tuple.weight >= 0 ? "for" : "against";
  const places = tuple.cells.map((c) => board.cells[c]).filter(({ kind }) => kind !== "off");
  const points = places.map(({ x, y }) => `${x},${y}`).join(" ");
  return (
    <g class={`tuple ${sign}`}>
      {["under", "over"].map((layer) => (
        <g key={layer} class={layer}>
          <polyline points={points} />
          {places.map(({ x, y }, i) => (
            <circle key={i} cx={x} cy={y} r="0.42" />
          ))}
        </g>
      ))}
    </g>
  );
}

// The value of an action: its colour on the cell, and a number if it is one of the best.
export function Value({ board, at, text, tone, best, share }) {
  if (!at) return null;
  if (text === null) {
    return <circle class="heat" style={{ "--tone": tone }} cx={at.x} cy={at.y} r="0.17" />;
  }
  const width = 0.2 + 0.118 * text.length;
  const size = Math.max(1, board.box[2] / 9); // numbers stay readable on large boards
  return (
    <g
      class={`value ${best ? "best" : ""}`}
      style={{ "--tone": tone }}
      transform={`translate(${at.x} ${at.y}) scale(${size})`}
    >
      {share !== undefined && (
        <rect class="share" x="-0.38" y="0.22" width={0.76 * share} height="0.07" rx="0.035" />
      )}
      <rect x={-width / 2} y="-0.165" width={width} height="0.33" rx="0.165" />
      <text y="0.072">{text}</text>
    </g>
  );
}

export function Lifted({ board, cell }) {
  const { x, y } = board.cells[cell];
  return (
    <g class="lifted">
      <circle class="under" cx={x} cy={y} r="0.45" />
      <circle class="over" cx={x} cy={y} r="0.45" />
    </g>
  );
}

// The best move: an arrow where a piece goes, else a ring where one is placed.
export function BestMove({ board, way, at }) {
  if (way?.from !== undefined && way.cell !== undefined) {
    const [p, q] = [board.cells[way.from], board.cells[way.cell]];
    const far = Math.hypot(q.x - p.x, q.y - p.y) || 1;
    const [dx, dy] = [(q.x - p.x) / far, (q.y - p.y) / far];
    const [x, y] = [q.x - 0.22 * dx, q.y - 0.22 * dy];
    const head = `${x - 0.24 * dx - 0.17 * dy},${y - 0.24 * dy + 0.17 * dx} ${x},${y} ${x - 0.24 * dx + 0.17 * dy},${y - 0.24 * dy - 0.17 * dx}`;
    return (
      <g class="arrow">
        {["under", "over"].map((layer) => (
          <g key={layer} class={layer}>
            <line x1={p.x} y1={p.y} x2={x} y2={y} />
            <polyline points={head} />
          </g>
        ))}
      </g>
    );
  }
  if (!at) return null;
  return (
    <g class="arrow">
      <circle class="under" cx={at.x} cy={at.y} r="0.42" />
      <circle class="over" cx={at.x} cy={at.y} r="0.42" />
    </g>
  );
}
