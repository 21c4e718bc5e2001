// The game as a whole: its values, its moves, its mistakes; to copy and to link.

import { useEffect, useMemo, useState } from "preact/hooks";
import { hexadecimal, link } from "./address.js";
import { Chart } from "./chart.jsx";
import { record, save } from "./files.js";
import { readText } from "./game.js";
import { Choice } from "./seat.jsx";
import { seatColour, seatName, spec } from "./seats.js";
import { canSetUp } from "./setup.jsx";
import { Stopped } from "./thinker.js";
import { rated, said } from "./values.js";

const MISTAKE = 0.15; // of the range of scores
const MOST_ROWS = 400; // of the table at a time
const SHOWN = 80; // milliseconds between two drawings of an analysis, and more for a long game

export function GameView({ page, line, at, seats, players, actions, advice, setAdvice, adviser }) {
  const { game } = page.document;
  const nodes = useMemo(() => line.whole, [line, at]);
  const key = `${advice.kind}.${advice.agent ?? ""}.${advice.depth ?? advice.iterations ?? ""}`;
  const done = useAnalysis(adviser, nodes, advice, key);
  const { rows, mistakes, values } = useMemo(() => told(nodes, key, game), [nodes, key, done]);
  const next = mistakes.find(({ node }) => node.ply > at.ply + 1) ?? mistakes[0];
  const thinking = players.filter((player) => player.kind !== "human" && player.kind !== "random");
  return (
    <section class="panel" aria-label="The game">
      <div class="row">
        <Choice label="judged by" players={thinking} value={advice} onChange={setAdvice} />
        {done < nodes.length && <progress value={done} max={nodes.length} aria-label="Analysis" />}
      </div>
      <Chart
        label={`Value of the position after each move${game.zeroSum ? ` for ${seatName(page, 0)}` : ""}`}
        x={[0, Math.max(1, nodes.length - 1)]}
        y={extent(values, game)}
        height={190}
        lines={[{ name: "value", points: values, colour: "var(--accent)" }]}
        marks={[
          ...mistakes.map(({ node }) => ({
            x: node.ply,
            y: valueFor(node, key, game) ?? 0,
            kind: "mistake",
          })),
          ...values.filter(([ply]) => ply === at.ply).map(([x, y]) => ({ x, y, kind: "now" })),
        ]}
        onPick={(ply) => actions.goTo(nodes[Math.min(ply, nodes.length - 1)])}
      />
      <div class="row">
        <button
          type="button"
          data-key="mistake"
          disabled={!next}
          onClick={() => actions.goTo(next.node.parent)}
        >
          Next mistake
        </button>
        <span class="note">
          {mistakes.length === 1 ? "1 mistake" : `${mistakes.length} mistakes`} in {rows.length}{" "}
          moves
        </span>
      </div>
      <Moves {...{ page, at, rows, actions }} />
      <h2>Another position</h2>
      <Bring {...{ page, actions }} />
      <h2>Save or copy</h2>
      <Copies {...{ page, line, at, seats, actions }} />
    </section>
  );
}

