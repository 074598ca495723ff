/** What the person has chosen for this browser; stored in the browser. */

const KEY = "topple";
/**
 * What a person chose to play.
 * @typedef {{game: string, board: string, players: string[], time?: string}} GameChoice
 */

/**
 * @typedef {object} Settings
 * @property {string} theme light, dark, or empty: as the system has it
 * @property {number} speed 0: no steps are shown; 1 slow … 5 fast
 * @property {boolean} labels whether vertices have their names
 * @property {boolean} legal
 * @property {boolean} heat
 * @property {HeatKind} heatOf
 * @property {string} agent
 * @property {string} second
 * @property {boolean} hasSecond
 * @property {GameChoice | null} last the game that was started last
 */

/** @type {Settings} */
const DEFAULTS = {
  theme: "",
  speed: 3,
  labels: true,
  legal: true,
  heat: true,
  heatOf: "value",
  agent: "puct:time=3", // or the usual one where no network is shipped
  second: "alphabeta:time=3",
  hasSecond: false,
  last: null,
};
let chosen = read();

/** @returns {Settings} */
function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) || "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

/** @template {keyof Settings} K @param {K} name @returns {Settings[K]} */
export const setting = (name) => chosen[name];

/** @template {keyof Settings} K @param {K} name @param {Settings[K]} value */
export function set(name, value) {
  chosen = { ...chosen, [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    // it holds until the page is closed
  }
}
