// The page as a whole: what is shown, who plays, whose turn it is.

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { VIEWS, address, remember } from "./address.js";
import { Board, lastMove } from "./board.jsx";
import { useDrops } from "./drops.js";
import { Top } from "./frame.jsx";
import { Line, preview, readWords } from "./game.js";
import { GameView } from "./gameview.jsx";
import { Inside } from "./inside.jsx";
import { KEYS, useKeys } from "./keys.jsx";
import { Lesson } from "./lesson.jsx";
import { Play, Status } from "./play.jsx";
import { kinds, outcome, seatName } from "./seats.js";
import { SetUp, begun, changed } from "./setup.jsx";
import { Stopped, Thinker } from "./thinker.js";
import { Train } from "./train.jsx";
import { overlayOf, useRating } from "./values.js";

const THINKING = 250; // milliseconds after which it is said that somebody thinks

export function App({ page, back = null }) {
  const { game, board } = page.document;
  const learns = page.document.trainings.length > 0;
  const views = VIEWS.filter(
    ({ id }) => (learns || (id !== "train" && id !== "lesson")) && !(back && id === "lesson"),
  );
  const [, redraw] = useState(0);
  const drawn = useCallback(() => redraw((n) => n + 1), []);
  const line = useRef(null);
  line.current ??= opened(page);
  const at = line.current.at;
  const position = at.position;

  const [agents, setAgents] = useState(() =>
    page.document.agents.map(({ label, bits }, i) => ({ key: `a${i}`, label, bits })),
  );
  const thinkers = useRef(null);
  thinkers.current ??= makeThinkers(page);
  const { opponent, adviser } = thinkers.current;
  useEffect(() => () => [opponent, adviser].forEach((thinker) => thinker.worker.terminate()), []);

  const players = useMemo(() => kinds(page, agents), [agents]);
  const [seats, setSeats] = useState(() => usualSeats(page, players));
  const [advice, setAdvice] = useState(() => usualAdviser(page, players));
  const [view, setView] = useState(
    () => views.find(({ id }) => id === address().view)?.id ?? "play",
  );
  const [hints, setHints] = useState(false);
  const [live, setLive] = useState(() => !address().moves.length); // a link shows its position
  const [thinking, setThinking] = useState(null);
  const [notice, setNotice] = useState(null);
  const [help, setHelp] = useState(false);
  const [tuple, setTuple] = useState(null);
  const [setup, setSetup] = useState(null); // a position that is being set up

  const previews = useMemo(() => preview(page.rules, position, board), [at]);
  const last = useMemo(() => lastMove(board, at), [at]);

  useEffect(() => setTuple(null), [at, view]);
  useEffect(() => setSetup(null), [at, view]);
  useLayoutEffect(() => remember(view, line.current), [at, view]);

  const play = useCallback((action) => {
    const now = line.current.at.position;
    if (!now.legal.includes(action)) return;
    line.current.play(action);
    setLive(true);
    drawn();
  }, []);

  // Whoever is not human moves when its turn comes.
  const seat = seats[position.player];
  useEffect(() => {
    if (position.over || !live || seat.kind === "human" || view !== "play") return undefined;
    let wanted = true;
    const timer = setTimeout(() => setThinking({ player: position.player }), THINKING);
    const seed = 1 + line.current.seed * 100003 + at.ply;
    const report = (progress) => wanted && setThinking({ player: position.player, ...progress });
    opponent
      .ask("act", { player: seat, position, seed }, report)
      .then(({ action }) => {
        clearTimeout(timer);
        setThinking(null);
        if (wanted) play(action);
      })
      .catch((error) => {
        clearTimeout(timer);
        setThinking(null);
        if (!(error instanceof Stopped)) setNotice(`${seat.label} failed: ${error.message}`);
      });
    return () => {
      wanted = false;
      clearTimeout(timer);
      setThinking(null);
      if (opponent.busy) opponent.restart();
    };
  }, [at, seats, live, view]);

  const wantsValues =
    (view === "inside" || view === "game" || (view === "play" && hints)) && !position.over;
  const rating = useRating(adviser, advice, wantsValues ? position : null);
  const overlay = wantsValues && rating ? overlayOf(rating, game) : {};

  const actions = {
    play,
    newGame: (seed = line.current.seed + 1) => {
      line.current = new Line(page.rules, seed);
      setLive(true);
      drawn();
    },
    open: (other) => {
      line.current = other;
      setLive(false);
      drawn();
    },
    undo: () => {
      line.current.undo();
      const human = (p) => seats[p].kind === "human";
      if (seats.some((s) => s.kind === "human")) {
        while (line.current.at.parent && !human(line.current.at.position.player))
          line.current.undo();
      }
      setLive(human(line.current.at.position.player));
      drawn();
    },
    redo: () => {
      line.current.redo();
      setLive(!line.current.at.next);
      drawn();
    },
    goTo: (node) => {
      line.current.goTo(node);
      setLive(false);
      drawn();
    },
    goOn: () => setLive(true),
    hint: () => setHints((shown) => !shown),
    show: setView,
    help: () => setHelp((shown) => !shown),
    addAgent: ({ label, form, weights }) => {
      const key = `t${agents.length}.${Date.now()}`;
      opponent.add(key, form, weights);
      adviser.add(key, form, weights);
      const agent = { key, label, own: true };
      setAgents((known) => [...known, agent]);
      return agent;
    },
    challenge: (agent) => {
      const player = { kind: "trained", agent: agent.key, label: agent.label };
      setSeats(
        seats.map((_, p) =>
          p === 0 && game.players > 1 ? { kind: "human", label: "You" } : player,
        ),
      );
      setAdvice(player);
      setView("play");
      actions.newGame();
    },
    setUp: () => setSetup(begun(position)),
    notice: setNotice,
  };
  useKeys({ actions, board, position, line: line.current, seats, views });
  useDrops(page, actions);

  const shared = {
    page,
    line: line.current,
    at,
    position,
    agents,
    players,
    actions,
    rating,
    advice,
    setAdvice,
  };
  const onBoard = view !== "train" && view !== "lesson";
  return (
    <div class={`app view-${view}`}>
      <a class="skip" href="#board">
        Skip to the board
      </a>
      <Top title={game.title} back={back} help={actions.help}>
        <nav aria-label="Views">
          {views.map(({ id, name, brief = name }) => (
            <button
              key={id}
              type="button"
              class="tab"
              aria-current={view === id ? "page" : undefined}
              onClick={() => setView(id)}
            >
              <span class="long">{name}</span>
              <span class="brief">{brief}</span>
            </button>
          ))}
        </nav>
      </Top>
      <main class={onBoard ? "two" : "one"}>
        {onBoard && (
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
                onPlay={seat.kind === "human" || !live || view !== "play" ? play : null}
              />
            </div>
            {!setup && <Buttons {...{ page, position, previews, play }} />}
            <div class="row controls" hidden={setup !== null}>
              <button type="button" onClick={actions.undo} disabled={!at.parent}>
                Undo
              </button>
              <button
                type="button"
                onClick={actions.redo}
                disabled={!at.next && !at.children.length}
              >
                Redo
              </button>
              {!live && !position.over && seat.kind !== "human" && (
                <button type="button" class="main" onClick={actions.goOn}>
                  Go on
                </button>
              )}
              <span class="grow" />
              <button type="button" onClick={() => actions.newGame()}>
                New game
              </button>
            </div>
          </section>
        )}
        {setup && <SetUp {...{ page, setup, setSetup, adviser, actions }} />}
        {view === "play" && <Play {...shared} seats={seats} setSeats={setSeats} hints={hints} />}
        {view === "inside" && !setup && (
          <Inside {...shared} adviser={adviser} tuple={tuple} setTuple={setTuple} />
        )}
        {view === "game" && !setup && <GameView {...shared} seats={seats} adviser={adviser} />}
        {learns && (
          <div hidden={view !== "train"}>
            <Train {...shared} />
          </div>
        )}
        {view === "lesson" && <Lesson {...shared} />}
      </main>
      {notice && (
        <div class="notice" role="alert">
          <span>{notice}</span>
          <button type="button" class="icon" aria-label="Close" onClick={() => setNotice(null)}>
            ×
          </button>
        </div>
      )}
      {help && <Help page={page} close={() => setHelp(false)} />}
      <p class="announce" aria-live="polite">
        {announced(page, at)}
      </p>
    </div>
  );
}

