/* A large board on a small screen: with the switch its cells become as large as a finger, and the
   board is pushed about in its frame. And what a hint marks is brought into sight. */

const FINGER = 44;
const LARGE = "large board";
const button = document.querySelector("[data-zoom]");
const frame = () => document.querySelector(".play-board");
const picture = () => frame()?.querySelector(".picture");

/* How wide the picture has to be for its cells to be as large as a finger. */
const wanted = () => (picture().viewBox.baseVal.width / 40) * FINGER;

function show() {
  if (!button || !picture()) return;
  const isOn = sessionStorage.getItem(LARGE) !== null;
  frame().classList.remove("large");
  picture().style.width = "";
  const scale = picture().getScreenCTM()?.a ?? 1;
  button.hidden = 40 * scale >= FINGER - 6;
  button.setAttribute("aria-pressed", isOn);
  if (!isOn || button.hidden) return;
  frame().classList.add("large");
  picture().style.width = `${wanted()}px`;
}

button?.addEventListener("click", () => {
  if (sessionStorage.getItem(LARGE) === null) sessionStorage.setItem(LARGE, "");
  else sessionStorage.removeItem(LARGE);
  show();
});

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

/* The dots of a long set: the one of this puzzle is in sight. */
document.querySelector(".set [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
