/** A dialog over the page; the browser keeps the focus inside and closes it by Escape. */

import { iconButton } from "./buttons.js";
import { h, newId } from "./dom.js";

/**
 * Open a dialog; returns it with `close()`. `foot` holds the buttons.
 * @param {string} title
 * @param {Child} body
 * @param {{foot?: Child[], kind?: string, onClose?: () => void}} [options]
 */
export function openDialog(title, body, { foot = [], kind = "", onClose = () => {} } = {}) {
  const id = newId("dialog");
  const dialog = h(
    "dialog",
    { class: kind, "aria-labelledby": id },
    h(
      "div",
      { class: "dialog-head" },
      h("h2", { id }, title),
      iconButton("close", "Close", () => dialog.close()),
    ),
    h("div", { class: "dialog-body" }, body),
    foot.length ? h("div", { class: "dialog-foot" }, foot) : null,
  );
  const leave = () => dialog.close(); // another page is opened
  addEventListener("hashchange", leave);
  dialog.addEventListener("close", () => {
    removeEventListener("hashchange", leave);
    dialog.remove();
    onClose();
  });
  dialog.addEventListener("mousedown", (event) => {
    if (event.target === dialog) dialog.close(); // beside the box
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Ask a question with some answers; resolves to the chosen one, or to null.
 * @template T
 * @param {string} title
 * @param {string} words
 * @param {[text: string, value: T, kind?: string][]} answers
 * @returns {Promise<T | null>}
 */
export function ask(title, words, answers) {
  return new Promise((done) => {
    /** @type {T | null} */
    let chosen = null;
    const buttons = answers.map(([text, value, kind = ""]) =>
      h(
        "button",
        {
          type: "button",
          class: `button ${kind}`,
          onclick: () => {
            chosen = value;
            dialog.close();
          },
        },
        text,
      ),
    );
    const dialog = openDialog(title, words ? h("p", {}, words) : [], {
      foot: buttons,
      kind: "small",
      onClose: () => done(chosen),
    });
  });
}
