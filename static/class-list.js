/* The class list on the page of a class's students: it is searched here. Without scripts it is
   shown whole, and its checkboxes work the same. */

/** Each variant of a character -> the form used for comparisons. @type {Map<string, string>} */
const variants = new Map();

/**
 * Return a text in the form used for comparisons, as `folded` in folding.py. Katakana count as
 * hiragana, as in readings.
 *
 * @param {string} text
 */
function plain(text) {
  const hiragana = (/** @type {string} */ sign) => String.fromCharCode(sign.charCodeAt(0) - 0x60);
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/[ァ-ヶ]/g, hiragana)
    .replace(/\p{Ideographic}/gu, (sign) => variants.get(sign) ?? sign);
}

/** @param {HTMLElement} list */
function searchAndSelect(list) {
  for (const [usual, ...others] of (list.dataset.variants ?? "").split(" "))
    for (const other of others) variants.set(other, usual);
  /** @type {HTMLInputElement | null} */
  const search = list.querySelector("[data-roster-search]");
  const all = list.querySelector("[data-roster-all]");
  /** @type {HTMLInputElement | null | undefined} */
  const allBox = all?.querySelector("input");
  const count = list.querySelector("[data-roster-count]");
  const none = list.querySelector("[data-roster-none]");
  const students = [...list.querySelectorAll("[data-student]")].map((row) => ({
    row,
    words: plain(row.dataset.student ?? ""),
    /** @type {HTMLInputElement | null} */
    box: row.querySelector("[name=only]"),
  }));
  if (!search || !none) return;

  const draw = () => {
    const chosen = students.filter(({ box }) => box?.checked);
    const shown = students.filter(({ row }) => !row.hidden);
    if (count) count.textContent = chosen.length.toLocaleString(document.documentElement.lang);
    if (allBox) allBox.checked = shown.length > 0 && shown.every(({ box }) => box?.checked);
    none.hidden = shown.length > 0;
  };
  // A selected student stays in view, because the actions are about every selected student.
  search.addEventListener("input", () => {
    const word = plain(search.value);
    for (const { row, words, box } of students) row.hidden = !words.includes(word) && !box?.checked;
    draw();
  });
  allBox?.addEventListener("change", () => {
    for (const { row, box } of students) if (box && !row.hidden) box.checked = allBox.checked;
    draw();
  });
  for (const { box } of students) box?.addEventListener("change", draw);
  search.hidden = false;
  if (all) all.hidden = false;
  draw();
}

const list = document.querySelector("[data-roster]");
if (list instanceof HTMLElement) searchAndSelect(list);
