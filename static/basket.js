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
