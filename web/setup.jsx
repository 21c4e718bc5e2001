// Set up a position by hand: click a cell to change what is on it.

import { Line } from "./game.js";
import { seatName } from "./seats.js";
import { looks, packedPosition } from "./search.js";
import { t } from "./texts.js";

// Can positions of this game be found, or made, from their cells?
export function canSetUp({ game }) {
  return !game.hides && (!game.chance || game.packed !== null);
}

export function begun({ cells, player }) {
  return { cells: [...cells], player, differing: [], busy: false };
}

// The same with what comes next, or before, on a cell.
export function changed(setup, board, cell, step) {
  const look = looks(board);
  const values = look.flatMap((first, value) => (first === value ? [value] : []));
  const at = values.indexOf(look[setup.cells[cell]]);
  const cells = [...setup.cells];
  cells[cell] = values[(at + step + values.length) % values.length];
  return { ...setup, cells, differing: [] };
}

export function SetUp({ page, setup, setSetup, adviser, actions }) {
  const { game, board } = page.document;
  const use = async () => {
    const wanted = { cells: setup.cells, player: setup.player };
    const made = packedPosition(page.rules, game, board, wanted);
    if (made) return finish(new Line(page.rules, 1, [], made));
    if (game.chance) return actions.notice(t("This position cannot occur in the game."));
    setSetup({ ...setup, busy: true });
    const found = await adviser.ask("find", { board, wanted });
    if (found.actions) return finish(new Line(page.rules, 1, found.actions));
    setSetup({ ...setup, busy: false, differing: found.differing });
    return actions.notice(missed(found.differing));
  };
  const finish = (line) => {
    setSetup(null);
    actions.open(line);
  };
  return (
    <section class="panel" aria-label={t("Set up a position")}>
      <p class="lead">
        {t("Click a cell to change what is on it (with Shift: backwards).")}{" "}
        {game.chance
          ? t("The position must be one that can occur in the game.")
          : t("The page then looks for a game that leads to this position.")}
      </p>
      {game.players > 1 && (
        <label class="choice">
          <span>{t("to move")}</span>
          <select
            value={setup.player}
            onChange={(event) => setSetup({ ...setup, player: Number(event.target.value) })}
          >
            {Array.from({ length: game.players }, (_, p) => (
              <option key={p} value={p}>
                {seatName(page, p)}
              </option>
            ))}
          </select>
        </label>
      )}
      <div class="row">
        <button type="button" class="main" disabled={setup.busy} onClick={use}>
          {setup.busy ? t("Looking for a game …") : t("Use this position")}
        </button>
        <button
          type="button"
          onClick={() => setSetup({ ...begun(page.rules.start(1)), player: setup.player })}
        >
          {t("Start position")}
        </button>
        <button type="button" onClick={() => setSetup(null)}>
          {t("Cancel")}
        </button>
      </div>
    </section>
  );
}

function missed(differing) {
  if (!differing.length) {
    return t("No game was found that leads to this position with this player to move.");
  }
  const cells =
    differing.length === 1
      ? t("one cell differs")
      : t("{count} cells differ", { count: differing.length });
  return t(
    "No game was found that leads to this position: at best {cells}, marked on the board.",
    { cells },
  );
}
