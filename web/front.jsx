// The front page of a site: two agents play, a puzzle of the day, and all games.

import { useEffect, useMemo } from "preact/hooks";
import { Board } from "./board.jsx";
import { Top } from "./frame.jsx";
import { LiveBoard } from "./live.jsx";
import { Puzzle } from "./puzzle.jsx";
import { number, t } from "./texts.js";
import { Thinker } from "./thinker.js";

const STRONG = { kind: "mcts", iterations: 1500, k: 1.414 };
const PAPER = "https://arxiv.org/abs/2111.14375";

export function Front({ page, front }) {
  return (
    <div class="app front">
      <Top title="tafl" plain />
      <main>
        <Hero page={page} front={front} />
        <Puzzle page={page} puzzles={front.puzzles} />
        <section aria-labelledby="games">
          <h2 id="games">{t("All games")}</h2>
          <ul class="cards">
            {front.games.map((game) => (
              <Card key={game.name} game={game} />
            ))}
          </ul>
        </section>
        <Links front={front} />
      </main>
    </div>
  );
}

function Hero({ page, front }) {
  const { file, game: known } = page.document;
  const thinker = useMemo(() => new Thinker(page), []);
  useEffect(() => () => thinker.worker.terminate(), []);
  const choose = async (position, seed) =>
    (await thinker.ask("act", { player: STRONG, position, seed })).action;
  const game = t(known.title);
  return (
    <section class="hero-board">
      <div class="pitch">
        <h2>{t("Games that learn in your browser")}</h2>
        <p class="lead">
          {t(
            "Here a computer learns board games by playing against itself. Play against it, see " +
              "what each move is worth, and train your own agent. Nothing is installed, and " +
              "nothing leaves your computer.",
          )}
        </p>
        <div class="row">
          <a class="button main large" href={`${file}#v=train&go=1`}>
            {t("Watch it learn {game}, then try to beat it", { game })}
          </a>
          <a class="button" href={front.lesson}>
            {t("A lesson: how does it learn?")}
          </a>
        </div>
      </div>
      <LiveBoard page={page} choose={choose} label={t("Two agents play {game}", { game })} />
    </section>
  );
}

function Card({ game }) {
  const known = { document: { board: game.board, game: { ...game, actions: [], signs: [] } } };
  const facts = [
    game.players === 1 ? t("for one") : t("{count} players", { count: game.players }),
    game.chance && !game.hides ? t("with chance") : null,
    game.hides ? t("with hidden information") : null,
    game.puzzles ? t("{count} puzzles", { count: game.puzzles }) : null,
  ];
  return (
    <li>
      <a class="card game" href={game.file}>
        <Board
          page={known}
          position={{ cells: game.cells, words: game.words, legal: [], player: 0, scores: [] }}
          small
          label={t(game.title)}
        />
        <h3>{t(game.title)}</h3>
        <p>{t(game.text)}</p>
        {game.strength && (
          <p class="strength">
            {game.strength.text
              ? t("Champion: {strength}", {
                  strength: t(game.strength.text, { share: number(Number(game.strength.share)) }),
                })
              : t("With a champion to beat")}
          </p>
        )}
        <small>{facts.filter(Boolean).join(" · ")}</small>
      </a>
    </li>
  );
}

function Links({ front }) {
  return (
    <footer class="links">
      {front.docs && <a href={front.docs}>{t("Documentation: your own games and agents")}</a>}
      <a href={PAPER}>{t("The paper: Final Adaptation Reinforcement Learning")}</a>
    </footer>
  );
}
