/* Lists whose entries are dragged into order (`data-sortable`) by their handles (`data-handle`). */

/**
 * Make each list sortable when a finger or a mouse first takes a handle.
 *
 * @param {(list: Element) => object} callbacks Those of Sortable, for a list.
 */
export function sortByHandles(callbacks) {
  document.addEventListener(
    "pointerdown",
    (event) => {
      const list = event.target?.closest("[data-handle]")?.closest("[data-sortable]");
      if (list && !Sortable.get(list))
        new Sortable(list, { handle: "[data-handle]", animation: 120, ...callbacks(list) });
    },
    true,
  );
}
