/* The form of an assignment: choosing boards, putting them in order, looking at them, and storing
   what was entered.

   The state is in the fields of the form. A press on a board of the library or in the list of chosen
   boards changes these fields at once, and the server draws the list from them (`changed`). A request
   that is overtaken by the next press is dropped, and nothing is lost with it.

   What was entered is stored in this tab by teacher and address (`data-keeps`), and restored after a
   reload, a change of the language or a link that was pressed by mistake. */

import { sortByHandles } from "./drag-order.js";
import { passing, whenProcessed } from "./browser.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("assignment-form"));
const key = `assignment ${form.dataset.keeps} ${location.pathname}${location.search}`;
const basket = () => /** @type {HTMLElement} */ (document.getElementById("basket"));

/** The fields of the chosen boards, in order. */
function chosen() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = basket().querySelectorAll("[name=board]");
  return [...fields];
}

/** The boards of the library that are on the page. */
function tiles() {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const found = document.querySelectorAll("[data-tile]");
  return [...found];
}

/** Show the number and the ring of each chosen board of the library. */
function draw() {
  const names = chosen().map((field) => field.dataset.library);
  for (const tile of tiles()) {
    const place = names.indexOf(tile.dataset.tile) + 1;
    tile.setAttribute("aria-pressed", String(place > 0));
    const shown = tile.querySelector(".tile-place");
    if (shown) shown.textContent = place ? String(place) : "";
  }
}

function keep() {
  const entered = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
  passing.write(key, JSON.stringify(entered));
}

/** Draw what has changed, and have the server draw the list. */
function changed() {
  draw();
  keep();
  basket().dispatchEvent(new CustomEvent("changed"));
}

/**
 * Put a hidden field into the list.
 *
 * @param {string} name
 * @param {string} value
 * @param {string} library
 */
function put(name, value, library = "") {
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name, value });
  field.dataset.library = library;
  basket().append(field);
}

/**
 * Choose a board of the library. A board that was assigned before comes back with its attempts.
 *
 * @param {string} name
 */
function choose(name) {
  if (chosen().some((field) => field.dataset.library === name)) return;
  /** @type {HTMLInputElement | null} */
  const before = basket().querySelector(`[name=listed][data-library="${name}"]`);
  put("board", before?.value ?? name, name);
}

/** @type {HTMLButtonElement | null} */
let last = null;

/**
 * Choose the pressed board or take it out; with Shift, choose all boards from the last one to this.
 *
 * @param {HTMLButtonElement} tile
 * @param {boolean} isRange
 */
function press(tile, isRange) {
  const all = tiles();
  const ends = [last ? all.indexOf(last) : -1, all.indexOf(tile)].sort((a, b) => a - b);
  if (isRange && ends[0] >= 0) {
    for (const each of all.slice(ends[0], ends[1] + 1)) choose(each.dataset.tile ?? "");
  } else if (tile.getAttribute("aria-pressed") === "true") {
    const field = chosen().find((each) => each.dataset.library === tile.dataset.tile);
    (field?.closest("li") ?? field)?.remove();
  } else choose(tile.dataset.tile ?? "");
  last = tile;
}

/**
 * Move or remove an entry of the list, or sort the list.
 *
 * @param {HTMLButtonElement} button
 */
function order(button) {
  const [step] = button.value.split(":");
  const entry = button.closest("li");
  if (step === "easy") {
    const entries = [...basket().querySelectorAll(".basket-entry")];
    entries.sort((a, b) => Number(a.dataset.level) - Number(b.dataset.level));
    entries[0]?.parentElement?.append(...entries);
  } else if (step === "drop") {
    const next = entry?.nextElementSibling ?? entry?.previousElementSibling;
    entry?.remove();
    next?.querySelector("[value^=drop]")?.focus();
    return;
  } else if (step === "up") entry?.previousElementSibling?.before(entry);
  else entry?.nextElementSibling?.after(entry);
  button.focus();
}

/**
 * Show a board as large as the window allows.
 *
 * @param {HTMLElement} button
 */
