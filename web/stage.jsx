// The board with its status above it and the buttons below it.

import { useMemo } from "preact/hooks";
import { Board, lastMove } from "./board.jsx";
import { preview } from "./game.js";
import { Status } from "./play.jsx";
import { seatName } from "./seats.js";
import { changed } from "./setup.jsx";

export function Stage(props) {
  const { page, at, position, seats, live, thinking, actions, playable } = props;
  const { setup, setSetup, overlay, tuple } = props;
  const { game, board } = page.document;
  const previews = useMemo(() => preview(page.rules, position, board), [at]);
  const last = useMemo(() => lastMove(board, at), [at]);
  return (
    <section class="stage" id="board" aria-label="Board">
      {setup ? (
        <p class="status">
          <strong>A position of your own</strong>
        </p>
      ) : (
        <Status {...{ page, position, seats, thinking, live }} />
      )}
      <div class="frame-card">
        <Board
          page={page}
          position={setup ? { ...position, cells: setup.cells, legal: [] } : position}
          previews={previews}
          overlay={setup ? {} : overlay}
          tuple={setup ? { cells: setup.differing, weight: -1 } : tuple}
          last={setup ? null : last}
          onCell={setup && ((c, step) => setSetup(changed(setup, board, c, step)))}
          label={`${game.title}, ${position.over ? "finished" : `${seatName(page, position.player)} to move`}`}
          onPlay={playable ? actions.play : null}
        />
      </div>
      {!setup && <MoveButtons {...{ page, position, previews, play: actions.play }} />}
      <Controls at={at} seats={seats} live={live} actions={actions} hidden={setup !== null} />
    </section>
  );
}

// Actions that no place on the board stands for.
function MoveButtons({ page, position, previews, play }) {
  const { board, game } = page.document;
  const left = position.legal.filter(
    (a) => !board.targets[a].towards && previews[a].cell === undefined && !previews[a].spare,
  );
  if (!left.length) return null;
  return (
    <div class="row actions" role="group" aria-label="Moves">
      {left.map((a) => (
        <button key={a} type="button" data-action={a} onClick={() => play(a)}>
          {game.actions[a]}
        </button>
      ))}
    </div>
  );
}

function Controls({ at, seats, live, actions, hidden }) {
  const { position } = at;
  const waiting = !live && !position.over && seats[position.player].kind !== "human";
  return (
    <div class="row controls" hidden={hidden}>
      <button type="button" onClick={actions.undo} disabled={!at.parent}>
        Undo
      </button>
      <button type="button" onClick={actions.redo} disabled={!at.next && !at.children.length}>
        Redo
      </button>
      {waiting && (
        <button type="button" class="main" onClick={actions.goOn}>
          Go on
        </button>
      )}
      <span class="grow" />
      <button type="button" onClick={() => actions.newGame()}>
        New game
      </button>
    </div>
  );
}
