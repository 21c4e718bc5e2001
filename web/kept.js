// What the browser keeps between visits: small choices. Where it keeps nothing, nothing is lost.

const PREFIX = "tafl.";

export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    return null;
  }
}

export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // some places do not allow it
  }
}
