/** Specs: the `name:key=value,key=value` texts that name games, boards and agents. */

/** @param {string} text */
export function parseSpec(text) {
  const [name, rest = ""] = text.split(/:(.*)/s);
  /** @type {string[]} */
  const values = [];
  /** @type {Texts} */
  const options = {};
  for (const part of rest ? rest.split(",") : []) {
    const [key, value] = part.split(/=(.*)/s);
    if (value === undefined) values.push(key.trim());
    else options[key.trim()] = value.trim();
  }
  return { name: name.trim(), values, options };
}

/** @param {string} name @param {Record<string, string | number>} options @param {string[]} [values] */
export function formatSpec(name, options, values = []) {
  const parts = [...values, ...Object.entries(options).map(([key, value]) => `${key}=${value}`)];
  return parts.length ? `${name}:${parts.join(",")}` : name;
}
