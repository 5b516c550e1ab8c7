/* The projector: clocks, the ground, full screen, and whether the site still answers. */

import { tick } from "./clocks.js";
import { lasting } from "./browser.js";

const LOST_AFTER_MS = 20_000;
const TICK_MS = 250;
let answeredAt = Date.now();

const isBlack = () => document.body.classList.contains("on-black");
document.body.classList.toggle("on-black", lasting.read("ground") === "black");

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  if (event.target.closest("[data-ground]")) {
    document.body.classList.toggle("on-black");
    lasting.write("ground", isBlack() ? "black" : "white");
  }
  if (event.target.closest("[data-full]"))
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.();
});

/* A presenter's remote turns the slides, on the teacher's own sign-in. */
/** @type {Record<string, string>} */
const TURNS = { ArrowLeft: "previous", PageUp: "previous", ArrowRight: "next", PageDown: "next" };
document.addEventListener("keydown", (event) => {
  const { lead, ...turns } = /** @type {HTMLElement} */ (document.querySelector("#screen")).dataset;
  const turn = turns[TURNS[event.key] ?? ""];
  if (!lead || !turn) return;
  event.preventDefault();
  const headers = { "X-CSRFToken": document.body.dataset.token ?? "" };
  fetch(lead, { method: "POST", headers, body: new URLSearchParams({ do: turn }), redirect: "manual" });
});

document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  if (ctx.response?.raw?.ok) answeredAt = Date.now();
});
document.addEventListener("htmx:after:swap", tick);
setInterval(() => {
  tick();
  const lost = /** @type {HTMLElement} */ (document.querySelector("[data-lost]"));
  lost.hidden = Date.now() - answeredAt < LOST_AFTER_MS;
}, TICK_MS);
