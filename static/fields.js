/* Fields in the language of the page. A browser writes the words of its own controls in its own language:
   the button that chooses a file, the order of a date, and the message about an empty field. Here, a
   file has a button of ours, a date stands beside its field in words, and the message is ours. Without
   scripts, the browser's own words remain. */

const language = document.documentElement.lang;
const words = /** @type {HTMLElement} */ (document.querySelector("script[data-fill-in]")).dataset;
const DATES = "input[type=date], input[type=datetime-local]";

/**
 * Give a field for files a button with words of ours.
 *
 * @param {HTMLInputElement} field
 */
function dress(field) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = words.chooseFile ?? "";
  button.addEventListener("click", () => field.click());
  field.after(button);
  field.classList.add("visually-hidden");
  field.tabIndex = -1;
}

function newPlace() {
  const found = document.createElement("output");
  found.className = "small muted";
  found.dataset.inWords = "";
  return found;
}

/**
 * Return the chosen files or the chosen day in words.
 *
 * @param {HTMLInputElement} field
 */
function wordsOf(field) {
  if (field.type === "file") {
    return [...(field.files ?? [])].map((file) => file.name).join(", ") || words.noFile;
  }
  const day = field.value && new Date(field.type === "date" ? `${field.value}T00:00` : field.value);
  if (!day || Number.isNaN(day.getTime())) return "";
  /** @type {Intl.DateTimeFormatOptions} */
  const form = { dateStyle: "full", ...(field.type === "date" ? {} : { timeStyle: "short" }) };
  return new Intl.DateTimeFormat(language, form).format(day);
}

/**
 * Show beside a field what was chosen.
 *
 * @param {HTMLInputElement} field
 */
function show(field) {
  const isFile = field.type === "file";
  if (isFile && !field.nextElementSibling?.matches("button[type=button]")) dress(field);
  const before = isFile ? field.nextElementSibling : field;
  const beside = /** @type {HTMLElement | null} */ (before?.nextElementSibling);
  const place = beside && "inWords" in beside.dataset ? beside : newPlace();
  if (place !== beside) before?.after(place);
  place.textContent = wordsOf(field) ?? "";
}

function showAll() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll(`input[type=file], ${DATES}`);
  for (const field of fields) show(field);
}

document.addEventListener("input", ({ target }) => {
  const field = /** @type {HTMLInputElement} */ (target);
  field.setCustomValidity?.("");
  if (field.matches?.(`input[type=file], ${DATES}`)) show(field);
});
// A choice of a radio button answers the question for its whole group.
document.addEventListener("change", ({ target }) => {
  const { form, name } = /** @type {HTMLInputElement} */ (target);
  const group = form?.elements.namedItem(name ?? "");
  if (group instanceof RadioNodeList)
    for (const each of group) /** @type {HTMLInputElement} */ (each).setCustomValidity("");
});
document.addEventListener(
  "invalid",
  ({ target }) => {
    const field = /** @type {HTMLInputElement} */ (target);
    if (!field.validity.valueMissing) return;
    const isChosen = field.matches("select, [type=checkbox], [type=radio], [type=file]");
    field.setCustomValidity((isChosen ? words.choose : words.fillIn) ?? "");
  },
  true,
);
document.addEventListener("reset", () => setTimeout(showAll));
document.addEventListener("htmx:after:swap", showAll);
showAll();
