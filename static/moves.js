/* The controls over the moves of an attempt: keys, the slider's number, save points and trials.

   Z and U take a move back, and Y makes it again. So do the arrow keys, where they have no other
   use. S sets or removes a save point, and B goes back to the one before. M opens the menu. A trial is a mark on the
   number of moves: discarding it goes back to the mark, and keeping it removes the mark.

   screen-reader.js has more keys. It is loaded with the first key that is pressed, because most students
   never press one. */

import { say } from "./announcer.js";
import { whenDone } from "./send-steps.js";
import { lasting, passing } from "./browser.js";

const trial = () => document.querySelector("[data-trial]");
const board = () => document.getElementById("board");
/** @returns {HTMLInputElement | null} */
const slider = () => document.querySelector(".play-moves input[type=range]");
const storageName = (what = "trial") => `${what} ${board()?.getAttribute("action")}`;
const moves = () => Number(slider()?.defaultValue ?? 0);

/* Keys */

const UNDO = ".play-controls [value=undo]";
const REDO = ".play-controls [name=redo]";
const SAVE = "[data-save]";
const BEFORE = "[data-point][data-before]";
/** @type {Record<string, string>} */
const KEYS = {
  z: UNDO,
  u: UNDO,
  y: REDO,
  ArrowLeft: UNDO,
  ArrowRight: REDO,
  s: SAVE,
  b: BEFORE,
  m: "[data-menu]",
};

document.addEventListener("keydown", (event) => {
  const name = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  const isBusy = event.target?.closest?.("input:not([type=radio]), select, textarea, dialog, [popover]");
  if (!name || isBusy || event.altKey || event.metaKey) return;
  if (event.ctrlKey && event.key !== "z" && event.key !== "y") return;
  if (event.key.startsWith("Arrow") && event.target?.closest(".spot, [data-player], summary")) return;
  const button = [...document.querySelectorAll(name)].pop();
  if (!button) return;
  event.preventDefault();
  button.click();
});

document.addEventListener("keydown", async (event) => {
  const { pressed } = await import("./screen-reader.js");
  pressed(event);
});

document.addEventListener("click", async (event) => {
  const link = /** @type {HTMLAnchorElement | null | undefined} */ (event.target?.closest?.("a[data-key]"));
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { showSheet } = await import("./screen-reader.js");
  showSheet(link.href);
});

/* What was chosen in a sheet over the board is done, and the board is seen again. */
document.addEventListener("click", ({ target }) => {
  const done = target?.closest?.("[data-yes], #play-menu :is([data-try], [data-save], [value=move])");
  /** @type {HTMLElement | null | undefined} */
  const sheet = done?.closest("[popover]");
  sheet?.hidePopover();
});

/* The row of dots shows at which of its ends there are more, and begins at the puzzle of the page. */

const dots = document.querySelector(".play-head .set");

function showEnds() {
  if (!dots) return;
  const { scrollLeft, clientWidth, scrollWidth } = dots;
  dots.classList.toggle("more-before", scrollLeft > 1);
  dots.classList.toggle("more-after", scrollLeft + clientWidth < scrollWidth - 1);
}

/** @type {HTMLElement | null | undefined} */
const here = dots?.querySelector("[aria-current]");
if (dots && here) dots.scrollLeft = here.offsetLeft - (dots.clientWidth - here.offsetWidth) / 2;
dots?.addEventListener("scroll", showEnds);
window.addEventListener("resize", showEnds);
showEnds();

/* Sounds are loaded with the first press, or at once to show that they are switched off. What the first
   press does on the board is heard as soon as they are there. */

const sound = document.querySelector("[data-sound]")?.dataset.sound;
let isLoadingSounds = false;

async function loadSounds() {
  if (!sound || isLoadingSounds) return;
  isLoadingSounds = true;
  /** @type {Event[]} */
  const early = [];
  /** @param {Event} event */
  const note = (event) => early.push(event);
  const names = ["board:step", "board:refused", "board:solved"];
  for (const name of names) document.addEventListener(name, note);
  const { hear } = await import(sound);
  for (const name of names) document.removeEventListener(name, note);
  early.forEach(hear);
}

