/* The discussion of a board: slides are dragged into order when it is prepared, and turned by keys
   (arrows, Page Up and Page Down of a presenter's remote) when it is shown. */

import { sortByHandles } from "./drag-order.js";

sortByHandles((list) => {
  /* Sortable's own "change", in the middle of a drag, would send the form like that of a field. */
  list.addEventListener("change", (event) => event.target === list && event.stopPropagation());
  return { onEnd: () => list.closest("form")?.dispatchEvent(new CustomEvent("sorted")) };
});

/** @type {Record<string, string>} */
const TURNS = { ArrowLeft: "previous", PageUp: "previous", ArrowRight: "next", PageDown: "next" };

document.addEventListener("keydown", (event) => {
  const busy = event.target?.closest?.("input, select, textarea");
  const turn = TURNS[event.key];
  if (!turn || busy || event.altKey || event.ctrlKey || event.metaKey) return;
  const link = document.querySelector(`[data-slide="${turn}"]`);
  if (!link) return;
  link.click();
  event.preventDefault();
});
