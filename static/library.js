/* The selection of cards.

   The library's selection (`data-chosen`) is stored by primary key in this tab, so it survives
   filters, searches and page changes. A chosen puzzle that is not on the page is listed in the bar as
   a checkbox of the same form, so the form always sends exactly what the bar counts. An action that
   leads to another page takes the selection with it (`data-takes`). */

import { passing } from "./browser.js";

/* If the filters are one line that scrolls sideways, bring the chosen filter into view. */
for (const row of document.querySelectorAll(".chips")) {
  /** @type {HTMLElement | null} */
  const chosen = row.querySelector("label:has(:checked)");
  if (chosen) row.scrollLeft = chosen.offsetLeft + chosen.offsetWidth - row.clientWidth;
}

/** @returns {HTMLFormElement | null} */
const selectionForm = () => document.querySelector("form[data-chosen]");

/** @param {HTMLFormElement} form */
function cards(form) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const ticks = form.querySelectorAll(".card-tick");
  return [...ticks];
}

/** @typedef {Map<string, string>} Selection */

/**
 * The selection: the key of each chosen puzzle with its title, in the order of choosing.
 *
 * @type {Selection}
 */
let chosen = new Map();

/**
 * If the browser stores nothing, the selection lasts until the user leaves the page.
 *
 * @param {string} name
 * @returns {Selection}
 */
function stored(name) {
  return new Map(JSON.parse(passing.read(name) ?? "[]"));
}

/**
 * @param {string} name
 * @param {Selection} selection
 */
function store(name, selection) {
  passing.write(name, JSON.stringify([...selection]));
}

/** @param {HTMLFormElement} form */
const storeChosen = (form) => store(form.dataset.chosen ?? "", chosen);

/** @param {HTMLInputElement} box */
function choose(box) {
  if (box.checked) chosen.set(box.value, box.dataset.title ?? "");
  else chosen.delete(box.value);
}

/**
 * Draw the selection: ticks on this page, the other chosen puzzles in the bar, and the number.
 *
 * @param {HTMLFormElement} form
 */
function draw(form) {
  const here = new Set();
  for (const box of cards(form)) {
    here.add(box.value);
    box.checked = chosen.has(box.value);
  }
  const elsewhere = [...chosen].filter(([key]) => !here.has(key));
  const others = form.querySelector("[data-chosen-elsewhere]");
  if (others) others.hidden = !elsewhere.length;
  form
    .querySelector("#chosen-elsewhere ul")
    ?.replaceChildren(...elsewhere.map(([key, title]) => entry(key, title)));
  count(form);
}

/**
 * @param {string} key
 * @param {string} title
 */
function entry(key, title) {
  const [item, label, box] = ["li", "label", "input"].map((tag) => document.createElement(tag));
  Object.assign(box, { type: "checkbox", name: "puzzle", value: key, checked: true });
  box.dataset.title = title;
  label.className = "choice";
  label.append(box, title);
  item.append(label);
  return item;
}

/** @param {HTMLFormElement} form */
function count(form) {
  const all = form.elements.all;
  const number = all?.checked
    ? all.dataset.number
    : chosen.size.toLocaleString(document.documentElement.lang);
  const shown = form.querySelector("[data-chosen-count]");
  if (shown) shown.textContent = number;
}

function start() {
  const form = selectionForm();
  if (!form) return;
  chosen = stored(form.dataset.chosen ?? "");
  draw(form);
}

start();

document.addEventListener("htmx:after:swap", () => {
  const form = selectionForm();
  if (!form) return;
  // "All" stood for the results of the last search, which are not those of this one.
  if (form.elements.all) form.elements.all.checked = false;
  draw(form);
});

document.addEventListener("change", (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  /** @type {HTMLFormElement | null} */
  const form = target.closest("form[data-chosen]");
  if (!form) return;
  if (target.name === "puzzle") {
    choose(target);
    storeChosen(form);
  }
  count(form);
});

/** @type {HTMLInputElement | null} */
let lastTicked = null;

document.addEventListener("click", ({ target, shiftKey }) => {
  const box = /** @type {HTMLInputElement | null} */ (target?.closest("[data-chosen] .card-tick"));
  if (!box?.form) return;
  const boxes = cards(box.form);
  const ends = [lastTicked ? boxes.indexOf(lastTicked) : -1, boxes.indexOf(box)].sort((a, b) => a - b);
  if (shiftKey && ends[0] >= 0) {
    for (const between of boxes.slice(ends[0], ends[1] + 1)) {
      between.checked = box.checked;
      choose(between);
    }
    storeChosen(box.form);
    count(box.form);
  }
  lastTicked = box;
});

document.addEventListener("click", ({ target }) => {
  const button = /** @type {HTMLButtonElement | null} */ (
    target?.closest("[data-choose-all], [data-choose-none]")
  );
  if (!button?.form) return;
  const { form } = button;
  if (button.matches("[data-choose-none]")) chosen.clear();
  else {
    const boxes = cards(form);
    const all = boxes.every((box) => box.checked);
    for (const box of boxes) {
      box.checked = !all;
      choose(box);
    }
  }
  if (form.elements.all) form.elements.all.checked = false;
  storeChosen(form);
  draw(form);
});

/* Clear a selection that another page has taken over, and remove a deleted puzzle from it. */
document.addEventListener("submit", ({ target, submitter }) => {
  const { takes, deletes } = (submitter?.closest("[data-takes]") ?? target)?.dataset ?? {};
  if (!takes) return;
  const kept = stored(takes);
  if (deletes) kept.delete(deletes);
  else kept.clear();
  store(takes, kept);
});
