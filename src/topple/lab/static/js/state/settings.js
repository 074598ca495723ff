/** What the person has chosen for this browser; kept where the browser keeps anything. */

const KEY = "topple";
const DEFAULTS = {
  theme: "", // light, dark, or as the system has it
  speed: 3, // 0: no steps are shown; 1 slow … 5 fast
  labels: false,
  legal: true,
  heat: true,
  agent: "uct:time=3",
  second: "alphabeta:time=3",
  hasSecond: false,
  last: null, // the game that was started last: {game, board, players, time}
};
let chosen = read();

function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) || "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

export const setting = (name) => chosen[name];

export function set(name, value) {
  chosen = { ...chosen, [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    // it holds until the page is closed
  }
}
