/* Arranging the seats of a class: a student who is dragged to a place, or pressed and then the place, changes
   places with whoever is there. */

const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-seats]"));
const list = /** @type {HTMLElement} */ (form.querySelector(".seats"));
const said = /** @type {HTMLElement} */ (form.querySelector("[data-said]"));

/** @type {HTMLElement | null} */
let taken = null;

/** @param {HTMLElement | null} place */
function take(place) {
  taken?.querySelector("button")?.setAttribute("aria-pressed", "false");
  taken = place;
  taken?.querySelector("button")?.setAttribute("aria-pressed", "true");
}

/**
 * @param {HTMLElement} one
 * @param {HTMLElement} other
 */
function swap(one, other) {
  const names = [one, other].map((place) => place.querySelector("button")?.textContent ?? "");
  const here = [...one.childNodes];
  one.append(...other.childNodes);
  other.append(...here);
  take(null);
  other.querySelector("button")?.focus();
  said.textContent = (said.dataset.said ?? "").replace("{one}", names[0]).replace("{other}", names[1]);
}

/** @param {EventTarget | null} target */
const placeOf = (target) =>
  /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest("li") : null);

list.addEventListener("click", (event) => {
  const place = placeOf(event.target);
  if (!place) return;
  if (taken && taken !== place) swap(taken, place);
  else take(taken ? null : place);
});

list.addEventListener("dragstart", (event) => take(placeOf(event.target)));
list.addEventListener("dragover", (event) => event.preventDefault());
list.addEventListener("drop", (event) => {
  event.preventDefault();
  const place = placeOf(event.target);
  if (taken && place && taken !== place) swap(taken, place);
  else take(null);
});

form.elements.columns.addEventListener("input", () => (list.dataset.columns = form.elements.columns.value));

form.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || !event.target.matches("[data-more]")) return;
  for (let n = Number(form.elements.columns.value); n > 0; n -= 1) {
    const place = document.createElement("li");
    place.innerHTML =
      '<input type="hidden" name="place" value="0"><button class="button" type="button" draggable="true" aria-pressed="false"></button>';
    /** @type {HTMLElement} */ (place.querySelector("button")).textContent = list.dataset.empty ?? "";
    list.append(place);
  }
});
