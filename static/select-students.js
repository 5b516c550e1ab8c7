/* The students who get a stamp: choose all of them, or those who have solved the board. */

document.addEventListener("click", ({ target }) => {
  const button = /** @type {HTMLButtonElement | null} */ (target?.closest("[data-tick]"));
  if (!button?.form) return;
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = button.form.querySelectorAll("[name=student]");
  for (const box of boxes) box.checked = button.dataset.tick === "all" || "solved" in box.dataset;
});
