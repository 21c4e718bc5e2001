// The compressed bytes of a page.

export function decode(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}

// Unpacks what is stored as text in a page, and as bytes elsewhere.
export async function inflate(packed) {
  const stream = new Blob([typeof packed === "string" ? decode(packed) : packed])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// What arrays, anywhere in a form, refer to.
export function references(form, found = new Set()) {
  if (form === null || typeof form !== "object") return found;
  if (typeof form.data === "string") found.add(form.data);
  if (form.active) found.add(form.active.gaps).add(form.active.values);
  for (const inner of Object.values(form)) references(inner, found);
  return found;
}

// A function from names to bytes, for the forms given.
export async function loader(packed, ...forms) {
  const names = [...references(forms)];
  const loaded = await Promise.all(names.map((name) => inflate(packed[name])));
  const known = Object.fromEntries(names.map((name, i) => [name, loaded[i]]));
  return (name) => known[name];
}

// What tafl/page/pack.py has put into one file: a document, and packed bytes by name.
export async function unpack(file) {
  const all = new Uint8Array(file.buffer ?? file, file.byteOffset ?? 0, file.byteLength);
  const size = new DataView(all.buffer, all.byteOffset).getUint32(0, true);
  const text = new TextDecoder().decode(await inflate(all.subarray(4, 4 + size)));
  const { document, parts } = JSON.parse(text);
  let at = 4 + size;
  const packed = {};
  for (const [name, length] of Object.entries(parts))
    packed[name] = all.subarray(at, (at += length));
  return { document, packed };
}
