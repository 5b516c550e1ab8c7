/* What a class has found: slides are dragged into order. */

import { sortByHandles } from "./drag-order.js";

sortByHandles((list) => {
  /* Sortable's own "change", in the middle of a drag, would send the form like that of a field. */
  list.addEventListener("change", (event) => event.target === list && event.stopPropagation());
  return { onEnd: () => list.closest("form")?.dispatchEvent(new CustomEvent("sorted")) };
});

/* Choosing a slide sends nothing. */
const isTick = (/** @type {Event} */ event) =>
  event.target instanceof Element && event.target.matches(".tick input");
document.addEventListener("change", (event) => isTick(event) && event.stopPropagation(), true);
