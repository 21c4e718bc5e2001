// Opens the page: unpacks what Python put in, starts the rules, and shows the first view.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { place } from "./address.js";
import { App } from "./app.jsx";
import { inflate, loader } from "./bytes.js";
import { Top } from "./frame.jsx";
import { Front } from "./front.jsx";
import { Course } from "./lesson.jsx";
import { Machine } from "./machine.js";
import { Rules } from "./rules.js";
import { t, useLanguage } from "./texts.js";

const packed = (name) => document.getElementById(name).textContent;
const texts = new Proxy({}, { get: (_, name) => packed(name) });

async function open() {
  const loading = document.querySelector("#page .loading");
  if (loading) loading.textContent = t("Setting up the board …");
  const known = JSON.parse(new TextDecoder().decode(await inflate(packed("document"))));
  const all = known.front ? [known.front.hero] : (known.lesson ?? [known]);
  const pages = await Promise.all(all.map(started));
  const root = document.getElementById("page");
  root.replaceChildren();
  render(<Root known={known} pages={pages} />, root);
}

// All of the page, in one language.
function Root({ known, pages }) {
  useLanguage();
  if (known.front) return <Front page={pages[0]} front={known.front} />;
  if (known.lesson) return <Class title={known.title} home={known.home} pages={pages} />;
  return <App page={pages[0]} />;
}

// A game with its rules running.
async function started(known) {
  const { program, game } = known;
  const module = await WebAssembly.compile(await inflate(packed(program.module)));
  const machine = await Machine.start(program, module, await loader(texts, program.memory.game));
  return { document: known, packed, rules: new Rules(machine, game) };
}

// The lesson, and the games in it.
function Class({ title, home, pages }) {
  const named = () => pages.find(({ document }) => place(document.game));
  const [shown, setShown] = useState(named);
  useEffect(() => {
    const turn = () => setShown(named); // back and forth in the browser's history
    window.addEventListener("hashchange", turn);
    return () => window.removeEventListener("hashchange", turn);
  }, []);
  const open = (page, view) => {
    location.hash = page ? `#g=${encodeURIComponent(page.document.game.name)}&v=${view}` : "";
    window.scrollTo(0, 0);
    setShown(page);
  };
  if (shown) return <App page={shown} back={() => open(null)} />;
  return (
    <div class="app">
      <Top title={t("Lesson")} home={home} />
      <main>
        <Course title={title} pages={pages} open={open} />
      </main>
    </div>
  );
}

open().catch((error) => {
  const message = document.createElement("p");
  message.className = "loading";
  message.textContent = t("This page cannot run here: {why}", { why: error.message });
  document.getElementById("page").replaceChildren(message);
});
