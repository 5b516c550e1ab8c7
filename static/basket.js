/* The basket of an assignment. Entries are dragged by their handles, and the form sends them in the
   order in which they stand in the page. The arrow buttons move entries without a mouse. */

document.addEventListener(
  "pointerdown",
  (event) => {
    const list = event.target?.closest("[data-handle]")?.closest("[data-sortable]");
    if (list && !Sortable.get(list)) new Sortable(list, { handle: "[data-handle]", animation: 120 });
  },
  true,
);

/* The question whether to delete attempts opens in a dialog. Without scripts it stands in the form. */
addEventListener("DOMContentLoaded", () => {
  /** @type {HTMLDialogElement | null} */
  const ask = document.querySelector("dialog[data-ask]");
  if (!ask) return;
  ask.close();
  ask.showModal();
  const back = () => {
    ask.close();
    for (const choice of ask.querySelectorAll("input")) choice.disabled = true;
  };
  ask.querySelector("[data-back]")?.addEventListener("click", back);
  ask.addEventListener("cancel", back);
});
