// The moves of a game as a table that follows the board.

import { useEffect, useRef, useState } from "preact/hooks";
import { GRADES } from "./analysis.js";
import { seatColour, seatName } from "./seats.js";
import { moveText, number, t } from "./texts.js";
import { said } from "./values.js";

const MOST_ROWS = 400; // of the table at a time

// The moves as a table; of a long game a part at a time.
export function Moves({ page, at, rows, actions, side }) {
  const { game } = page.document;
  const [turned, setTurned] = useState({ at, by: 0 });
  const by = turned.at === at ? turned.by : 0; // a jump brings its own part
  const list = useRef(null);
  useEffect(() => follow(list.current), [at, rows.length]);
  const last = Math.max(0, rows.length - MOST_ROWS);
  const first = Math.max(0, Math.min(at.ply - MOST_ROWS / 2 + by, last));
  const turn = (step) => setTurned({ at, by: first + step - (at.ply - MOST_ROWS / 2) });
  return (
    <>
      {rows.length > MOST_ROWS && (
        <div class="row">
          <button type="button" disabled={first === 0} onClick={() => turn(-MOST_ROWS)}>
            {t("Earlier")}
          </button>
          <button type="button" disabled={first === last} onClick={() => turn(MOST_ROWS)}>
            {t("Later")}
          </button>
          <span class="note">
            {t("moves {first} to {last} of {all}", {
              first: first + 1,
              last: first + MOST_ROWS,
              all: number(rows.length),
            })}
          </span>
        </div>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label={t("Moves")} ref={list}>
        <table class="moves">
          <caption class="unseen">{t("All moves with their values")}</caption>
          <thead>
            <tr>
              <th class="number">#</th>
              <th>{t("who")}</th>
              <th>{t("move")}</th>
              <th class="number">
                {side ? t("value for {player}", { player: side }) : t("value")}
              </th>
              <th class="number">{t("loss")}</th>
              <th>{t("best")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(first, first + MOST_ROWS).map(({ node, value, loss, best, grade }) => (
              <tr
                key={node.ply}
                class={`${node === at ? "chosen" : ""} ${grade === null ? "" : "mistake"}`}
                aria-current={node === at ? "step" : undefined}
              >
                <td class="number">{node.ply}</td>
                <td>
                  <i
                    class="chip"
                    style={{ background: seatColour(page, node.parent.position.player) }}
                  />
                  <span class="unseen">{seatName(page, node.parent.position.player)}</span>
                </td>
                <th scope="row">
                  <button type="button" class="move" onClick={() => actions.goTo(node)}>
                    {node.noticed ? moveText(game.actions[node.action]) : t("something hidden")}
                  </button>
                  {grade !== null && (
                    <abbr class={`grade g${grade}`} title={t(GRADES[grade].name)}>
                      {GRADES[grade].sign}
                    </abbr>
                  )}
                  {node.parent.children.length > 1 && (
                    <Variations node={node} game={game} goTo={actions.goTo} />
                  )}
                </th>
                <td class="number">{value === null ? "…" : said(value, game)}</td>
                <td class="number">{loss > 0.005 ? said(loss, game) : ""}</td>
                <td>{loss > 0.005 ? moveText(game.actions[best]) : ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Variations({ node, game, goTo }) {
  const others = node.parent.children.filter((child) => child !== node);
  return (
    <span class="variations">
      {others.map((child) => (
        <button key={child.action} type="button" class="link" onClick={() => goTo(child)}>
          {t("or {move}", { move: moveText(game.actions[child.action]) })}
        </button>
      ))}
    </span>
  );
}

// Scrolls the list, and nothing else, so that the current row is in its middle.
function follow(list) {
  const row = list?.querySelector("tr.chosen");
  if (!row) {
    if (list) list.scrollTop = 0;
    return;
  }
  const [inside, all] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += inside.top - all.top - (all.height - inside.height) / 2;
}
