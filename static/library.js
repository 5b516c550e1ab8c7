/* Choosing among cards: how many are ticked stands in the bar; one press ticks all, two with Shift
   ticks a row of them. */
"use strict";

(() => {
  function count(form) {
    const ticked = form.querySelectorAll("[name=puzzle]:checked").length;
    form.querySelector("[data-chosen-count]").textContent = ticked || "";
  }

  // Where the filters are one line that is moved sideways, the chosen one is in sight.
  for (const row of document.querySelectorAll(".chips")) {
    const chosen = row.querySelector("label:has(:checked)");
    if (chosen) row.scrollLeft = chosen.offsetLeft + chosen.offsetWidth - row.clientWidth;
  }

  document.addEventListener("change", (event) => {
    const form = event.target.closest("[data-chosen]");
    if (form) count(form);
  });

  let last = null;

  document.addEventListener("click", (event) => {
    const box = event.target.closest("[data-chosen] [name=puzzle]");
    if (!box) return;
    const boxes = [...box.form.querySelectorAll("[name=puzzle]")];
    const ends = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
    if (event.shiftKey && ends[0] >= 0) {
      for (const between of boxes.slice(ends[0], ends[1] + 1)) between.checked = box.checked;
      count(box.form);
    }
    last = box;
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
