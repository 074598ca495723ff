/** Forms made from the catalogue's options: a field for each, blank for the default. */

import { iconButton } from "./buttons.js";
import { h, newId } from "./dom.js";

/**
 * How fields are made: whether numbers get a slider, a bound for it, and the options that take more than their choices.
 * @typedef {{sliders: boolean, most: number, free: string[]}} Sliders
 */

const MOST_SEED = 9999;

/**
 * @param {OptionData[]} options as the catalogue lists them
 * @param {Texts} chosen texts by name
 * @param {object} [more]
 * @param {boolean} [more.sliders] whether numbers get a slider beside the field
 * @param {number} [more.most] a bound for sliders, such as the most vertices
 * @param {string[]} [more.free] the names of the options that take other texts than their choices
 * @param {(texts: Texts) => void} [more.onChange] called with the texts that differ from the default, by name
 */
export function optionForm(options, chosen, { sliders = false, most = Infinity, free = [], onChange = () => {} } = {}) {
  const values = { ...chosen };
  /** @param {OptionData} option @param {string} text */
  const change = (option, text) => {
    const isDefault = text === "" || (option.default !== null && text === defaultText(option));
    if (isDefault) delete values[option.name];
    else values[option.name] = text;
    onChange({ ...values });
  };
  return h(
    "div",
    { class: "fields" },
    options.map((option) =>
      field(option, values[option.name], { sliders, most, free }, (text) => change(option, text)),
    ),
  );
}

/** @param {OptionData} option */
function defaultText(option) {
  if (option.default === null || option.default === undefined) return "";
  if (typeof option.default === "number" && !Number.isInteger(option.default))
    return String(Number(option.default.toFixed(4)));
  return String(option.default);
}

/**
 * @param {OptionData} option
 * @param {string | undefined} text
 * @param {Sliders} how
 * @param {(text: string) => void} change
 */
function field(option, text, how, change) {
  const id = newId(option.name);
  const words = option.meaning ? h("small", { id: `${id}-words` }, option.meaning) : null;
  const common = { id, "aria-describedby": words ? `${id}-words` : null };
  if (option.kind === "bool") {
    const isOn = (text ?? defaultText(option)) === "true";
    const box = h("input", {
      ...common,
      type: "checkbox",
      checked: isOn,
      onchange: () => change(String(box.checked)),
    });
    return h("div", { class: "field check" }, box, h("label", { for: id }, titled(option.name)), words);
  }
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, titled(option.name)),
    control(option, text, how, common, change),
    words,
  );
}

/**
 * @param {OptionData} option
 * @param {string | undefined} text
 * @param {Sliders} how
 * @param {Attributes} common
 * @param {(text: string) => void} change
 */
function control(option, text, how, common, change) {
  if (how.free.includes(option.name)) return freeControl(option, text, common, change);
  if (option.choices && option.choices.length) {
    const shown = text ?? defaultText(option);
    return h(
      "select",
      { ...common, onchange: (event) => change(event.target.value) },
      option.choices.map((choice) => h("option", { value: choice, selected: choice === shown }, choice)),
    );
  }
  if (option.kind === "int" || option.kind === "float")
    return numberControl(option, text, how, common, change);
  if (how.sliders && /^\d+x\d+$/.test(defaultText(option))) return sizeControl(option, text, common, change);
  return h("input", {
    ...common,
    type: "text",
    value: text ?? "",
    placeholder: defaultText(option),
    // While it is typed: told when the field is left, it would disable a button that is just being pressed.
    oninput: (event) => change(event.target.value.trim()),
  });
}

/**
 * @param {OptionData} option
 * @param {string | undefined} text
 * @param {Sliders} how
 * @param {Attributes} common
 * @param {(text: string) => void} change
 */
function numberControl(option, text, how, common, change) {
  const step = option.kind === "int" ? 1 : option.most !== null && option.most <= 1 ? 0.01 : "any";
  const number = h("input", {
    ...common,
    type: "number",
    step,
    min: option.least,
    max: option.most,
    value: text ?? "",
    placeholder: defaultText(option) || "as needed",
    inputmode: option.kind === "int" ? "numeric" : "decimal",
  });
  number.addEventListener("input", () => change(number.value)); // what does not fit is refused in words
  if (!how.sliders) return number;
  if (option.name === "seed") {
    const roll = () => {
      number.value = String(1 + Math.floor(Math.random() * MOST_SEED));
      change(number.value);
    };
    return h(
      "div",
      { class: "slide with-button" },
      number,
      iconButton("dice", "Draw another", roll, { class: "button" }),
    );
  }
  const range = h("input", {
    type: "range",
    "aria-label": `${titled(option.name)}, slider`,
    step: step === "any" ? 0.1 : step,
    min: option.least ?? 0,
    max: sliderEnd(option, how.most),
    value: text ?? (defaultText(option) || option.least || 0),
  });
  range.addEventListener("input", () => {
    number.value = range.value;
    change(range.value);
  });
  number.addEventListener("input", () => {
    if (number.value) range.value = number.value;
  });
  return h("div", { class: "slide" }, range, number);
}

/**
 * A slider ends where boards become large to look at; the field beside it takes more.
 * @param {OptionData} option @param {number} most
 */
function sliderEnd(option, most) {
  const usualValue = Number(option.default) || 1;
  const usual =
    option.kind === "float"
      ? Math.max(1, 3 * usualValue)
      : Math.max(20, 8 * usualValue);
  return Math.min(option.most ?? Infinity, usual, option.kind === "float" ? Infinity : most);
}

/**
 * The choices, and a field for another text, such as a number.
 * @param {OptionData} option
 * @param {string | undefined} text
 * @param {Attributes} common
 * @param {(text: string) => void} change
 */
function freeControl(option, text, common, change) {
  const shown = text ?? defaultText(option);
  const isOther = !option.choices.includes(shown);
  const other = h("input", {
    type: "text",
    value: isOther ? shown : "",
    hidden: !isOther,
    placeholder: "for example 2",
    "aria-label": `${titled(option.name)}, another`,
    oninput: () => change(other.value.trim()),
  });
  const choose = () => {
    other.hidden = select.value !== "";
    if (other.hidden) change(select.value);
    else other.focus();
  };
  const select = h(
    "select",
    { ...common, onchange: choose },
    option.choices.map((choice) => h("option", { value: choice, selected: choice === shown }, choice)),
    h("option", { value: "", selected: isOther }, "another …"),
  );
  return h("div", { class: "slide" }, select, other);
}

/**
 * Two sliders for a size such as 5x5.
 * @param {OptionData} option
 * @param {string | undefined} text
 * @param {Attributes} common
 * @param {(text: string) => void} change
 */
function sizeControl(option, text, common, change) {
  const [rows, columns] = (text ?? defaultText(option)).split("x").map(Number);
  const shown = h("output", {}, `${rows} × ${columns}`);
  /** @param {string} name @param {number} value @param {Attributes} more */
  const make = (name, value, more) =>
    h("input", { type: "range", "aria-label": name, min: 2, max: 20, value, ...more });
  const [down, right] = [make("Rows", rows, common), make("Columns", columns || rows, {})];
  for (const range of [down, right]) {
    range.addEventListener("input", () => {
      shown.textContent = `${down.value} × ${right.value}`;
      change(`${down.value}x${right.value}`);
    });
  }
  return h("div", { class: "stack" }, down, right, shown);
}

/** @param {string} name */
const titled = (name) => {
  const words = name.replace(/[_-]/g, " ");
  return words.length < 2 ? words : words[0].toUpperCase() + words.slice(1);
};
