/* A large board on a small screen: with the switch its cells become as large as a finger, and the
   board is pushed about in its frame. And what a hint marks is brought into sight. */

const FINGER = 44;
const LARGE = "large board";
const button = document.querySelector("[data-zoom]");
const frame = () => document.querySelector(".play-board");
const picture = () => frame()?.querySelector(".picture");

/* How wide the smallest place to be pressed is, in the picture's own units. */
function place() {
  const places = [...picture().querySelectorAll("rect.press")];
  return Math.min(FINGER, ...places.map((each) => each.width.baseVal.value));
}

function show() {
  if (!button || !picture()) return;
  const isOn = sessionStorage.getItem(LARGE) !== null;
  frame().classList.remove("large");
  picture().style.width = "";
  const scale = picture().getScreenCTM()?.a ?? 1;
  button.hidden = place() * scale >= FINGER;
  button.setAttribute("aria-pressed", isOn);
  if (!isOn || button.hidden) return;
  frame().classList.add("large");
  picture().style.width = `${(picture().viewBox.baseVal.width / place()) * FINGER}px`;
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
