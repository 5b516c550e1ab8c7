/* Over the moves of a try: keys, the slider's number, and what is only tried.

   Z and U take a move back, Y makes it again; so do the arrow keys, where they lead nowhere else.
   A trial is a mark on the number of moves: dropping it goes back there, keeping it forgets it. */

const trial = () => document.querySelector("[data-trial]");
const slider = () => document.querySelector(".play-moves input[type=range]");
const key = () => `trial ${document.getElementById("board")?.getAttribute("action")}`;
const moves = () => Number(slider()?.defaultValue ?? 0);

/* Keys */

const UNDO = ".play-controls [value=undo]";
const REDO = ".play-controls [name=redo]";
const KEYS = { z: UNDO, u: UNDO, y: REDO, ArrowLeft: UNDO, ArrowRight: REDO };

document.addEventListener("keydown", (event) => {
  const name = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  const isBusy = event.target.closest?.("input:not([type=radio]), select, textarea, dialog, [popover]");
  if (!name || isBusy || event.altKey || event.metaKey) return;
  if (event.ctrlKey && event.key !== "z" && event.key !== "y") return;
  if (event.key.startsWith("Arrow") && event.target.closest(".spot, [data-player], summary")) return;
  const button = document.querySelector(name);
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
  slider().value = number;
  slider().form.requestSubmit();
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
}

document.addEventListener("click", ({ target }) => {
  const pressed = (name) => target.closest?.(`[data-${name}]`);
  if (pressed("try")) sessionStorage.setItem(key(), moves());
  else if (pressed("drop-trial")) goTo(sessionStorage.getItem(key()));
  if (pressed("keep-trial") || pressed("drop-trial")) sessionStorage.removeItem(key());
  show();
});

document.addEventListener("htmx:after:swap", show);
show();
