/* A button with `data-fullscreen` shows the element it names on the whole screen. */

(() => {
  if (!document.fullscreenEnabled) return;

  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-fullscreen]")) button.hidden = false;
  });

  document.addEventListener("click", (event) => {
    const button = event.target?.closest?.("[data-fullscreen]");
    if (!button) return;
    if (document.fullscreenElement) document.exitFullscreen();
    else document.querySelector(button.dataset.fullscreen ?? "")?.requestFullscreen();
  });
})();
