// The head of a page: its title, the tabs of its views, and the switch between light and dark.

import { useEffect, useState } from "preact/hooks";
import { keep, kept } from "./kept.js";
import { LANGUAGES, language, speak, t } from "./texts.js";

const THEMES = ["light", "dark"];

// `home` is the front page of the site, if the page belongs to one; a plain head has the name alone.
export function Top({ title, back = null, home = "", plain = false, children, help = null }) {
  const [theme, setTheme] = useState(() => kept("theme"));
  useEffect(() => {
    if (THEMES.includes(theme)) document.documentElement.dataset.theme = theme;
  }, [theme]);
  const turn = () => {
    const next = isDark() ? "light" : "dark";
    keep("theme", next);
    setTheme(next);
  };
  return (
    <header class="top">
      <div class="brand">
        {home && !back && (
          <a class="home" href={home}>
            ← {t("All games")}
          </a>
        )}
        {back && (
          <button type="button" class="link" onClick={back}>
            ← {t("Lesson")}
          </button>
        )}
        <h1>{title}</h1>
        {!plain && <span class="by">tafl</span>}
      </div>
      {children}
      <div class="tools">
        <Languages />
        <button
          type="button"
          class="icon"
          aria-label={t("Light or dark")}
          title={t("Light or dark")}
          onClick={turn}
        >
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <circle cx="10" cy="10" r="7.2" fill="none" stroke="currentColor" stroke-width="1.7" />
            <path d="M10 2.8a7.2 7.2 0 0 1 0 14.4z" fill="currentColor" />
          </svg>
        </button>
        {help && (
          <button type="button" class="icon" aria-label={t("Keys")} title={t("Keys")} onClick={help}>
            ?
          </button>
        )}
      </div>
    </header>
  );
}

// The language that the page would change to: its code, and its name for screen readers.
function Languages() {
  const other = Object.keys(LANGUAGES).find((code) => code !== language());
  return (
    <button
      type="button"
      class="icon"
      lang={other}
      aria-label={`${other.toUpperCase()}: ${LANGUAGES[other]}`} // begins with what is seen
      title={LANGUAGES[other]}
      onClick={() => speak(other)}
    >
      {other.toUpperCase()}
    </button>
  );
}

export function Tabs({ views, view, show }) {
  return (
    <nav aria-label={t("Views")}>
      {views.map(({ id, name, brief = name }) => (
        <button
          key={id}
          type="button"
          class="tab"
          aria-current={view === id ? "page" : undefined}
          onClick={() => show(id)}
        >
          <span class="long">{t(name)}</span>
          <span class="brief">{t(brief)}</span>
        </button>
      ))}
    </nav>
  );
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
}
