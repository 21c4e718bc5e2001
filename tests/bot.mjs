// Asks an exported module in Node: node bot.mjs MODULE JOB ANSWER. Both are JSON.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [module, file, out] = process.argv.slice(2);
const { load } = await import(pathToFileURL(module));
const { positions, agents, seed, games, worker } = JSON.parse(readFileSync(file));
const game = await load({ worker });

// Everything that Python says of a position, too.
async function told({ seed: start, actions }) {
  const state = game.start(start);
  for (const action of actions) state.play(action);
  const saved = game.deserialize(state.serialize());
  return {
    player: state.player,
    over: state.over,
    scores: state.scores,
    cells: state.cells,
    legal: state.legal,
    seen: Array.from({ length: game.players }, (_, p) => state.sees(p)),
    same: JSON.stringify(saved.cells) === JSON.stringify(state.cells),
    acts: await Promise.all(agents.map((name) => game.agent(name, { seed }).act(state))),
    values: await Promise.all(agents.map((name) => game.agent(name, { seed }).values(state))),
  };
}

// Games of random agents; the number of a game is the seed of chance and of the agents.
async function played(number) {
  const state = game.start(number);
  const players = Array.from({ length: game.players }, (_, p) =>
    game.agent("random", { seed: number + p }),
  );
  while (!state.over) state.play(await players[state.player].act(state));
  const { history, scores } = state;
  const before = history.map(() => state.undo().cells)[history.length - 1];
  return { history, scores, begun: JSON.stringify(before) === JSON.stringify(game.start(number).cells) };
}

const answer = { name: game.name, agents: game.agents, positions: [], games: [] };
for (const position of positions) answer.positions.push(await told(position));
for (let number = 0; number < games; number++) answer.games.push(await played(number));
writeFileSync(out, JSON.stringify(answer));
await game.close();
