// The board with its status above it and the buttons below it.

import { useMemo, useRef } from "preact/hooks";
import { Board } from "./board.jsx";
import { lastMove } from "./changes.js";
import { EvaluationBar } from "./evaluation.jsx";
import { preview } from "./game.js";
import { decided, outcome, perspective } from "./result.js";
import { playerName, seatName } from "./seats.js";
import { changed } from "./setup.jsx";
import { ShareButton } from "./share.jsx";
import { Status } from "./status.jsx";
import { moveText, t } from "./texts.js";

export function Stage(props) {
  const { page, line, at, position, seats, live, screen, thinking, actions, playable, view } =
    props;
  const { setup, setSetup, overlay, tuple, rating, verdict, advice } = props;
  const { game, board } = page.document;
  const previews = useMemo(() => preview(page.rules, position, board), [position]);
  const last = useLastMove(page, at);
  const won = useMemo(() => decided(board, at), [at, at.position]);
  const judged = rating !== null || verdict !== null;
  const best = judged && view !== "play" ? bestOf(rating, verdict) : null;
  return (
    <section class="stage" id="board" aria-label={t("Board")}>
      {setup ? (
        <p class="status">
          <strong>{t("A position of your own")}</strong>
        </p>
      ) : (
        <Status {...{ page, at, seats, thinking }} />
      )}
      {!setup && (judged || view === "game" || view === "inside") && (
        <EvaluationBar
          {...{ page, position, rating, verdict }}
          side={perspective(seats)}
          estimator={playerName(advice)}
        />
      )}
      <div class="frame-card">
        {screen.covered && <Cover {...{ page, at, take: screen.take }} />}
        <Board
          key={screen.viewer} // where one person had the focus is not for the next
          page={page}
          position={setup ? { ...position, words: null, cells: setup.cells, legal: [] } : position}
          previews={previews}
          overlay={setup ? {} : overlay}
          tuple={setup ? { cells: setup.differing, weight: -1 } : tuple}
          last={setup ? null : last}
          won={setup ? [] : won}
          best={setup ? null : best}
          onCell={setup && ((c, step) => setSetup(changed(setup, board, c, step)))}
          label={`${t(game.title)}, ${
            position.over
              ? t("finished")
              : t("{player} to move", { player: seatName(page, position.player) })
          }`}
          onPlay={playable ? actions.play : null}
        />
      </div>
      {line.secret && !screen.covered && <Hidden {...{ page, screen }} />}
      {!setup && <Cue {...{ page, at, seats, playable }} />}
      {!setup && <MoveButtons {...{ page, position, previews, play: actions.play }} />}
      <Controls {...{ page, line, at, seats, live, actions, view }} hidden={setup !== null} />
    </section>
  );
}

// The last move; it is animated where it has just been played, not where a game is looked through.
function useLastMove(page, at) {
  const before = useRef(at);
  return useMemo(() => {
    const animated = at.parent === before.current;
    before.current = at;
    const last = lastMove(page.rules, page.document.board, at);
    return last && { ...last, animated };
  }, [at, at.position]);
}

// The move that is certainly best, or seems to be.
function bestOf(rating, verdict) {
  const certain = Object.entries(verdict?.actions ?? {})
    .filter(([, { value }]) => value === verdict.value)
    .sort(([, a], [, b]) => (a.plies ?? 0) - (b.plies ?? 0))[0];
  return certain ? Number(certain[0]) : (rating?.entries[0]?.action ?? null);
}

// While the screen goes from one person to another, it shows nothing.
function Cover({ page, at, take }) {
  const player = seatName(page, at.position.player);
  return (
    <div class="cover">
      <p>{t("{player} is to move. The others look away.", { player })}</p>
      <button type="button" class="main" onClick={take}>
        {t("Show what {player} sees", { player })}
      </button>
    </div>
  );
}

// What is shown of a game that hides something.
function Hidden({ page, screen }) {
  const { viewer } = screen;
  const text =
    viewer === null
      ? t("No person plays, so you see everything.")
      : t("You see what {player} sees. The end shows everything.", {
          player: seatName(page, viewer),
        });
  return <p class="note hidden-note">{text}</p>;
}

// What to do first, for who has not moved yet.
function Cue({ page, at, seats, playable }) {
  const { how } = page.document.game;
  const first = at.ply < seats.length && seats[at.position.player].kind === "human";
  if (!how?.cue || !first || !playable) return null;
  return <p class="cue">{t(how.cue)}</p>;
}

// Actions that no place on the board stands for.
function MoveButtons({ page, position, previews, play }) {
  const { board, game } = page.document;
  const left = position.legal.filter(
    (a) => !board.targets[a].towards && previews[a].cell === undefined && !previews[a].spare,
  );
  if (!left.length) return null;
  return (
    <div class="row actions" role="group" aria-label={t("Moves")}>
      {left.map((a) => (
        <button key={a} type="button" data-action={a} onClick={() => play(a)}>
          {moveText(game.actions[a])}
        </button>
      ))}
    </div>
  );
}

function Controls({ page, line, at, seats, live, actions, view, hidden }) {
  const { position } = at;
  const waiting = !live && !position.over && seats[position.player].kind !== "human";
  return (
    <div class="row controls" hidden={hidden}>
      <button type="button" onClick={actions.undo} disabled={!at.parent || line.secret}>
        {t("Undo")}
      </button>
      <button type="button" onClick={actions.redo} disabled={!at.next && !at.children.length}>
        {t("Redo")}
      </button>
      {waiting && (
        <button type="button" class="main" onClick={actions.goOn}>
          {t("Go on")}
        </button>
      )}
      {position.over && view === "play" && (
        <>
          {seats.length > 1 && (
            <button type="button" class="main" onClick={actions.rematch}>
              {t("Rematch")}
            </button>
          )}
          <button type="button" onClick={() => actions.show("game")}>
            {t("Analyse")}
          </button>
          <ShareButton
            name={t(page.document.game.title)}
            where=".stage .board"
            text={`${t(page.document.game.title)}: ${outcome(page, position, seats)}`}
          />
        </>
      )}
      <span class="grow" />
      <button type="button" onClick={() => actions.newGame()}>
        {t("New game")}
      </button>
    </div>
  );
}