// The moves as a table; of a long game a part at a time.
function Moves({ page, at, rows, actions }) {
  const { game } = page.document;
  const [turned, setTurned] = useState({ at, by: 0 });
  const by = turned.at === at ? turned.by : 0; // a jump brings its own part
  const last = Math.max(0, rows.length - MOST_ROWS);
  const first = Math.max(0, Math.min(at.ply - MOST_ROWS / 2 + by, last));
  const turn = (step) => setTurned({ at, by: first + step - (at.ply - MOST_ROWS / 2) });
  return (
    <>
      {rows.length > MOST_ROWS && (
        <div class="row">
          <button type="button" disabled={first === 0} onClick={() => turn(-MOST_ROWS)}>
            Earlier
          </button>
          <button type="button" disabled={first === last} onClick={() => turn(MOST_ROWS)}>
            Later
          </button>
          <span class="note">
            moves {first + 1} to {first + MOST_ROWS} of {rows.length.toLocaleString("en")}
          </span>
        </div>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label="Moves">
        <table class="moves">
          <caption class="unseen">All moves with their values</caption>
          <thead>
            <tr>
              <th class="number">#</th>
              <th>who</th>
              <th>move</th>
              <th class="number">value</th>
              <th class="number">loss</th>
              <th>best</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(first, first + MOST_ROWS).map(({ node, value, loss, best, mistake }) => (
              <tr
                key={node.ply}
                class={`${node === at ? "chosen" : ""} ${mistake ? "mistake" : ""}`}
              >
                <td class="number">{node.ply}</td>
                <td>
                  <i
                    class="chip"
                    style={{ background: seatColour(page, node.parent.position.player) }}
                  />
                  <span class="unseen">{seatName(page, node.parent.position.player)}</span>
                </td>
                <th scope="row">
                  <button type="button" class="move" onClick={() => actions.goTo(node)}>
                    {game.actions[node.action]}
                  </button>
                  {node.parent.children.length > 1 && (
                    <Variations node={node} game={game} goTo={actions.goTo} />
                  )}
                </th>
                <td class="number">{value === null ? "…" : said(value, game)}</td>
                <td class="number">{loss > 0.005 ? said(loss, game) : ""}</td>
                <td>{loss > 0.005 ? game.actions[best] : ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Variations({ node, game, goTo }) {
  const others = node.parent.children.filter((child) => child !== node);
  return (
    <span class="variations">
      {others.map((child) => (
        <button key={child.action} type="button" class="link" onClick={() => goTo(child)}>
          or {game.actions[child.action]}
        </button>
      ))}
    </span>
  );
}

// Moves, or a position as tafl writes it.
function Bring({ page, actions }) {
  const { game, board } = page.document;
  const take = (event) => {
    event.preventDefault();
    const found = readText(
      page.rules,
      game,
      board,
      new FormData(event.target).get("text").slice(0, 100000),
    );
    if (typeof found === "string") actions.notice(`The text cannot be read: ${found}.`);
    else actions.open(found);
  };
  return (
    <form class="row bring" onSubmit={take}>
      <label class="grow">
        <span class="unseen">Moves, or a position</span>
        <input
          type="text"
          name="text"
          placeholder={`moves such as ${game.actions.slice(0, 2).join(", ")}, or a position`}
        />
      </label>
      <button type="submit">Open</button>
      {canSetUp(page.document) && (
        <button type="button" onClick={actions.setUp}>
          Set up by hand …
        </button>
      )}
    </form>
  );
}

function Copies({ page, line, at, seats, actions }) {
  const { game } = page.document;
  const copy = async (text, what) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      fallbackCopy(text);
    }
    actions.notice(`${what} copied.`);
  };
  const moves = line.actions.map((a) => game.actions[a]);
  const between = moves.some((name) => name.includes(" ")) ? ", " : " ";
  const words = hexadecimal(at.position.words).join(" ");
  const text =
    game.chance || !line.fromStart
      ? `${game.name} @ ${words}`
      : `${game.name}: ${moves.join(between)}`.trim();
  const written = () =>
    record(game, {
      seed: line.seed,
      agents: seats.map(spec),
      moves: line.actions,
      scores: at.position.scores,
    });
  return (
    <div class="row">
      <button
        type="button"
        onClick={() => copy(location.href.split("#")[0] + link("game", line), "Link")}
      >
        Link
      </button>
      <button type="button" onClick={() => copy(text, "Position")}>
        Text
      </button>
      <button type="button" onClick={() => copy(written(), "Record")}>
        Record
      </button>
      <button type="button" onClick={() => picture(game.title)}>
        Picture
      </button>
    </div>
  );
}

function fallbackCopy(text) {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// The board as a file: an SVG with its colours written into it.
function picture(name) {
  const board = document.querySelector(".stage .board");
  const clone = board.cloneNode(true);
  const [from, to] = [board, clone].map((root) => [...root.querySelectorAll("*")]);
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const property of [
      "fill",
      "stroke",
      "stroke-width",
      "opacity",
      "font-size",
      "font-family",
      "text-anchor",
    ]) {
      to[i].setAttribute(property, style.getPropertyValue(property));
    }
  });
  clone.querySelectorAll(".hit").forEach((node) => node.remove());
  clone.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  save(new Blob([clone.outerHTML], { type: "image/svg+xml" }), `${name}.svg`);
}

// Asks the adviser about one position after the other; returns how many are known.
function useAnalysis(adviser, nodes, advice, key) {
  const known = (node) => node.judged?.[key] || node.position.over;
  const [, redraw] = useState(0);
  useEffect(() => {
    let wanted = true;
    const run = async () => {
      let shown = performance.now();
      for (const node of nodes) {
        if (!wanted) return;
        if (known(node)) continue;
        const found = await adviser.ask("rate", { player: advice, words: node.position.words });
        (node.judged ??= {})[key] = rated(found);
        if (performance.now() - shown > SHOWN + nodes.length / 10) {
          redraw((n) => n + 1);
          shown = performance.now();
        }
      }
      if (wanted) redraw((n) => n + 1);
    };
    const go = () =>
      run().catch((error) => {
        if (!(error instanceof Stopped)) throw error;
        if (wanted) setTimeout(go, 50); // the worker was busy with something else
      });
    go();
    return () => (wanted = false);
  }, [nodes.length, nodes[nodes.length - 1], key]);
  return nodes.reduce((sum, node) => sum + (known(node) ? 1 : 0), 0);
}

// All moves with what they are worth, those that were mistakes, and the value over the moves.
function told(nodes, key, game) {
  const rows = nodes.slice(1).map((node) => judged(node, key, game));
  return {
    rows,
    mistakes: rows.filter(({ mistake }) => mistake),
    values: nodes
      .map((node) => [node.ply, valueFor(node, key, game)])
      .filter(([, value]) => value !== null),
  };
}

// What a move was worth, and what the best one would have been.
function judged(node, key, game) {
  const before = node.parent.judged?.[key];
  const entry = before?.entries.find(({ action }) => action === node.action);
  if (!entry) return { node, value: null, loss: null, best: null, mistake: false };
  const [low, high] = game.range.map((x) => x / game.unit);
  const scale = game.players === 1 ? Math.max(1, Math.abs(before.top)) : high - low;
  return {
    node,
    value: entry.value,
    loss: entry.loss,
    best: before.entries[0].action,
    mistake: entry.loss > MISTAKE * scale,
  };
}

// The value of a position: for the first player where that says it for all, else for who moves.
function valueFor(node, key, game) {
  const { position } = node;
  const opposite = game.zeroSum && position.player !== 0;
  if (position.over)
    return game.zeroSum ? position.scores[0] : position.scores[node.parent?.position.player ?? 0];
  const found = node.judged?.[key];
  if (!found) return null;
  return opposite ? -found.top : found.top;
}

function extent(values, game) {
  const [low, high] = game.range.map((x) => x / game.unit);
  if (high - low <= 100) return [low, high];
  return [0, values.reduce((most, [, value]) => Math.max(most, value), 10)];
}
