/* The discussion of a board: slides are dragged into order when it is prepared, and turned by keys
   (arrows, Page Up and Page Down of a presenter's remote) when it is shown. */

document.addEventListener(
  "pointerdown",
  (event) => {
    const list = event.target?.closest("[data-handle]")?.closest("[data-sortable]");
    if (!list || Sortable.get(list)) return;
    const sorted = () => list.closest("form")?.dispatchEvent(new CustomEvent("sorted"));
    /* Sortable's own "change", in the middle of a drag, would send the form like that of a field. */
    list.addEventListener("change", (event) => event.target === list && event.stopPropagation());
    new Sortable(list, { handle: "[data-handle]", animation: 120, onEnd: sorted });
  },
  true,
);

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
