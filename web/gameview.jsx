// The game as a whole: its values, its moves, its mistakes.

import { useEffect, useMemo, useState } from "preact/hooks";
import { GRADES, told, valueOf } from "./analysis.js";
import { Chart } from "./chart.jsx";
import { Bring, Copies } from "./copies.jsx";
import { Moves } from "./movelist.jsx";
import { perspective } from "./result.js";
import { Choice } from "./seat.jsx";
import { seatName } from "./seats.js";
import { t } from "./texts.js";
import { Stopped } from "./thinker.js";
import { rated } from "./values.js";

const SHOWN = 80; // milliseconds between two drawings of an analysis, and more for a long game

export function GameView({ page, line, at, seats, players, actions, advice, setAdvice, adviser }) {
  const { game } = page.document;
  const side = perspective(seats);
  const nodes = useMemo(() => line.whole, [line, at]);
  const key = `${advice.kind}.${advice.agent ?? ""}.${advice.depth ?? advice.iterations ?? ""}`;
  const done = useAnalysis(adviser, nodes, advice, key);
  const { rows, mistakes, values } = useMemo(
    () => told(nodes, key, game, side),
    [nodes, key, done, side],
  );
  const next = mistakes.find(({ node }) => node.ply > at.ply + 1) ?? mistakes[0];
  const thinking = players.filter((player) => player.kind !== "human" && player.kind !== "random");
  const turns = game.zeroSum && game.players === 2;
  return (
    <section class="panel" aria-label={t("The game")}>
      <div class="row">
        <Choice label={t("judged by")} players={thinking} value={advice} onChange={setAdvice} />
        {done < nodes.length && (
          <progress value={done} max={nodes.length} aria-label={t("Analysis")} />
        )}
      </div>
      <Chart
        label={
          turns
            ? t("Value of the position after each move for {player}", {
                player: seatName(page, side),
              })
            : t("Value of the position after each move")
        }
        x={[0, Math.max(1, nodes.length - 1)]}
        y={extent(values, game)}
        height={190}
        lines={[{ name: "value", points: values, colour: "var(--accent)" }]}
        marks={[
          ...mistakes.map(({ node }) => ({
            x: node.ply,
            y: valueOf(node, key, game, side) ?? 0,
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
          {t("Next mistake")}
        </button>
        <span class="note">{summary(mistakes, rows.length)}</span>
      </div>
      <Moves {...{ page, at, rows, actions }} side={turns ? seatName(page, side) : null} />
      {!game.hides && (
        <>
          <h2>{t("Another position")}</h2>
          <Bring {...{ page, actions }} />
        </>
      )}
      <h2>{t("Save or copy")}</h2>
      {line.secret ? (
        <p class="note">{t("When the game is over, you can save it and look through it.")}</p>
      ) : (
        <Copies {...{ page, line, at, seats, actions }} />
      )}
    </section>
  );
}

// How many moves of each grade there are.
function summary(mistakes, moves) {
  const counts = GRADES.map(({ sign }, grade) => {
    return `${mistakes.filter((row) => row.grade === grade).length} ${sign}`;
  });
  return t("{counts} in {moves} moves", { counts: counts.reverse().join(", "), moves });
}

// Asks the adviser about one position after the other; returns how many are known.
function useAnalysis(adviser, nodes, advice, key) {
  // positions whose legal moves the viewer does not see have no verdict
  const known = (node) => node.judged?.[key] || !node.position.legal.length;
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

function extent(values, game) {
  const [low, high] = game.range.map((x) => x / game.unit);
  if (high - low <= 100) return [low, high];
  return [0, values.reduce((most, [, value]) => Math.max(most, value), 10)];
}
