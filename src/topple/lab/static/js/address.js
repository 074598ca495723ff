/**
 * The page's address: `#play?game=…&board=…&moves=3.17.4&at=2&players=human,uct:time=1&time=180+2`. In a game with
 * chance moves are texts with their draws, as `ann~7f3a01c2`.
 */

import { formatPlayers, parsePlayers } from "./state/players.js";

/** @type {Page[]} */
export const PAGES = ["play", "analyse", "games", "compare", "papers"];

let opened = location.hash; // what is shown; the bar differs from it while one is going elsewhere

/** Read the address in the bar, which is shown from now on. */
export function openAddress() {
  opened = location.hash;
  return parseAddress(opened);
}

/**
 * Read an address into `{page, params}`; `params` is a plain object of texts.
 * @param {string} hash
 */
export function parseAddress(hash) {
  const [name, query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  const params = Object.fromEntries(new URLSearchParams(query));
  return { page: PAGES.find((page) => page === name) || "play", params };
}

/** @param {Page} page @param {Record<string, any>} [params] */
export function formatAddress(page, params = {}) {
  const parts = Object.entries(params)
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(
      ([key, value]) =>
        `${key}=${encodeURIComponent(value).replace(/%3A/g, ":").replace(/%2C/g, ",").replace(/%3D/g, "=")}`,
    );
  return `#${page}${parts.length ? `?${parts.join("&")}` : ""}`;
}

/**
 * The line of play that an address describes.
 * @param {Record<string, string>} params
 * @returns {FullLine | null}
 */
export function readLine(params) {
  if (!params.game) return null;
  const moves = params.moves ? params.moves.split(".").filter(Boolean).map(readMove) : [];
  const at =
    params.at === undefined ? moves.length : Math.max(0, Math.min(moves.length, Number(params.at) || 0));
  return {
    game: params.game,
    board: params.board || "",
    moves,
    at,
    players: parsePlayers(params.players || ""),
    time: (params.time || "").replace(" ", "+"), // a plus that was not encoded comes as a blank
    ending: readEnding(params.ending),
  };
}

/** @param {string} text */
const readMove = (text) =>
  /^\d+$/.test(text) ? Number(text) : text.replace(/%2E/g, ".").replace(/%25/g, "%");

/** A dot separates moves, so that one within a text is written otherwise. @param {Move} move */
const formatMove = (move) => String(move).replace(/%/g, "%25").replace(/\./g, "%2E");

/** @param {string | undefined} text */
function readEnding(text) {
  const [by, player] = (text || "").split(".");
  return by ? { by, player: player === undefined ? null : Number(player) } : null;
}

/**
 * The parameters of a line of play: all its moves, and the ply that is shown.
 * @param {LineData} line
 */
export function lineParams({ game, board, moves, at, players, time, ending }) {
  return {
    game,
    board,
    moves: moves.map(formatMove).join("."),
    at: at === undefined || at === moves.length ? undefined : String(at),
    players: players && players.length ? formatPlayers(players) : undefined,
    time,
    ending: ending ? [ending.by, ending.player].filter((part) => part !== null).join(".") : undefined,
  };
}

/**
 * Go to an address as if a link had been followed.
 * @param {Page} page @param {Record<string, any>} params
 */
export function visit(page, params) {
  location.hash = formatAddress(page, params);
}

/**
 * Change the address in the bar without going there; `kept` is stored with it and survives a reload. An address that
 * one is going to already is left alone: the bar has it before the event that opens it, and other work comes between.
 * @param {Page} page @param {Record<string, any>} params @param {object | null} [kept]
 */
export function keepAddress(page, params, kept = null) {
  if (location.hash !== opened || parseAddress(opened).page !== page) return;
  history.replaceState(kept, "", formatAddress(page, params));
  opened = location.hash;
}
