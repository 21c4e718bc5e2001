// Trained agents that the browser keeps between visits, in its database, as their files.

const [NAME, STORE] = ["tafl", "agents"];
export const MOST = 6; // agents of a game
const LARGEST = 100 * 2 ** 20; // bytes of one, compressed

let opening = null;

function database() {
  opening ??= settled(() => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: "key" }).createIndex("game", "game");
    };
    return request;
  });
  return opening;
}

function settled(ask) {
  return new Promise((done, failed) => {
    const request = ask();
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
}

async function ask(mode, question) {
  const found = await database();
  return settled(() => question(found.transaction(STORE, mode).objectStore(STORE)));
}

const through = (blob, stream) => new Response(blob.stream().pipeThrough(stream)).blob();

// Keeps an agent, and no more than MOST of its game: the oldest go first. Where there is no room,
// older ones go, too; if that is not enough, the promise fails.
export async function shelve(game, { key, label, file }) {
  const packed = await through(file, new CompressionStream("gzip"));
  if (packed.size > LARGEST) throw new RangeError("too large to be kept");
  const entry = { key, game, label, packed: await packed.arrayBuffer() };
  const older = (await entries(game)).map((known) => known.key).filter((known) => known !== key);
  while (older.length >= MOST) await unshelve(older.shift());
  for (;;) {
    try {
      return await ask("readwrite", (store) => store.put(entry));
    } catch (error) {
      if (!older.length) throw error;
      await unshelve(older.shift());
    }
  }
}

export const unshelve = (key) => ask("readwrite", (store) => store.delete(key));

// The agents of a game, oldest first: {key, label, file}; none where nothing can be kept.
export async function shelved(game) {
  try {
    const found = await entries(game);
    return await Promise.all(
      found.map(async ({ key, label, packed }) => ({
        key,
        label,
        file: await through(new Blob([packed]), new DecompressionStream("gzip")),
      })),
    );
  } catch {
    return [];
  }
}

async function entries(game) {
  const found = await ask("readonly", (store) => store.index("game").getAll(game));
  return found.sort((a, b) => (a.key < b.key ? -1 : 1));
}
