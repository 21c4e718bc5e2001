// A game brought to the page, and taken from it: as a link, as text, as a record, as a picture.

import { hexadecimal, link } from "./address.js";
import { record, save } from "./files.js";
import { readText } from "./game.js";
import { spec } from "./seats.js";
import { ShareButton, svgOf } from "./share.jsx";
import { canSetUp } from "./setup.jsx";
import { t, term } from "./texts.js";

// Moves, or a position as tafl writes it.
export function Bring({ page, actions }) {
  const { game, board } = page.document;
  const take = (event) => {
    event.preventDefault();
    const found = readText(
      page.rules,
      game,
      board,
      new FormData(event.target).get("text").slice(0, 100000),
    );
    if (typeof found === "string") actions.notice(t("The text cannot be read: {why}.", { why: found }));
    else actions.open(found);
  };
  return (
    <form class="row bring" onSubmit={take}>
      <label class="grow">
        <span class="unseen">{t("Moves, or a position")}</span>
        <input
          type="text"
          name="text"
          placeholder={t("moves such as {moves}, or a position", {
            moves: game.actions.slice(0, 2).join(", "),
          })}
        />
      </label>
      <button type="submit">{t("Open")}</button>
      {canSetUp(page.document) && (
        <button type="button" onClick={actions.setUp}>
          {t("Set up by hand …")}
        </button>
      )}
    </form>
  );
}

export function Copies({ page, line, at, seats, actions }) {
  const { game } = page.document;
  const copy = async (text, what) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      fallbackCopy(text);
    }
    actions.notice(t("{what} copied.", { what: t(what) }));
  };
  const moves = line.actions.map((a) => game.actions[a]);
  const between = moves.some((name) => name.includes(" ")) ? ", " : " ";
  const words = hexadecimal(at.truth.words).join(" ");
  const text =
    game.chance || !line.fromStart
      ? `${game.name} @ ${words}`
      : `${game.name}: ${moves.join(between)}`.trim();
  const written = () =>
    record(game, {
      seed: line.seed,
      agents: seats.map(spec),
      words: line.fromStart ? [] : hexadecimal(line.root.truth.words),
      moves: line.actions,
      scores: at.position.scores,
    });
  return (
    <div class="row">
      <button
        type="button"
        onClick={() => copy(location.href.split("#")[0] + link("game", line), term("Link"))}
      >
        {t("Link")}
      </button>
      <button type="button" onClick={() => copy(text, term("Position"))}>
        {t("Text")}
      </button>
      <button type="button" onClick={() => copy(written(), term("Record"))}>
        {t("Record")}
      </button>
      <button type="button" onClick={() => picture(game.title)}>
        {t("Picture")}
      </button>
      <ShareButton name={t(game.title)} where=".stage .board" />
    </div>
  );
}

function fallbackCopy(text) {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// The board as a file.
function picture(name) {
  const { outerHTML } = svgOf(document.querySelector(".stage .board"));
  save(new Blob([outerHTML], { type: "image/svg+xml" }), `${name}.svg`);
}
