// Lines over a number: values of a game, learning curves. Drawn as SVG, so that it needs no library.

import { useLayoutEffect, useRef, useState } from "preact/hooks";

export function Chart(props) {
  const {
    lines,
    x: [x0, x1],
    y: [y0, y1],
    height = 220,
    marks = [],
    onPick,
    label,
    guides = [],
  } = props;
  const [width, setWidth] = useState(600);
  const box = useRef(null);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(240, entry.contentRect.width)),
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const [left, right, top, bottom] = [46, 14, 12, 30];
  const px = (x) => left + ((x - x0) / (x1 - x0 || 1)) * (width - left - right);
  const py = (y) => top + (1 - (y - y0) / (y1 - y0 || 1)) * (height - top - bottom);
  const pick = (event) => {
    const at = event.clientX - box.current.getBoundingClientRect().left;
    const x = x0 + ((at - left) / (width - left - right)) * (x1 - x0);
    onPick?.(Math.round(Math.min(x1, Math.max(x0, x))));
  };
  return (
    <div class="chart" ref={box}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={label}
        onClick={pick}
        class={onPick ? "picking" : ""}
      >
        {ticks(y0, y1, 4).map((y) => (
          <g key={`y${y}`}>
            <line class="grid" x1={left} x2={width - right} y1={py(y)} y2={py(y)} />
            <text class="tick" x={left - 8} y={py(y) + 4} text-anchor="end">
              {short(y)}
            </text>
          </g>
        ))}
        {ticks(x0, x1, Math.max(2, Math.floor(width / 110))).map((x) => (
          <text key={`x${x}`} class="tick" x={px(x)} y={height - 8} text-anchor="middle">
            {short(x)}
          </text>
        ))}
        {guides.map(({ y, text }) => (
          <g key={text}>
            <line class="guide" x1={left} x2={width - right} y1={py(y)} y2={py(y)} />
            <text class="guide" x={width - right} y={py(y) - 5} text-anchor="end">
              {text}
            </text>
          </g>
        ))}
        {lines.map(({ points, colour, dashed, name }) => (
          <g key={name} style={{ "--line": colour }}>
            <path
              class={`curve ${dashed ? "dashed" : ""}`}
              d={path(thinned(points, width), px, py)}
            />
            {points.length > 0 &&
              points.length < 60 &&
              points.map(([x, y], i) => (
                <circle key={i} class="point" cx={px(x)} cy={py(y)} r="2.6" />
              ))}
          </g>
        ))}
        {sparse(marks, px).map(({ x, y, kind }) => (
          <circle
            key={`${kind}${x}`}
            class={`mark ${kind}`}
            cx={px(x)}
            cy={py(y)}
            r={kind === "now" ? 6 : 4.5}
          />
        ))}
      </svg>
    </div>
  );
}

// Of many points those that can be told apart: the lowest and the highest of each pixel.
export function thinned(points, width) {
  if (points.length <= 4 * width) return points;
  const each = points.length / width;
  const found = [];
  for (let i = 0; i < width; i++) {
    const few = points.slice(Math.floor(i * each), Math.floor((i + 1) * each));
    const low = few.reduce((a, b) => (b[1] < a[1] ? b : a));
    const high = few.reduce((a, b) => (b[1] > a[1] ? b : a));
    found.push(...(low[0] < high[0] ? [low, high] : [high, low]));
  }
  return found;
}

// One mark a pixel and kind.
function sparse(marks, px) {
  const seen = new Map(marks.map((mark) => [`${mark.kind}${Math.round(px(mark.x))}`, mark]));
  return [...seen.values()];
}

function path(points, px, py) {
  return points
    .map(([x, y], i) => `${i ? "L" : "M"}${px(x).toFixed(1)} ${py(y).toFixed(1)}`)
    .join("");
}

function ticks(from, to, wanted) {
  const span = to - from;
  if (!(span > 0)) return [from];
  const raw = span / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
  const found = [];
  for (let t = Math.ceil(from / step) * step; t <= to + 1e-9 * span; t += step)
    found.push(Number(t.toPrecision(12)));
  return found;
}

export function short(number) {
  const size = Math.abs(number);
  if (size >= 1e6) return `${Number((number / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((number / 1e3).toPrecision(3))}k`;
  return String(Number(number.toPrecision(3)));
}
