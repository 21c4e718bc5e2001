// Files that are brought to the page.

import { useEffect, useRef } from "preact/hooks";
import { WrongFile, readAgent } from "./files.js";
import { t } from "./texts.js";

// Files dropped on the page: agents, checked before anything in them is used.
export function useDrops(page, actions) {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const over = (event) => event.preventDefault();
    const drop = async (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files?.[0];
      if (file) await takeFile(page, latest.current, file);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("drop", drop);
    };
  }, []);
}

export async function takeFile(page, actions, file) {
  try {
    const agent = await readAgent(file, page);
    const label = file.name.replace(/\.[^.]*$/, "").slice(0, 40) || t("agent");
    actions.challenge(actions.addAgent({ label, ...agent, file }));
  } catch (error) {
    const why = error instanceof WrongFile ? error.message : t("it cannot be read");
    actions.notice(t("{file} is not used: {why}.", { file: file.name.slice(0, 60), why }));
  }
}
