/** Specs: the `name:key=value,key=value` texts that name games, boards and agents. */

// A part between commas. A value in quotes may contain commas, and a quote written twice.
const PART = /[^,="]*="(?:[^"]|"")*"[^,]*|[^,]+/g;

/** @param {string} text */
export function parseSpec(text) {
  const [name, rest = ""] = text.split(/:(.*)/s);
  /** @type {string[]} */
  const values = [];
  /** @type {Texts} */
  const options = {};
  for (const part of rest.match(PART) || []) {
    const [key, value] = part.split(/=(.*)/s);
    if (value === undefined) values.push(key.trim());
    else options[key.trim()] = unquoted(value.trim());
  }
  return { name: name.trim(), values, options };
}

/** @param {string} name @param {Record<string, string | number>} options @param {string[]} [values] */
export function formatSpec(name, options, values = []) {
  const parts = [...values, ...Object.entries(options).map(([key, value]) => `${key}=${quoted(String(value))}`)];
  return parts.length ? `${name}:${parts.join(",")}` : name;
}

/** @param {string} value */
const unquoted = (value) =>
  /^"(?:[^"]|"")*"$/.test(value) ? value.slice(1, -1).replace(/""/g, '"').trim() : value;

/** @param {string} value */
const quoted = (value) => (/[,"]/.test(value) ? `"${value.replace(/"/g, '""')}"` : value);
