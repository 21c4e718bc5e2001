// A board as a picture: as SVG, and as PNG to share.

import { save } from "./files.js";
import { t } from "./texts.js";

const WIDTH = 1080; // pixels of a PNG
const DRAWN = [
  ...["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray"],
  ...["opacity", "font-size", "font-family", "font-weight", "text-anchor", "visibility"],
];

// The board as SVG, with its colours written into it.
export function svgOf(board) {
  const clone = board.cloneNode(true);
  const [from, to] = [board, clone].map((root) => [...root.querySelectorAll("*")]);
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const property of DRAWN) to[i].setAttribute(property, style.getPropertyValue(property));
  });
  clone.querySelectorAll(".hit").forEach((node) => node.remove());
  clone.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return clone;
}

// The board as PNG, with a line of text below it.
export async function pngOf(board, text) {
  const clone = svgOf(board);
  const [, , w, h] = clone.getAttribute("viewBox").split(" ").map(Number);
  const height = Math.round((WIDTH * h) / w);
  clone.setAttribute("width", WIDTH);
  clone.setAttribute("height", height);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(clone.outerHTML)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, height + 110];
  const pen = canvas.getContext("2d");
  const { backgroundColor, color } = getComputedStyle(document.body);
  pen.fillStyle = backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, WIDTH, height);
  pen.fillStyle = color;
  pen.font = "600 38px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.fillText(text, WIDTH / 2, height + 66, WIDTH - 60);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

// Shares the picture of a board where the system can, else saves it.
export async function share(where, name, text) {
  const blob = await pngOf(document.querySelector(where), text);
  const file = new File([blob], `${name}.png`, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      return await navigator.share({ files: [file], text });
    } catch (error) {
      if (error.name === "AbortError") return undefined; // the reader has thought better of it
    }
  }
  return save(blob, file.name);
}

export function ShareButton({ name, where, text = name }) {
  return (
    <button type="button" onClick={() => share(where, name, `${text} · tafl`)}>
      {t("Share as picture")}
    </button>
  );
}
