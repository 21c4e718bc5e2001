// Why a move has its value: the n-tuples behind it, each together with its mirror images; or, with a
// neural network, what would be lost if a cell were empty.

import { useEffect, useState } from "preact/hooks";
import { Board } from "./board.jsx";
import { fixed, moveText, number, t } from "./texts.js";

const SHOWN = 12; // n-tuples

export function Tuples({ page, position, adviser, advice, action, value, tuple, setTuple }) {
  const { game } = page.document;
  const [found, setFound] = useState({ list: [], tanh: false });
  useEffect(() => {
    let wanted = true;
    adviser
      .ask("contributions", { agent: advice.agent, words: position.words, action })
      .then((answer) => wanted && setFound(answer))
      .catch(() => {});
    return () => (wanted = false);
  }, [position, advice, action]);
  const groups = grouped(found.list);
  const strongest = groups.slice(0, SHOWN);
  const most = Math.abs(strongest[0]?.weight ?? 1);
  const sum = found.list.reduce((total, { weight }) => total + weight, 0);
  if (!found.list.length) return null;
  return (
    <div class="tuples">
      <h2>{t("Why {move}?", { move: moveText(game.actions[action]) })}</h2>
      <p class="note">
        {found.ofCells
          ? t("What would the network lose if a cell were empty?")
          : explained(game, groups.length, found, sum, value)}
      </p>
      <p class="note">
        {t("These {count} say most. Point at one to see its cells; press it for its mirror images.", {
          count: strongest.length,
        })}
      </p>
      <div class="tuple-list">
        <ol>
          {strongest.map((group) => (
            <Group key={group.tuple} {...{ group, most, tuple, setTuple }} ofCells={found.ofCells} />
          ))}
        </ol>
        <div class="beside" aria-hidden="true">
          <Board page={page} position={{ ...position, legal: [] }} tuple={tuple} small />
        </div>
      </div>
    </div>
  );
}

// All mirror images of an n-tuple as one entry, the strongest first; those that say nothing are left out.
function grouped(list) {
  const groups = new Map();
  for (const image of list) {
    const group = groups.get(image.tuple) ?? { tuple: image.tuple, weight: 0, images: [] };
    group.weight += image.weight;
    group.images.push(image);
    groups.set(image.tuple, group);
  }
  const size = ({ weight }) => Math.abs(weight);
  for (const { images } of groups.values()) images.sort((a, b) => size(b) - size(a));
  return [...groups.values()].sort((a, b) => size(b) - size(a));
}

// How the weights make the value that is shown.
function explained(game, tuples, { list, tanh }, sum, value) {
  const images = Math.round(list.length / tuples);
  const said = { tuples: number(tuples), images, weights: number(list.length), sum: fixed(sum, 3) };
  const begin =
    images > 1
      ? t("{tuples} n-tuples on {images} mirror images of the board: {weights} weights, which add up to {sum}.", said)
      : t("{tuples} n-tuples, whose weights add up to {sum}.", said);
  const squashed = tanh ? Math.tanh(sum) : sum;
  const through = tanh
    ? t("The function tanh keeps the result between −1 and 1: tanh({sum}) = {result}.", {
        sum: fixed(sum, 3),
        result: fixed(squashed, 3),
      })
    : "";
  const points = squashed / game.unit;
  const more = value - points;
  const scaled =
    game.unit === 1
      ? ""
      : t("In points: {points}.", { points: fixed(points, Math.abs(points) < 100 ? 2 : 0) });
  const reward =
    Math.abs(more) > 0.005 * Math.max(1, Math.abs(value))
      ? t("The move itself brings {points}.", { points: fixed(more, Math.abs(more) < 100 ? 2 : 0) })
      : "";
  return [begin, through, scaled, reward].filter(Boolean).join(" ");
}

function Group({ group, most, tuple, setTuple, ofCells }) {
  const { images, weight } = group;
  const named = { number: group.tuple + 1 };
  const at = images.indexOf(tuple);
  const show = () => at < 0 && setTuple(images[0]);
  const turn = () => setTuple(images[(at + 1) % images.length]);
  return (
    <li>
      <button
        type="button"
        aria-pressed={at >= 0}
        onPointerEnter={show}
        onFocus={show}
        onClick={turn}
      >
        <span>
          {ofCells ? t("cell {number}", named) : t("n-tuple {number}", named)}
          {images.length > 1 && at >= 0 && (
            <small>
              {" "}
              {t("image {number} of {all}", { number: at + 1, all: images.length })}
            </small>
          )}
        </span>
        <span class={`weight ${weight >= 0 ? "for" : "against"}`}>
          <i style={{ width: `${(50 * Math.abs(weight)) / most}%` }} />
          <small>
            {weight >= 0 ? "+" : "−"}
            {fixed(Math.abs(weight), 3)}
          </small>
        </span>
      </button>
    </li>
  );
}
