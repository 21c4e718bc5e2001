// The compressed bytes of a page.

export function decode(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}

export async function inflate(text) {
  const stream = new Blob([decode(text)])
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