function look(button) {
  const preview = /** @type {HTMLElement} */ (document.getElementById("preview"));
  const shown = button.closest("[data-shown]");
  /** @param {string} name */
  const part = (name) => /** @type {Element} */ (preview.querySelector(`[data-preview-${name}]`));
  part("title").textContent = button.dataset.look ?? "";
  const picture = shown?.querySelector(".thumb .picture")?.cloneNode(true);
  part("board").replaceChildren(...(picture ? [picture] : []));
  const facts = shown?.querySelector("[data-facts]")?.cloneNode(true);
  part("facts").replaceChildren(...(facts?.childNodes ?? []));
  preview.showPopover();
}

document.addEventListener("click", (event) => {
  const { target } = event;
  const looked = target?.closest("[data-look]");
  if (looked) return look(looked);
  if (target?.closest("[data-forget]")) return passing.remove(key);
  const button = /** @type {HTMLButtonElement | null} */ (target?.closest("[data-tile], #basket [name=do]"));
  if (!button) return;
  event.preventDefault();
  if (button.dataset.tile) press(button, event.shiftKey);
  else order(button);
  changed();
});

/* An answer that came during the drag would put the boards back into their order. */
const onStart = () => basket().dispatchEvent(new CustomEvent("htmx:abort"));
sortByHandles(() => ({ onStart, onEnd: changed }));

/* The title follows the boards until the teacher changes it. */

/** @type {() => string | undefined} */
const proposal = () => form.elements.proposed?.value;
let proposed = proposal();

document.addEventListener("htmx:after:swap", () => {
  const { title } = form.elements;
  const now = proposal();
  if (now !== undefined && title.value === proposed) title.value = now;
  proposed = now;
  draw();
  if (passing.read(key)) keep();
});

/* What was entered */

const IN_BASKET = ["board", "listed", "proposed"];

/**
 * Put the stored values into the form.
 *
 * @param {[string, string][]} entered
 */
function restore(entered) {
  /** @param {string} name */
  const isInBasket = (name) => IN_BASKET.includes(name) || name.startsWith("goal-");
  for (const field of /** @type {Iterable<any>} */ (form.elements)) {
    const values = entered.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field.type === "checkbox" || field.type === "radio") {
      field.checked = values.includes(field.value);
    } else if (values.length && field.type !== "hidden") field.value = values[0];
  }
  // The page is compared with what it has shown when this was entered (forms/merging.py).
  const shown = entered.filter(([name]) => name === "shown");
  /** @type {NodeListOf<HTMLInputElement>} */
  const showing = form.querySelectorAll("[name=shown]");
  for (const [at, field] of showing.entries()) field.value = shown[at]?.[1] ?? field.value;
  const library = new Map(chosen().map((field) => [field.value, field.dataset.library]));
  for (const field of basket().querySelectorAll("input, .basket-entry")) field.remove();
  for (const [name, value] of entered.filter(([each]) => isInBasket(each))) {
    put(name, value, library.get(value) ?? value);
  }
  proposed = proposal();
  for (const more of form.querySelectorAll("details")) {
    /** @type {NodeListOf<any>} */
    const fields = more.querySelectorAll("input, textarea");
    const isOther = [...fields].some(
      (field) => field.checked !== field.defaultChecked || field.value !== field.defaultValue,
    );
    more.open ||= isOther;
  }
  const notice = document.querySelector("[data-kept-back]");
  if (notice) notice.hidden = false;
  whenProcessed(basket(), changed);
}

const stored = passing.read(key);
if (stored) restore(JSON.parse(stored));
else if ("refused" in form.dataset) keep();
draw();

form.addEventListener("input", keep);
// The answer is the page of the assignment, or this page with what was refused.
form.addEventListener("submit", () => passing.remove(key));

/* The question whether to delete attempts opens in a dialog. Without scripts it stands in the form. */

/** @type {HTMLDialogElement | null} */
const ask = document.querySelector("dialog[data-ask]");
if (ask) {
  ask.close();
  ask.showModal();
  const back = () => {
    ask.close();
    for (const choice of ask.querySelectorAll("input")) choice.disabled = true;
  };
  ask.querySelector("[data-back]")?.addEventListener("click", back);
  ask.addEventListener("cancel", back);
}
