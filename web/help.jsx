// What the page says beside its views: its keys, notices, and moves for screen readers.

import { useEffect, useRef } from "preact/hooks";
import { KEYS } from "./keys.jsx";
import { outcome } from "./result.js";
import { seatName } from "./seats.js";
import { moveText, t } from "./texts.js";

export function Help({ page, close }) {
  const dialog = useRef(null);
  useEffect(() => dialog.current.showModal(), []);
  return (
    <dialog ref={dialog} class="help" onClose={close} aria-labelledby="help-title">
      <h2 id="help-title">{t("How to play")}</h2>
      <HowTo game={page.document.game} />
      <h2>{t("Keys")}</h2>
      <dl>
        {KEYS(page).map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(" ").map((k) => (
                <kbd key={k}>{k}</kbd>
              ))}
            </dt>
            <dd>{t(meaning)}</dd>
          </div>
        ))}
      </dl>
      <p class="note">
        {t("Drop the file of an agent anywhere on this page to play against it.")}
      </p>
      <form method="dialog">
        <button type="submit" class="main">
          {t("Close")}
        </button>
      </form>
    </dialog>
  );
}

function HowTo({ game: { how, text } }) {
  if (!how) return <p>{t(text)}</p>;
  return (
    <ol class="how">
      {how.lines.map((line) => (
        <li key={line}>{t(line)}</li>
      ))}
    </ol>
  );
}

export function Notice({ text, close }) {
  return (
    <div class="notice" role="alert">
      <span>{text}</span>
      <button type="button" class="icon" aria-label={t("Close")} onClick={close}>
        ×
      </button>
    </div>
  );
}

// The last move, for screen readers.
export function LastMove({ page, at, seats }) {
  return (
    <p class="announce" aria-live="polite">
      {announced(page, at, seats)}
    </p>
  );
}

function announced(page, at, seats) {
  const { game } = page.document;
  if (at.action === null) return "";
  const who = seatName(page, at.parent.position.player);
  const end = at.position.over ? ` ${outcome(page, at.position, seats)}` : "";
  const move = at.noticed ? moveText(game.actions[at.action]) : t("something hidden");
  return t("{player} played {move}.", { player: who, move }) + end;
}
