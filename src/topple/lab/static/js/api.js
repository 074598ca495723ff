/** Calls to the server: JSON in and out, errors as one sentence, a lost connection is tried again and reported. */

const WAITS = [300, 600, 1200, 2500, 4000]; // milliseconds before each new try; the last one repeats

export class ApiError extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** @type {Set<(lost: boolean) => void>} */
const listeners = new Set();
let isLost = false;

/**
 * Call a listener when the connection is lost and when it is back.
 * @param {(lost: boolean) => void} listener
 */
export function onConnection(listener) {
  listeners.add(listener);
}

/** @param {boolean} lost */
export function reportConnection(lost) {
  if (lost === isLost) return;
  isLost = lost;
  for (const listener of listeners) listener(lost);
}

/** This page's name among the server's clients; a reload keeps it. */
function clientId() {
  try {
    let id = sessionStorage.getItem("topple-client");
    if (!id) {
      id = crypto.getRandomValues(new Uint32Array(3)).join("-");
      sessionStorage.setItem("topple-client", id);
    }
    return id;
  } catch {
    return "page";
  }
}

const token = new URLSearchParams(location.search).get("token");

/**
 * An address of the API, with the token if the page has one.
 * @param {string} path
 */
export function apiPath(path) {
  const full = `/api${path}`;
  if (!token) return full;
  return `${full}${full.includes("?") ? "&" : "?"}token=${encodeURIComponent(token)}`;
}

/** @param {number} milliseconds */
const rest = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * Call the server. A connection that fails is tried again until it answers, and so is what the server is
 * still making ready, unless `tries` says otherwise.
 * Throws an ApiError with the server's own sentence.
 * @param {string} method
 * @param {string} path
 * @param {any} [body]
 * @param {CallOptions} [options]
 */
async function call(method, path, body, { tries = Infinity, signal, raw = false } = {}) {
  /** @type {Record<string, string>} */
  const headers = { "X-Topple-Client": clientId() };
  if (method !== "GET") headers["X-Topple"] = "1";
  if (body !== undefined && !raw) headers["Content-Type"] = "application/json";
  const content = body === undefined || raw ? body : JSON.stringify(body);
  for (let attempt = 0; ; attempt += 1) {
    let response;
    try {
      response = await fetch(apiPath(path), { method, headers, body: content, signal });
    } catch (error) {
      if (/** @type {Error} */ (error).name === "AbortError" || attempt + 1 >= tries) throw error;
      reportConnection(true);
      await rest(WAITS[Math.min(attempt, WAITS.length - 1)]);
      continue;
    }
    reportConnection(false);
    const wait = Number(response.headers.get("Retry-After"));
    if (response.status !== 503 || !wait || attempt + 1 >= tries) return readAnswer(response);
    await rest(1000 * wait); // it is being made ready, or replayed, and further on each time
  }
}

/** @param {Response} response */
async function readAnswer(response) {
  const text = await response.text();
  const data = parsed(text);
  if (response.ok) return data;
  const told = data && (data.error || data.detail);
  throw new ApiError(
    typeof told === "string" ? told : `The server answered with an error (${response.status}).`,
    response.status,
  );
}

/** What a text holds as JSON; null if it is none. @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {string} path @param {CallOptions} [options] */
export const get = (path, options) => call("GET", path, undefined, options);
/** @param {string} path @param {unknown} body @param {CallOptions} [options] */
export const post = (path, body, options) => call("POST", path, body, options);
/** @param {string} path @param {CallOptions} [options] */
export const remove = (path, options) => call("DELETE", path, undefined, options);

/**
 * Send a file as it is.
 * @param {string} path @param {File} file
 */
export const upload = (path, file) => call("POST", path, file, { raw: true });
