// Files that tafl reads and writes: records of games, and agents (the format of checkpoints).

import { halves, placesOf, spread } from "./machine.js";
import { networkOf } from "./network.js";
import { sha256 } from "./sha256.js";
import { t, term } from "./texts.js";

const BLANK = "0".repeat(64);
const LONGEST_HEADER = 2 ** 22;
const OTHER_SIZE = term("its weights do not have the size that its n-tuples need");
const LARGEST = 2 ** 30; // bytes of a file
const encoder = new TextEncoder();

export class WrongFile extends Error {}

// A number as Python writes a float.
const float = (x) => (Number.isInteger(x) ? `${x}.0` : String(x));
const ascii = (text) =>
  JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

// The record of a game as one line, as tafl writes it; words: of a position that was set up.
export function record(game, { seed, agents, words, moves, scores }) {
  const parts = {
    agents: `[${agents.map(ascii).join(",")}]`,
    game: ascii(game.name),
    moves: `[${moves.join(",")}]`,
    number: "0",
    scores: `[${scores.map(float).join(",")}]`,
    seed: String(seed),
    start: "[]",
    ...(words.length ? { words: `[${words.map(ascii).join(",")}]` } : {}),
  };
  const inner = Object.entries(parts).map(([key, value]) => `"${key}":${value}`);
  const check = sha256(encoder.encode(`{${inner.join(",")}}`)).slice(0, 8);
  return `{${[...inner, `"check":"${check}"`].join(",")}}`;
}

// The file of an agent.
export function agentFile(header, weights, { episode, moves, seconds, td }) {
  const settings = JSON.parse(header.settings);
  Object.assign(settings.td, td);
  const metadata = {
    sha256: BLANK,
    ...header,
    settings: JSON.stringify(settings),
    episode: JSON.stringify(episode),
    moves: JSON.stringify(moves),
    seconds: float(seconds),
  };
  const bytes = new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength);
  const form = { dtype: "F32", shape: [weights.length], data_offsets: [0, bytes.length] };
  let text = JSON.stringify({ __metadata__: metadata, weights: form });
  text += " ".repeat((8 - (encoder.encode(text).length % 8)) % 8);
  const sum = sha256(encoder.encode(text), bytes);
  const raw = encoder.encode(text.replace(BLANK, sum));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(raw.length), true);
  return new Blob([length, raw, bytes], { type: "application/octet-stream" });
}

// The agent in a file of its own or in a checkpoint, if it is sound and plays this game: its form
// (network.js) and its weights.
export async function readAgent(file, page) {
  if (file.size > LARGEST) throw new WrongFile(t("this file is larger than 1 GB"));
  const data = new Uint8Array(await file.arrayBuffer());
  if (data.length < 16) throw new WrongFile(t("this is not the file of an agent"));
  const size = Number(new DataView(data.buffer).getBigUint64(0, true));
  if (!(size > 0 && size <= LONGEST_HEADER && size + 8 <= data.length)) {
    throw new WrongFile(t("this is not the file of an agent"));
  }
  const raw = data.subarray(8, 8 + size);
  const body = data.subarray(8 + size);
  const header = parsed(raw);
  const written = header?.__metadata__?.sha256;
  if (!/^[0-9a-f]{64}$/.test(written ?? "")) throw new WrongFile(t("its header has no checksum"));
  const text = new TextDecoder("latin1").decode(raw).replace(written, BLANK);
  const blanked = Uint8Array.from(text, (c) => c.charCodeAt(0));
  if (sha256(blanked, body) !== written) throw new WrongFile(t("its checksum is wrong"));
  return understood(header, body, page);
}

function parsed(raw) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(raw));
  } catch {
    throw new WrongFile(t("its header is not readable"));
  }
}

function understood(header, body, page) {
  const said = (name) => {
    try {
      return JSON.parse(header.__metadata__[name]);
    } catch {
      throw new WrongFile(t("its header does not say its {name}", { name }));
    }
  };
  const { name } = page.document.game;
  const played = String(said("game")).replace(/^[^(]*[/\\]/, ""); // a page names no folders
  if (played !== name) throw new WrongFile(t("it plays {game}", { game: played.slice(0, 80) }));
  const settings = said("settings");
  const form = networkOf(page, settings, said("tuples"));
  if (typeof form === "string") throw new WrongFile(t(form));
  const wanted = form.net.weights.shape.reduce((a, b) => a * b);
  const weights = header.values
    ? packedWeights(header, body, wanted)
    : plainWeights(header, body, wanted, settings.coherence?.transfer === "off" ? 1 : 3);
  if (!weights.every(Number.isFinite)) throw new WrongFile(t("it has weights that are not numbers"));
  return { form, weights };
}

// All weights one after the other, each with its sums of temporal coherence if it has any.
function plainWeights(header, body, wanted, width) {
  const all = new Float32Array(part(header.weights, body, "F32", 4, wanted * width));
  if (width === 1) return all;
  return Float32Array.from({ length: wanted }, (_, i) => all[i * width]);
}

// Only those that are not 0, as a champion has them (tafl/runs/small.py).
function packedWeights(header, body, wanted) {
  const gaps = new Uint8Array(part(header.gaps, body, "U8", 1, header.gaps?.shape?.[0]));
  const places = placesOf(gaps);
  if (gaps.at(-1) === 255 || places.pop() !== wanted) throw new WrongFile(t(OTHER_SIZE));
  const short = header.values.dtype === "F16";
  const bytes = part(header.values, body, short ? "F16" : "F32", short ? 2 : 4, places.length);
  const values = short ? halves(new Uint16Array(bytes)) : new Float32Array(bytes);
  const weights = new Float32Array(wanted);
  spread(values, places, weights);
  return weights;
}

// The bytes of an array that has to have this type and size.
function part(entry, body, type, each, size) {
  const [begin, end] = entry?.data_offsets ?? [];
  const right =
    entry?.dtype === type &&
    entry.shape?.length === 1 &&
    entry.shape[0] === size &&
    Number.isInteger(begin) &&
    begin >= 0 &&
    end - begin === each * size &&
    end <= body.length;
  if (!right) throw new WrongFile(t(OTHER_SIZE));
  return body.slice(begin, end).buffer;
}

// Lets the browser keep a file.
export function save(blob, name) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}
