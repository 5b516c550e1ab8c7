/* The page in a learning platform's frame. From the press on, it asks whether the teacher has chosen an
   assignment in the other tab. Then it opens the page that takes the choice back to the platform. */

const SECONDS = 3;
const WAITING = 204;

document.addEventListener("DOMContentLoaded", () => {
  /** @type {HTMLAnchorElement | null} */
  const link = document.querySelector("[data-choice]");
  link?.addEventListener("click", () => void waitFor(link.dataset.choice ?? ""), { once: true });
});

/** @param {string} address */
async function waitFor(address) {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * SECONDS));
    const answer = await fetch(address, { method: "HEAD" }).catch(() => null);
    if (answer?.ok && answer.status !== WAITING) return location.replace(address);
    // Nothing will be chosen: the link leads to an assignment, or the launch is too old.
    if (answer && answer.status >= 400 && answer.status < 500) return;
  }
}
