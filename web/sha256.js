// SHA-256: browsers have it only for pages from secure places, which a file need not be.

const K = new Uint32Array(64);
const START = new Uint32Array(8);
const roots = [];
for (let n = 2; roots.length < 64; n++) {
  if (roots.every((p) => n % p)) roots.push(n);
}
const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) >>> 0;
roots.forEach((p, i) => {
  K[i] = fraction(Math.cbrt(p));
  if (i < 8) START[i] = fraction(Math.sqrt(p));
});

export function sha256(...parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const data = new Uint8Array(Math.ceil((length + 9) / 64) * 64);
  let at = 0;
  for (const part of parts) {
    data.set(part, at);
    at += part.length;
  }
  data[length] = 128;
  const view = new DataView(data.buffer);
  view.setUint32(data.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(data.length - 4, length << 3);
  const h = START.slice();
  const w = new Uint32Array(64);
  for (let block = 0; block < data.length; block += 64) mix(h, w, view, block);
  return [...h].map((word) => word.toString(16).padStart(8, "0")).join("");
}

function mix(h, w, view, block) {
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + 4 * i);
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15];
    const y = w[i - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  let [a, b, c, d, e, f, g, last] = h;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (last + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [last, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, last].forEach((word, i) => (h[i] += word));
}
