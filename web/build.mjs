// npm ci && npm run build: makes src/tafl/page/static from the sources in this folder.
// The first line of each script names the sources that it was made from; a test compares.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const OUT = fileURLToPath(new URL("../src/tafl/page/static/", import.meta.url));
const HERE = fileURLToPath(new URL(".", import.meta.url));

const sources = readdirSync(HERE).filter((name) => /\.(jsx?|mjs|css)$|^(package|texts)\.json$/.test(name));
const total = createHash("sha256");
for (const name of sources.sort())
  total
    .update(`${name}\0`)
    .update(readFileSync(HERE + name))
    .update("\0");
const digest = total.digest("hex").slice(0, 16);

async function bundle(entry, out, format, platform = "browser") {
  const { outputFiles } = await build({
    entryPoints: [HERE + entry],
    bundle: true,
    minify: true,
    write: false,
    format,
    platform,
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    charset: "utf8",
  });
  const text = outputFiles[0].text.trim();
  const mark = out.endsWith(".css") ? `/* sources ${digest} */` : `// sources ${digest}`;
  writeFileSync(OUT + out, `${mark}\n${text}\n`);
  console.log(out, text.length);
}

await bundle("main.jsx", "page.js", "esm");
await bundle("worker.js", "worker.js", "iife");
await bundle("bot.js", "bot.js", "esm", "neutral");
await bundle("bench.js", "bench.js", "esm", "node");
await bundle("style.css", "page.css");
