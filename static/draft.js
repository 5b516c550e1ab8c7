/* Drawings that have not been saved outlive their page: a link pressed by mistake, a closed lid, an
   expired session. The editor's whole state is in the fields of its form. This script stores them in
   the browser after every change, by teacher and address, and restores them when the page opens.

      `data-drafts` names the teacher. With `data-brought`, the page was opened with a board, which an
      older drawing must not replace. The older drawing then becomes a step to undo. */

import { lasting, whenProcessed } from "./browser.js";

document.addEventListener("DOMContentLoaded", () => {
  const page = /** @type {Element} */ (document.querySelector("[data-drafts]"));
  const form = () => /** @type {HTMLFormElement} */ (document.getElementById("editor"));
  const key = `draft ${page.dataset.drafts} ${location.pathname}`;

  /* A form that is put back is a new one, with a token and a key of its own. */
  const OF_PAGE = ["csrfmiddlewaretoken", "once"];
  const fields = () => [...new FormData(form())].filter(([name]) => !OF_PAGE.includes(name));

  /* The fields with work that could be lost. A move among them has no answer yet. */
  const WORK = ["draft", "move", "title", "note", "text"];
  const work = () => JSON.stringify(fields().filter(([name]) => WORK.includes(name)));
  const unchanged = "brought" in page.dataset ? "" : work();

  /* Whether the drawing has been saved or discarded. Other requests may still begin or end before
     the page is left. */
  let isDone = false;

  function keep() {
    if (isDone || work() === unchanged) lasting.remove(key);
    else lasting.write(key, JSON.stringify(fields()));
  }

  function end() {
    isDone = true;
    keep();
  }

  /**
   * Add hidden fields with the values to the form.
   *
   * @param {string} name
   * @param {FormDataEntryValue[]} values
   */
  function putIn(name, values) {
    for (const value of values) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name, value });
      form().append(field);
    }
  }

  const STEPS = ["past", "future"];

  /**
   * Restore the fields and send the form without a press, so that the server draws the board.
   *
   * @param {[string, string][]} kept
   */
  function putBack(kept) {
    /** @param {string} name */
    const valuesOf = (name) => kept.filter((field) => field[0] === name).map((field) => field[1]);
    if ("brought" in page.dataset) {
      /** @type {NodeListOf<HTMLInputElement>} */
      const found = form().querySelectorAll("[name=past]");
      const past = [...found];
      putIn("past", [...valuesOf("past"), ...valuesOf("draft"), ...past.map(({ value }) => value)]);
      for (const field of past) field.remove();
    } else {
      for (const [name, value] of kept) {
        const field = /** @type {HTMLInputElement | undefined} */ (form().elements[name]);
        if (field && !STEPS.includes(name)) field.value = value;
      }
      for (const name of STEPS) putIn(name, valuesOf(name));
    }
    const notice = page.querySelector("[data-draft-back]");
    if (notice) notice.hidden = false;
    whenProcessed(form(), () => form().requestSubmit());
  }

  const kept = lasting.read(key);
  if (kept) putBack(JSON.parse(kept));
  else keep();

  page.addEventListener("input", keep);
  document.addEventListener("htmx:before:request", keep);
  document.addEventListener("htmx:after:swap", keep);
  document.addEventListener("htmx:after:request", (event) => {
    // The answer leads to another page when the puzzle has been saved, and only then.
    if (event.detail.ctx.response.headers.has("HX-Redirect")) end();
  });
  // The browser may show a page that has been left again, as it was.
  addEventListener("pageshow", () => (isDone = false));

  page.querySelector("[data-draft-drop]")?.addEventListener("click", () => {
    end();
    location.replace(location.pathname);
  });
});
