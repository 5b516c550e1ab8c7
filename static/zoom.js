/* Large boards on small screens. With the switch, cells become as large as a finger, and the board
   scrolls in its frame. The script also brings the marks of a hint into view. */

import { passing } from "./browser.js";

const FINGER = 44;
const LARGE = "large board";
const button = document.querySelector("[data-zoom]");

/**
 * Return the width of the smallest place that can be pressed, in the picture's own units.
 *
 * @param {SVGSVGElement} picture
 */
function place(picture) {
  /** @type {NodeListOf<SVGRectElement>} */
  const places = picture.querySelectorAll("rect.press");
  return Math.min(FINGER, ...Array.from(places, (each) => each.width.baseVal.value));
}

function show() {
  const frame = document.querySelector(".play-board");
  /** @type {SVGSVGElement | null | undefined} */
  const picture = frame?.querySelector(".picture");
  if (!button || !frame || !picture) return;
  const isOn = passing.read(LARGE) !== null;
  frame.classList.remove("large");
  picture.style.width = "";
  const scale = picture.getScreenCTM()?.a ?? 1;
  button.hidden = place(picture) * scale >= FINGER;
  button.setAttribute("aria-pressed", String(isOn));
  if (!isOn || button.hidden) return;
  frame.classList.add("large");
  picture.style.width = `${(picture.viewBox.baseVal.width / place(picture)) * FINGER}px`;
}

button?.addEventListener("click", () => {
  if (passing.read(LARGE) === null) passing.write(LARGE, "");
  else passing.remove(LARGE);
  show();
});

/** @type {[number, number]} */
let pushed = [0, 0];

document.addEventListener("htmx:before:swap", () => {
  const form = document.getElementById("board");
  if (form) pushed = [form.scrollLeft, form.scrollTop];
});

document.addEventListener("htmx:after:swap", () => {
  show();
  document.getElementById("board")?.scrollTo(...pushed);
  const marks = [...document.querySelectorAll(".play-board .hinted-move, .play-board .hinted-region")];
  marks[0]?.scrollIntoView({ block: "nearest", inline: "nearest" });
});
window.addEventListener("resize", show);
show();
