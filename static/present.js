/* Showing a board to the class: the element around it (`data-present`) alone, as large as the
   screen, without names. Arrow keys step as ever, a presenter's remote by Page Up and Page Down;
   N goes to the next one, Escape ends. An address with #present or #present-board opens like this. */
"use strict";

{
  const root = document.documentElement;
  const shown = () => document.querySelector("[data-presented]");

  function begin(element) {
    end();
    element.setAttribute("data-presented", "");
    root.setAttribute("data-presenting", "");
    // The class sees how it is done, not at once what comes out.
    if (element.querySelector('[data-turn="on"][aria-disabled="true"]'))
      element.querySelector('[data-turn="first"]:not([aria-disabled="true"])')?.click();
    // Where it is refused, as on some tablets, the board still fills the window.
    root.requestFullscreen?.().catch(() => {});
  }

  function end() {
    shown()?.removeAttribute("data-presented");
    root.removeAttribute("data-presenting");
    if (document.fullscreenElement) document.exitFullscreen();
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-present-begin]")) begin(event.target.closest("[data-present]"));
    if (event.target.closest?.("[data-present-end]")) end();
  });

  // A morph takes away what the server does not know of.
  document.addEventListener("htmx:after:swap", () => {
    if (root.hasAttribute("data-presenting") && !shown())
      document.querySelector("[data-player]")?.setAttribute("data-presented", "");
  });

  const PRESSED = {
    PageDown: '[data-turn="on"]:not([aria-disabled="true"])',
    PageUp: '[data-turn="back"]:not([aria-disabled="true"])',
    n: "[data-present-next]",
  };

  document.addEventListener("keydown", (event) => {
    if (!shown() || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") end();
    const pressed = PRESSED[event.key];
    if (!pressed) return;
    shown().querySelector(pressed)?.click();
    event.preventDefault();
  });

  document.addEventListener("fullscreenchange", () => {
    if (!document.fullscreenElement) end();
  });

  const OPENED = { "#present": "[data-player]", "#present-board": "[data-present]" };
  const opened = OPENED[location.hash];
  const element = opened && document.querySelector(opened);
  if (element) begin(element);
}