if (lasting.read("sound off") !== null) loadSounds();
for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, loadSounds, { once: true });

/* The slider */

document.addEventListener("input", (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  const output = target.matches(".play-moves input") && target.nextElementSibling;
  if (output) output.textContent = target.value;
});

/** @param {string | null | undefined} number */
function goTo(number) {
  whenDone(() => {
    const input = slider();
    if (!input || moves() === Number(number)) return;
    input.value = number ?? "";
    input.form?.requestSubmit();
  });
}

/* Save points: numbers of moves, each with the mark of its board. A save point is removed when undo
   and redo no longer reach its board. */

const MAX_POINTS = 4;

/** @typedef {Record<string, string | undefined>} Points Number of moves -> the mark of its board. */

/** @returns {Points} */
const points = () => JSON.parse(passing.read(storageName("points")) ?? "{}");

/** @param {Points} all */
function keepPoints(all) {
  passing.write(storageName("points"), JSON.stringify(all));
}

function savePoint() {
  const [all, now, words] = [points(), moves(), document.querySelector("[data-points]")?.dataset ?? {}];
  if (now in all) delete all[now];
  else all[now] = board()?.dataset.at;
  for (const first of Object.keys(all).slice(0, -MAX_POINTS)) delete all[first];
  keepPoints(all);
  say(`${now in all ? words.saved : words.gone} ${now}`);
  show();
}

/** @param {Element} bar */
function showPoints(bar) {
  const [all, now] = [board() ? points() : {}, moves()];
  for (const number of Object.keys(all).map(Number))
    if (number > Number(slider()?.max ?? 0) || (number === now && all[number] !== board()?.dataset.at))
      delete all[number];
  if (board()) keepPoints(all);
  const numbers = Object.keys(all);
  if (bar.dataset.shown !== numbers.join()) drawPoints(bar, numbers);
  for (const point of bar.querySelectorAll("[data-point]")) {
    point.toggleAttribute("data-before", Number(point.dataset.point) < now);
    point.setAttribute("aria-current", String(Number(point.dataset.point) === now));
  }
  bar.hidden = !numbers.length;
  document.querySelector(SAVE)?.setAttribute("aria-pressed", String(now in all));
  // A slider with a list has another place for its thumb, so that it would jump when the page opens.
  if (numbers.length) slider()?.setAttribute("list", "points");
}

/**
 * @param {Element} bar
 * @param {string[]} numbers
 */
function drawPoints(bar, numbers) {
  bar.dataset.shown = numbers.join();
  const drawn = numbers.map((number) => {
    const point = document.createElement("button");
    Object.assign(point, { type: "button", className: "button", textContent: number });
    point.dataset.point = number;
    point.setAttribute("aria-label", `${bar.dataset.label} ${number}`);
    return point;
  });
  for (const point of bar.querySelectorAll("[data-point]")) point.remove();
  bar.append(...drawn);
  document.getElementById("points")?.replaceChildren(...numbers.map((number) => new Option("", number)));
}

/* Trials */

function show() {
  const notice = trial();
  if (!notice) return;
  const from = passing.read(storageName());
  // Moves before the beginning of the trial are not part of it, so it ends.
  if (from !== null && moves() < Number(from)) passing.remove(storageName());
  const isOn = passing.read(storageName()) !== null;
  notice.hidden = !isOn;
  const number = notice.querySelector("[data-number]");
  if (number) number.textContent = from;
  document.querySelector(".play")?.classList.toggle("trying", isOn);
  showPoints(/** @type {Element} */ (document.querySelector("[data-points]")));
}

document.addEventListener("click", ({ target }) => {
  /** @param {string} name */
  const pressed = (name) => target?.closest?.(`[data-${name}]`);
  if (pressed("save") && board()) whenDone(savePoint);
  else if (pressed("point")) goTo(pressed("point")?.dataset.point);
  else if (pressed("try")) {
    passing.write(storageName(), String(moves()));
    say();
  } else if (pressed("drop-trial")) goTo(passing.read(storageName()));
  if (pressed("keep-trial") || pressed("drop-trial")) passing.remove(storageName());
  show();
});

document.addEventListener("htmx:after:swap", show);
show();
