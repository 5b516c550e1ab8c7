/* The basket of an assignment: entries are dragged by their handles. Their order in the page is
   what the form sends; the arrow buttons do the same without a mouse. */
"use strict";

document.addEventListener(
  "pointerdown",
  (event) => {
    const list = event.target.closest("[data-handle]")?.closest("[data-sortable]");
    if (list && !Sortable.get(list)) new Sortable(list, { handle: "[data-handle]", animation: 120 });
  },
  true,
);

/* What is asked before tries are deleted stands over the page; without a script, in its form. */
addEventListener("DOMContentLoaded", () => {
  const ask = document.querySelector("dialog[data-ask]");
  if (!ask) return;
  ask.close();
  ask.showModal();
  const back = () => {
    ask.close();
    for (const choice of ask.querySelectorAll("input")) choice.disabled = true;
  };
  ask.querySelector("[data-back]").addEventListener("click", back);
  ask.addEventListener("cancel", back);
});
