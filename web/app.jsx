// The page of a game as a whole: its views, with the same moves and the same players in all of them.

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { VIEWS, address, remember } from "./address.js";
import { useDrops } from "./drops.js";
import { Tabs, Top } from "./frame.jsx";
import { GameView } from "./gameview.jsx";
import { Help, LastMove, Notice } from "./help.jsx";
import { Inside } from "./inside.jsx";
import { useKeys } from "./keys.jsx";
import { Lesson } from "./lesson.jsx";
import { useMoves } from "./moves.js";
import { useOpponent } from "./opponent.js";
import { Play } from "./play.jsx";
import { Puzzle } from "./puzzle.jsx";
import { useSeats } from "./seating.js";
import { SetUp, begun } from "./setup.jsx";
import { Stage } from "./stage.jsx";
import { t } from "./texts.js";
import { Train } from "./train.jsx";
import { useViewer } from "./viewer.js";
import { perspective } from "./result.js";
import { turned } from "./analysis.js";
import { overlayOf, useRating, useVerdict } from "./values.js";

export function App({ page, back = null }) {
  const { game, board } = page.document;
  const views = viewsOf(page, back);
  const [notice, setNotice] = useState(null);
  const seating = useSeats(page, setNotice);
  const { seats, opponent, adviser } = seating;
  const { line, live, moves } = useMoves(page, seats, setNotice);
  const screen = useViewer(page, seats, line);
  line.viewer = screen.viewer; // before any position is looked at
  const { at } = line;
  const { position } = at;

  const [view, setView] = useState(
    () => views.find(({ id }) => id === address().view)?.id ?? "play",
  );
  const [hints, setHints] = useState(false);
  const [help, setHelp] = useState(false);
  const marks = useMarks(at, view);
  useLayoutEffect(() => remember(view, line), [at, view]);

  const wanted = live && view === "play";
  const { play } = moves;
  const thinking = useOpponent({ opponent, seats, line, board, wanted, play, notice: setNotice });
  const rates = position.legal.length > 0 && showsValues(view, hints); // else it is not your view
  const rating = useRating(adviser, seating.advice, rates ? position : null);
  const verdict = useVerdict(adviser, rates ? position : null, learnsExactly(page));
  const sign = view === "game" ? turned(game, position.player, perspective(seats)) : 1;
  const overlay = rates && rating ? overlayOf(rating, game, sign) : {};

  const actions = {
    ...moves,
    hint: () => setHints((shown) => !shown),
    show: setView,
    help: () => setHelp((shown) => !shown),
    addAgent: seating.addAgent,
    challenge: (agent) => {
      seating.seatAgainst(agent);
      setView("play");
      moves.newGame();
    },
    rematch: () => {
      seating.setSeats([...seats.slice(1), seats[0]]);
      moves.newGame();
    },
    setUp: () => marks.setSetup(begun(position)),
    notice: setNotice,
  };
  useKeys({ actions, board, position, line, seats, view, views });
  useDrops(page, actions);

  const playable = seats[position.player].kind === "human" || !wanted;
  const shared = { page, line, at, position, actions, ...seating, ...marks };
  const onBoard = !["train", "lesson", "puzzles"].includes(view);
  return (
    <div class={`app view-${view}`}>
      <a class="skip" href="#board">
        {t("Skip to the board")}
      </a>
      <Top title={t(game.title)} home={page.document.home} back={back} help={actions.help}>
        <Tabs views={views} view={view} show={setView} />
      </Top>
      <main class={onBoard ? "two" : "one"}>
        {onBoard && (
          <Stage {...{ ...shared, view, live, screen, thinking, playable, overlay, rating, verdict }} />
        )}
        <View {...{ ...shared, view, hints, rating, verdict }} />
      </main>
      {notice && <Notice text={notice} close={() => setNotice(null)} />}
      {help && <Help page={page} close={() => setHelp(false)} />}
      <LastMove page={page} at={at} seats={seats} />
    </div>
  );
}

// What stands beside the board, or instead of it. Training goes on while it is hidden.
function View({ view, ...shared }) {
  const { page, setup } = shared;
  return (
    <>
      {setup && <SetUp {...shared} />}
      {view === "play" && <Play {...shared} />}
      {view === "inside" && !setup && <Inside {...shared} />}
      {view === "game" && !setup && <GameView {...shared} />}
      {learns(page) && (
        <div hidden={view !== "train"}>
          <Train {...shared} />
        </div>
      )}
      {view === "lesson" && <Lesson {...shared} />}
      {view === "puzzles" && <Puzzle {...shared} puzzles={page.document.puzzles} />}
    </>
  );
}

// An n-tuple that is shown on the board, and a position that is being set up there; both end with
// the next move or view.
function useMarks(at, view) {
  const [tuple, setTuple] = useState(null);
  const [setup, setSetup] = useState(null);
  useEffect(() => setTuple(null), [at, view]);
  useEffect(() => setSetup(null), [at, view]);
  return { tuple, setTuple, setup, setSetup };
}

const learnsExactly = (page) => page.document.trainings.some(({ exact }) => exact);
const learns = (page) => page.document.trainings.length > 0;

// The views that a page has something to show in; a lesson with several games has its own lesson.
function viewsOf(page, back) {
  const single = back || page.document.game.hides; // the lesson is about games that all can see
  return VIEWS.filter(
    ({ id }) =>
      (learns(page) || (id !== "train" && id !== "lesson")) &&
      !(single && id === "lesson") &&
      (id !== "puzzles" || page.document.puzzles?.length),
  );
}

function showsValues(view, hints) {
  return view === "inside" || view === "game" || (view === "play" && hints);
}
