// The agents that a page knows, the seats they take, and the adviser whose values are shown.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { kinds } from "./seats.js";
import { Thinker } from "./thinker.js";

// Agents and seats as state: who can play, who does, and the two workers that think for them.
export function useSeats(page) {
  const [agents, setAgents] = useState(() =>
    page.document.agents.map(({ label, bits, trained }, i) => {
      return { key: `a${i}`, label, bits, mixed: Boolean(trained.store) };
    }),
  );
  const { opponent, adviser } = useThinkers(page);
  const players = useMemo(() => kinds(page, agents), [agents]);
  const [seats, setSeats] = useState(() => usualSeats(page, players));
  const [advice, setAdvice] = useState(() => usualAdviser(page, players));

  const addAgent = ({ label, form, weights }) => {
    const key = `t${agents.length}.${Date.now()}`;
    opponent.add(key, form, weights);
    adviser.add(key, form, weights);
    const agent = { key, label, own: true, mixed: Boolean(form.store) };
    setAgents((known) => [...known, agent]);
    return agent;
  };
  // The agent takes every seat but the first, which is yours.
  const seatAgainst = (agent) => {
    const player = { kind: "trained", agent: agent.key, label: agent.label };
    setSeats(
      seats.map((_, p) => (p === 0 && seats.length > 1 ? { kind: "human" } : player)),
    );
    setAdvice(player);
  };
  return {
    agents,
    players,
    opponent,
    adviser,
    seats,
    setSeats,
    advice,
    setAdvice,
    addAgent,
    seatAgainst,
  };
}

// One worker moves, another rates moves, so that neither waits for the other.
function useThinkers(page) {
  const thinkers = useRef(null);
  thinkers.current ??= makeThinkers(page);
  const { opponent, adviser } = thinkers.current;
  useEffect(() => () => [opponent, adviser].forEach((thinker) => thinker.worker.terminate()), []);
  return thinkers.current;
}

function makeThinkers(page) {
  const made = { opponent: new Thinker(page), adviser: new Thinker(page) };
  page.document.agents.forEach(({ trained }, i) => {
    made.opponent.add(`a${i}`, trained);
    made.adviser.add(`a${i}`, trained);
  });
  return made;
}

function usualSeats(page, players) {
  const first =
    players.find((p) => p.kind === "trained") ??
    players.find((p) => p.kind === "mcts" || p.kind === "ismcts") ??
    players.find((p) => p.kind === "random");
  return Array.from({ length: page.document.game.players }, (_, p) =>
    p === 0 ? players[0] : first,
  );
}

function usualAdviser(page, players) {
  const exact = page.document.trainings.some((training) => training.exact);
  const wanted = ["trained", ...(exact ? ["maxn"] : []), "mcts", "ismcts", "random"];
  const kind = wanted.find((k) => players.some((p) => p.kind === k));
  const player = players.find((p) => p.kind === kind);
  return kind === "maxn" ? { ...player, depth: 40 } : player;
}
