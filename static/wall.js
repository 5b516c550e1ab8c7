/* The page from which a teacher leads a lesson: a press on a tile opens the student, and keys press buttons. */

/** @type {HTMLFormElement | null} */
const wall = document.querySelector("#wall");

function markChosen() {
  for (const tile of document.querySelectorAll(".tile.is-chosen")) tile.classList.remove("is-chosen");
  const chosen = wall?.elements.student.value;
  if (chosen) document.getElementById(`t${chosen}`)?.classList.add("is-chosen");
}

/** @param {Element} form */
function clearTyped(form) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = form.querySelectorAll("[name=message]");
  for (const typed of fields) typed.value = "";
}

document.addEventListener("click", (event) => {
  const { target } = event;
  if (!wall || !(target instanceof Element)) return;
  const link = target.closest("a[data-student], a[data-peek]");
  if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    const { student, peek } = link.dataset;
    if (student !== undefined) wall.elements.student.value = student;
    if (peek !== undefined) wall.elements.peek.value = peek;
    markChosen();
    wall.dispatchEvent(new CustomEvent("look"));
    return;
  }
  /** @type {HTMLButtonElement | null} */
  const button = target.closest("button[name=do]");
  // After asking, the side shows the question and no longer the student.
  if (button?.value.startsWith("ask:")) wall.elements.student.value = "";
  // What was typed before is not sent with a press that takes the message back.
  if (button?.form && button.matches("[data-empty]")) clearTyped(button.form);
  if (!button || button.matches("[data-stays]")) return;
  /** @type {NodeListOf<HTMLElement>} */
  const menus = document.querySelectorAll(".lesson-menu:popover-open");
  for (const menu of menus) menu.hidePopover();
});

document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (!wall || !ctx.sourceElement?.matches("#wall, #controls, #side-form")) return;
  markChosen();
  if (ctx.sourceElement.id !== "wall") clearTyped(ctx.sourceElement);
});

document.addEventListener("keydown", (event) => {
  if (!wall || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.matches("input, select, textarea")) return;
  if (document.querySelector(":popover-open")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const button = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (button) (event.preventDefault(), button.click());
});
