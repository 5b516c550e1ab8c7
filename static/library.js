/* Choosing among cards: how many are ticked stands in the bar, and one press ticks all. */
"use strict";

(() => {
  function count(form) {
    const ticked = form.querySelectorAll("[name=puzzle]:checked").length;
    form.querySelector("[data-chosen-count]").textContent = ticked || "";
  }

  document.addEventListener("change", (event) => {
    const form = event.target.closest("[data-chosen]");
    if (form) count(form);
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-choose-all]");
    if (!button) return;
    const form = button.closest("form");
    const boxes = [...form.querySelectorAll("[type=checkbox]:not([name=all])")];
    const all = boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = !all;
    if (form.matches("[data-chosen]")) count(form);
  });
})();
