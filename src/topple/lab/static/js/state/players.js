/** Who plays: `human` or an agent's spec, one for each seat. */

import { findAgent } from "./catalogue.js";

export const HUMAN = "human";

/**
 * Split `human,uct:time=1,c=1.4`: a part such as `c=1.4` belongs to the agent before it.
 * @param {string} text
 */
export function parsePlayers(text) {
  const players = [];
  for (const part of text
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean)) {
    if (/^[\w-]+=/.test(part) && players.length) players[players.length - 1] += `,${part}`;
    else players.push(part);
  }
  return players;
}

/** @param {string[]} players */
export const formatPlayers = (players) => players.join(",");

/**
 * Anyone who is not an agent is a person, whatever name a record has for them.
 * @param {string | undefined} player
 */
export const isHuman = (player) => !player || !findAgent(player);

/**
 * One player for each seat: the given ones, then people.
 * @param {string[]} players @param {number} count
 */
export const seated = (players, count) => Array.from({ length: count }, (_, seat) => players[seat] || HUMAN);

/** @param {string | undefined} player */
export const playerText = (player) => (!player || player === HUMAN ? "Person" : player);
