/* Showing a board to the class: only the element around it (`data-present`), as large as the screen,
   without names. Arrow keys step as usual, and a presenter's remote steps by Page Up and Page Down. N
   goes to the next board, and Escape ends the presentation. An address with #present or
   #present-board opens the page like this. */

{
  const root = document.documentElement;
  const shown = () => document.querySelector("[data-presented]");

  /** @param {Element} element */
  function begin(element) {
    end();
    element.setAttribute("data-presented", "");
    root.setAttribute("data-presenting", "");
    // Start at the first move, so that the class does not see the result at once.
    if (element.querySelector('[data-turn="on"][aria-disabled="true"]'))
      element.querySelector('[data-turn="first"]:not([aria-disabled="true"])')?.click();
    // If full screen is refused, as on some tablets, the board still fills the window.
    root.requestFullscreen?.().catch(() => {});
  }

  function end() {
    shown()?.removeAttribute("data-presented");
    root.removeAttribute("data-presenting");
    if (document.fullscreenElement) document.exitFullscreen();
  }

  document.addEventListener("click", (event) => {
    const around = event.target?.closest?.("[data-present-begin]")?.closest("[data-present]");
    if (around) begin(around);
    if (event.target?.closest?.("[data-present-end]")) end();
  });

  // A morph removes attributes that the server does not know.
  document.addEventListener("htmx:after:swap", () => {
    if (root.hasAttribute("data-presenting") && !shown())
      document.querySelector("[data-player]")?.setAttribute("data-presented", "");
  });

  /** @type {Record<string, string>} */
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
    shown()?.querySelector(pressed)?.click();
    event.preventDefault();
  });

  document.addEventListener("fullscreenchange", () => {
    if (!document.fullscreenElement) end();
  });

  /** @type {Record<string, string>} */
  const OPENED = { "#present": "[data-player]", "#present-board": "[data-present]" };
  const opened = OPENED[location.hash];
  const element = opened && document.querySelector(opened);
  if (element) begin(element);
}
