// The head of a page: its title, the tabs of its views, and the switch between light and dark.

import { useEffect, useState } from "preact/hooks";

export function Top({ title, back = null, children, help = null }) {
  const [theme, setTheme] = useState(null);
  useEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme;
  }, [theme]);
  return (
    <header class="top">
      <div class="brand">
        {back && (
          <button type="button" class="link" onClick={back}>
            ← Lesson
          </button>
        )}
        <h1>{title}</h1>
        <span class="by">tafl</span>
      </div>
      {children}
      <div class="tools">
        <button
          type="button"
          class="icon"
          aria-label="Light or dark"
          title="Light or dark"
          onClick={() => setTheme(isDark() ? "light" : "dark")}
        >
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <circle cx="10" cy="10" r="7.2" fill="none" stroke="currentColor" stroke-width="1.7" />
            <path d="M10 2.8a7.2 7.2 0 0 1 0 14.4z" fill="currentColor" />
          </svg>
        </button>
        {help && (
          <button type="button" class="icon" aria-label="Keys" title="Keys" onClick={help}>
            ?
          </button>
        )}
      </div>
    </header>
  );
}

export function Tabs({ views, view, show }) {
  return (
    <nav aria-label="Views">
      {views.map(({ id, name, brief = name }) => (
        <button
          key={id}
          type="button"
          class="tab"
          aria-current={view === id ? "page" : undefined}
          onClick={() => show(id)}
        >
          <span class="long">{name}</span>
          <span class="brief">{brief}</span>
        </button>
      ))}
    </nav>
  );
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
}