// Actions that no place on the board stands for.
function Buttons({ page, position, previews, play }) {
  const { board, game } = page.document;
  const left = position.legal.filter(
    (a) => !board.targets[a].towards && previews[a].cell === undefined,
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

function Help({ page, close }) {
  const dialog = useRef(null);
  useEffect(() => dialog.current.showModal(), []);
  return (
    <dialog ref={dialog} class="help" onClose={close} aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS(page).map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(" ").map((k) => (
                <kbd key={k}>{k}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="note">
        {page.document.game.text} Drop the file of an agent anywhere on this page to play against
        it.
      </p>
      <form method="dialog">
        <button type="submit" class="main">
          Close
        </button>
      </form>
    </dialog>
  );
}

function announced(page, at) {
  const { game } = page.document;
  if (at.action === null) return "";
  const who = seatName(page, at.parent.position.player);
  const end = at.position.over ? ` ${outcome(page, at.position)}` : "";
  return `${who} played ${game.actions[at.action]}.${end}`;
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
    players.find((p) => p.kind === "mcts") ??
    players.find((p) => p.kind === "random");
  return Array.from({ length: page.document.game.players }, (_, p) =>
    p === 0 ? players[0] : first,
  );
}

function usualAdviser(page, players) {
  const exact = page.document.trainings.some((training) => training.exact);
  const wanted = ["trained", ...(exact ? ["maxn"] : []), "mcts", "random"];
  const kind = wanted.find((k) => players.some((p) => p.kind === k));
  const player = players.find((p) => p.kind === kind);
  return kind === "maxn" ? { ...player, depth: 40 } : player;
}

function opened(page) {
  const { moves, seed, words } = address();
  const found = words && readWords(page.rules, page.document.game, page.document.board, words);
  const position = typeof found === "string" ? undefined : found?.root.position;
  return new Line(page.rules, seed, moves, position ?? undefined);
}
