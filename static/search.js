/* The search of the whole site: "/" and Ctrl+K (Command+K) open it, arrow keys choose a result, Enter
   opens it. The field keeps the focus, and `aria-activedescendant` names the chosen result. */

/** @returns {HTMLInputElement | null} */
const theField = () => document.querySelector("[data-search] [name=q]");

/** @returns {HTMLDialogElement | null} */
const theDialog = () => document.querySelector("#search-dialog");

function results() {
  /** @type {NodeListOf<HTMLElement>} */
  const options = document.querySelectorAll("[data-search] a[role=option]");
  return [...options];
}

const chosen = () => results().find((result) => result.getAttribute("aria-selected") === "true");

/** @param {HTMLElement | undefined} result */
function choose(result) {
  for (const each of results()) each.setAttribute("aria-selected", String(each === result));
  result?.scrollIntoView({ block: "nearest" });
  if (result) theField()?.setAttribute("aria-activedescendant", result.id);
  else theField()?.removeAttribute("aria-activedescendant");
}

function open() {
  const dialog = theDialog();
  const field = theField();
  if (dialog && !dialog.open) dialog.showModal();
  field?.focus();
  field?.select();
  field?.dispatchEvent(new CustomEvent("search-opened"));
}

/** @param {EventTarget | null} target */
const isTyping = (target) => target?.matches?.("input, textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
  const isK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
  // A page that another dialog covers is not searched.
  const isCovered = document.querySelector("dialog[open]:not(#search-dialog)");
  if ((isK || (isSlash && !isTyping(event.target))) && !isCovered) {
    event.preventDefault();
    open();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.target !== theField() || event.isComposing) return;
  const all = results();
  const at = all.indexOf(chosen() ?? all[0]);
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (way && all.length) {
    event.preventDefault();
    choose(all[(at + way + all.length) % all.length]);
  } else if (event.key === "Enter" && chosen()) {
    event.preventDefault();
    chosen()?.click();
  } else if (event.key === "Escape") {
    // Without this, the browser's first Escape would only empty the field.
    event.preventDefault();
    theDialog()?.close();
  }
});

/* The first result is chosen as soon as there is one, so that Enter opens it. */
document.addEventListener("htmx:after:swap", () => {
  if (!chosen()) choose(results()[0]);
});

document.addEventListener("click", (event) => {
  if (event.target?.closest("[data-search-open]")) {
    event.preventDefault();
    open();
  }
  // A press beside the dialog closes it.
  if (event.target === theDialog()) theDialog()?.close();
});
