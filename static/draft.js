/* A drawing that has not been saved outlives its page: a link pressed by mistake, a closed lid,
   a sign-in that ran out. The editor's whole state is in its form's fields; here they are kept
   in this browser after every change, per teacher and address, and put back when the page opens.

   `data-drafts` names the teacher; `data-brought`: the page came with a board that was sent to
   it, which an older drawing must not replace. There it goes among the steps to undo. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const page = document.querySelector("[data-drafts]");
  const form = () => document.getElementById("editor");
  const key = `draft ${page.dataset.drafts} ${location.pathname}`;

  const fields = () => [...new FormData(form())].filter(([name]) => name !== "csrfmiddlewaretoken");

  /* What there would be to lose. A move in it got no answer yet. */
  const WORK = ["draft", "move", "title", "note", "text"];
  const work = () => JSON.stringify(fields().filter(([name]) => WORK.includes(name)));
  const unchanged = "brought" in page.dataset ? "" : work();

  function keep() {
    if (work() === unchanged) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(fields()));
  }

  function putIn(name, values) {
    for (const value of values) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name, value });
      form().append(field);
    }
  }

  const STEPS = ["past", "future"];

  /* The server draws what is put back: a press on nothing changes nothing. */
  function putBack(kept) {
    const valuesOf = (name) => kept.filter((field) => field[0] === name).map((field) => field[1]);
    if ("brought" in page.dataset) {
      const past = [...form().querySelectorAll("[name=past]")];
      putIn("past", [...valuesOf("past"), ...valuesOf("draft"), ...past.map(({ value }) => value)]);
      past.forEach((field) => field.remove());
    } else {
      for (const [name, value] of kept) {
        if (form().elements[name] && !STEPS.includes(name)) form().elements[name].value = value;
      }
      for (const name of STEPS) putIn(name, valuesOf(name));
    }
    page.querySelector("[data-draft-back]").hidden = false;
    // Sent before htmx has taken it up, the form would load the page anew.
    const send = () => form().requestSubmit();
    if (form().matches("[data-htmx-powered]")) send();
    else form().addEventListener("htmx:after:init", send, { once: true });
  }

  const kept = localStorage.getItem(key);
  if (kept) putBack(JSON.parse(kept));
  else keep();

  page.addEventListener("input", keep);
  document.addEventListener("htmx:before:request", keep);
  document.addEventListener("htmx:after:swap", keep);
  document.addEventListener("htmx:after:request", (event) => {
    // The editor is left for another page when the puzzle has been saved, and only then.
    if (event.detail.ctx.response.headers.has("HX-Redirect")) localStorage.removeItem(key);
  });

  page.querySelector("[data-draft-drop]")?.addEventListener("click", () => {
    localStorage.removeItem(key);
    location.replace(location.pathname);
  });
});
