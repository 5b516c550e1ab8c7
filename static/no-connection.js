/* The page "No connection": it leads to the stored board, and opens the page that was asked for when
   there is a connection again. */

const ASK_MS = 5000;

/**
 * Show the link to the stored board, on the page that replaces an unreachable one.
 *
 * @param {Element} list
 */
async function showKept(list) {
  for (const name of await caches.keys()) {
    if (!name.startsWith("board ")) continue;
    for (const request of await (await caches.open(name)).keys()) {
      const answer = await caches.match(request);
      if (!answer?.headers.get("Content-Type")?.startsWith("text/html")) continue;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const link = /** @type {HTMLAnchorElement} */ (list.querySelector("a"));
      link.href = request.url;
      // The nodes are taken, because a text would run readings into the words.
      link.replaceChildren(...(page.querySelector("h1")?.childNodes ?? []));
      list.hidden = false;
    }
  }
}

/* Load the page once the server answers, unless the user is already leaving it. */
function waitForServer() {
  let isLeft = false;
  window.addEventListener("beforeunload", () => (isLeft = true));
  const ask = async () => {
    const answer = await fetch("/healthz").catch(() => null);
    if (answer?.ok && !isLeft) location.reload();
  };
  window.addEventListener("online", ask);
  setInterval(() => document.hidden || ask(), ASK_MS);
}

const list = document.querySelector("[data-kept]");
if (list && window.caches) {
  showKept(list);
  waitForServer();
}
