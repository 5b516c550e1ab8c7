/* The page "No connection": it leads to the stored boards, and opens the page that was asked for when
   there is a connection again. */

import { waitForServer } from "./browser.js";

const PLAY = /\/play\/\d+\/$/;

/**
 * Show links to the stored boards, on the page that replaces an unreachable one.
 *
 * @param {Element} kept
 */
async function showKept(kept) {
  const list = /** @type {Element} */ (kept.querySelector("ul"));
  const names = (await caches.keys()).filter((name) => name.startsWith("board "));
  for (const name of names) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      if (!PLAY.test(request.url)) continue;
      const answer = await cache.match(request);
      if (!answer?.headers.get("Content-Type")?.startsWith("text/html")) continue;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const [item, link] = [document.createElement("li"), document.createElement("a")];
      link.href = request.url;
      link.className = "button";
      // The nodes are taken, because a text would run readings into the words.
      const [set, board] = [page.querySelector(".crumbs a:last-of-type"), page.querySelector("h1")];
      link.append(...(set?.childNodes ?? []), set ? ": " : "", ...(board?.childNodes ?? []));
      item.append(link);
      list.append(item);
      kept.hidden = false;
    }
  }
}

const kept = document.querySelector("[data-kept]");
if (kept && window.caches) {
  showKept(kept);
  waitForServer();
}
