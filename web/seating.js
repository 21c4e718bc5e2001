// The agents that a page knows, the seats they take, and the adviser whose values are shown.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { readAgent } from "./files.js";
import { keep, kept } from "./kept.js";
import { kinds, same } from "./seats.js";
import { MOST, shelve, shelved, unshelve } from "./shelf.js";
import { t } from "./texts.js";
import { Thinker } from "./thinker.js";

let number = 0; // of agents that were added

// Agents and seats as state: who can play, who does, and the two workers that think for them.
export function useSeats(page, notice) {
  const [agents, setAgents] = useState(() =>
    page.document.agents.map(({ label, bits, trained }, i) => {
      return { key: `a${i}`, label, bits, mixed: Boolean(trained.store) };
    }),
  );
  const { opponent, adviser } = useThinkers(page);
  const players = useMemo(() => kinds(page, agents), [agents]);
  const [seats, setSeats] = useKeptSeats(page, players);
  const [advice, setAdvice] = useState(() => usualAdviser(page, players));

  // An agent that was trained here or comes from a file, which is kept for the next visit.
  const addAgent = ({ key = `t${Date.now()}.${number++}`, label, form, weights, file }) => {
    opponent.add(key, form, weights);
    adviser.add(key, form, weights);
    const agent = { key, label, own: true, mixed: Boolean(form.store) };
    setAgents((known) => fewest([...known, agent], seats));
    if (file) {
      shelve(page.document.game.name, { key, label, file }).catch(() =>
        notice(t("This browser has no room to keep {agent}: save it as a file.", { agent: label })),
      );
    }
    return agent;
  };
  useEffect(() => {
    restore(page, addAgent);
  }, []);
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

// Seats as state: those of the last visit, as soon as all their players are known.
function useKeptSeats(page, players) {
  const name = `seats.${page.document.game.name}`;
  const before = useRef(kept(name));
  const [seats, setSeats] = useState(() => usualSeats(page, players));
  useEffect(() => {
    const found = before.current && seated(before.current, players, seats.length);
    if (!found) return;
    before.current = null;
    setSeats(found);
  }, [players]);
  const choose = (chosen) => {
    before.current = null;
    keep(name, chosen);
    setSeats(chosen);
  };
  return [seats, choose];
}

function seated(wanted, players, count) {
  const right = Array.isArray(wanted) && wanted.length === count;
  const known = (seat) => players.some((p) => same(p, seat) && p.label === seat.label);
  return right && wanted.every(known) ? wanted : null;
}

// Agents that were kept come back; files that are not sound any more are dropped.
async function restore(page, addAgent) {
  for (const { key, label, file } of await shelved(page.document.game.name)) {
    try {
      addAgent({ key, label, ...(await readAgent(file, page)) });
    } catch {
      unshelve(key).catch(() => {});
    }
  }
}

// Of agents that were trained here the newest, and those that sit at the board.
function fewest(agents, seats) {
  const own = agents.filter((agent) => agent.own);
  const seatedNow = (agent) => seats.some((seat) => seat.agent === agent.key);
  const dropped = own.slice(0, -MOST).filter((agent) => !seatedNow(agent));
  return agents.filter((agent) => !dropped.includes(agent));
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
