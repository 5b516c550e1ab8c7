/* Over the moves of a try: keys, the slider's number, save points, and what is only tried.

   Z and U take a move back, Y makes it again; so do the arrow keys, where they lead nowhere else.
   S sets a save point or takes it away, B goes back to the one before. A trial is a mark on the
   number of moves: dropping it goes back there, keeping it forgets it. */

import { whenDone } from "./steps.js";

const trial = () => document.querySelector("[data-trial]");
const board = () => document.getElementById("board");
const slider = () => document.querySelector(".play-moves input[type=range]");
const key = (what = "trial") => `${what} ${board()?.getAttribute("action")}`;
const moves = () => Number(slider()?.defaultValue ?? 0);

/* Keys */

const UNDO = ".play-controls [value=undo]";
const REDO = ".play-controls [name=redo]";
const SAVE = "[data-save]";
const BEFORE = "[data-point][data-before]";
const KEYS = { z: UNDO, u: UNDO, y: REDO, ArrowLeft: UNDO, ArrowRight: REDO, s: SAVE, b: BEFORE };

document.addEventListener("keydown", (event) => {
  const name = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  const isBusy = event.target.closest?.("input:not([type=radio]), select, textarea, dialog, [popover]");
  if (!name || isBusy || event.altKey || event.metaKey) return;
  if (event.ctrlKey && event.key !== "z" && event.key !== "y") return;
  if (event.key.startsWith("Arrow") && event.target.closest(".spot, [data-player], summary")) return;
  const button = [...document.querySelectorAll(name)].pop();
  if (!button) return;
  event.preventDefault();
  button.click();
});

document.addEventListener("click", ({ target }) => {
  if (target.closest?.("[data-yes]")) document.getElementById("start-again").hidePopover();
});

/* The slider */

document.addEventListener("input", ({ target }) => {
  if (target.matches?.(".play-moves input")) target.nextElementSibling.textContent = target.value;
});

function goTo(number) {
  whenDone(() => {
    if (!slider() || moves() === Number(number)) return;
    slider().value = number;
    slider().form.requestSubmit();
  });
}

/* Save points: numbers of moves, each with its board's mark. One goes when its board can't be reached
   by undo and redo any more. */

const MOST_POINTS = 4;
const points = () => JSON.parse(sessionStorage.getItem(key("points")) ?? "{}");

function keepPoints(all) {
  sessionStorage.setItem(key("points"), JSON.stringify(all));
}

function savePoint() {
  const [all, now, said] = [points(), moves(), document.querySelector("[data-point-said]")];
  if (now in all) delete all[now];
  else all[now] = board().dataset.at;
  for (const first of Object.keys(all).slice(0, -MOST_POINTS)) delete all[first];
  keepPoints(all);
  said.textContent = `${now in all ? said.dataset.saved : said.dataset.gone} ${now}`;
  show();
}

function showPoints(bar) {
  const [all, now] = [board() ? points() : {}, moves()];
  for (const number of Object.keys(all).map(Number))
    if (number > (slider()?.max ?? 0) || (number === now && all[number] !== board().dataset.at))
      delete all[number];
  if (board()) keepPoints(all);
  const numbers = Object.keys(all);
  if (bar.dataset.shown !== numbers.join()) drawPoints(bar, numbers);
  for (const point of bar.querySelectorAll("[data-point]")) {
    point.toggleAttribute("data-before", Number(point.dataset.point) < now);
    point.setAttribute("aria-current", Number(point.dataset.point) === now);
  }
  bar.hidden = !numbers.length;
  document.querySelector(SAVE).setAttribute("aria-pressed", now in all);
  slider()?.setAttribute("list", "points");
}

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
  document.getElementById("points").replaceChildren(...numbers.map((number) => new Option("", number)));
}

/* Trials */

function show() {
  if (!trial()) return;
  const from = sessionStorage.getItem(key());
  // Before its beginning nothing is tried any more.
  if (from !== null && moves() < Number(from)) sessionStorage.removeItem(key());
  const isOn = sessionStorage.getItem(key()) !== null;
  trial().hidden = !isOn;
  trial().querySelector("[data-number]").textContent = from;
  document.querySelector(".play").classList.toggle("trying", isOn);
  showPoints(document.querySelector("[data-points]"));
}

document.addEventListener("click", ({ target }) => {
  const pressed = (name) => target.closest?.(`[data-${name}]`);
  if (pressed("save") && board()) whenDone(savePoint);
  else if (pressed("point")) goTo(pressed("point").dataset.point);
  else if (pressed("try")) sessionStorage.setItem(key(), moves());
  else if (pressed("drop-trial")) goTo(sessionStorage.getItem(key()));
  if (pressed("keep-trial") || pressed("drop-trial")) sessionStorage.removeItem(key());
  show();
});

document.addEventListener("htmx:after:swap", show);
show();
