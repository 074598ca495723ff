/** The work that the server has under way, found again from any page. */

import { formatAddress, lineParams } from "../address.js";
import { hasEnded, listJobs, stopJob } from "../jobs.js";
import { iconButton } from "./buttons.js";
import { clear, h } from "./dom.js";
import { showError } from "./notice.js";

const OFTEN = 2500; // milliseconds between two looks while the list is open
const SELDOM = 15000;

/** @param {HTMLElement} host */
export function jobMenu(host) {
  const list = h("ul", {});
  const box = h(
    "div",
    { class: "menu-box", hidden: true, role: "region", "aria-label": "Work under way" },
    h("h2", {}, "Work under way"),
    list,
  );
  const count = h("span", { class: "count", hidden: true });
  const opener = iconButton("work", "Work under way", () => toggle(Boolean(box.hidden)), { "aria-expanded": "false" });
  opener.append(count);
  host.append(h("div", { class: "menu" }, opener, box));
  let timer = 0;

  /** @param {boolean} isOpen */
  const toggle = (isOpen) => {
    box.hidden = !isOpen;
    opener.setAttribute("aria-expanded", String(isOpen));
    look();
  };
  const look = async () => {
    clearTimeout(timer);
    if (!document.hidden) {
      try {
        show(await listJobs());
      } catch (error) {
        if (!box.hidden) showError(error);
      }
    }
    timer = setTimeout(look, box.hidden ? SELDOM : OFTEN);
  };
  /** @param {JobData[]} jobs */
  const show = (jobs) => {
    const running = jobs.filter((job) => !hasEnded(job));
    count.hidden = !running.length;
    count.textContent = String(running.length);
    if (box.hidden) return;
    const shown = [...running, ...jobs.filter((job) => hasEnded(job) && !(job.asked || {}).turn).slice(-6)];
    clear(
      list,
      shown.length
        ? shown.map((job) => item(job, look))
        : h("li", { class: "faint" }, "Nothing at the moment."),
    );
  };
  addEventListener("hashchange", () => toggle(false));
  document.addEventListener("click", (event) => {
    if (!box.hidden && !host.contains(/** @type {Node} */ (event.target))) toggle(false);
  });
  host.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || box.hidden) return;
    toggle(false);
    opener.focus();
  });
  look();
}

const STATES = { queued: "waiting", running: "at work", done: "done", stopped: "stopped", failed: "failed" };

/** @param {JobData} job @param {() => void} again */
function item(job, again) {
  const state = job.state === "queued" && job.place ? `waiting, place ${job.place}` : STATES[job.state];
  const stop = hasEnded(job)
    ? h("span")
    : iconButton("stop", `Stop ${job.title}`, () => stopJob(job.id).then(again, showError));
  const done =
    job.latest && job.latest.of ? (job.latest.done ?? job.latest.played ?? 0) / job.latest.of : null;
  const share = h("span");
  share.style.transform = `scaleX(${done})`;
  const bar = !hasEnded(job) && done !== null ? h("div", { class: "bar" }, share) : null;
  return h(
    "li",
    {},
    h("div", {}, h("a", { href: addressOf(job) }, job.title || job.kind), h("small", {}, ` ${state}`)),
    stop,
    bar,
  );
}

/** @param {JobData} job */
function addressOf(job) {
  const asked = job.asked || {};
  if (job.kind === "tournament") return formatAddress("compare", { store: asked.name });
  if (!asked.game || !asked.board) return "#play";
  return formatAddress(
    "analyse",
    lineParams({ game: asked.game, board: asked.board, moves: asked.moves || [] }),
  );
}
