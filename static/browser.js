/* What several scripts ask of the browser: its storage for this site, how the page was opened, whether
   htmx is ready, and how times are written. Each access to the storage throws if it is full or forbidden.
   Here reading then finds nothing, and writing returns that it failed. */

/**
 * A part of the browser's storage that never throws.
 *
 * @typedef {object} Memory
 * @property {(name: string) => string | null} read
 * @property {(name: string, text: string) => boolean} write Returns whether the text is stored.
 * @property {(name: string) => void} remove
 * @property {() => string[]} names
 */

/**
 * @param {() => Storage} storage Called each time, because it also throws where storage is forbidden.
 * @returns {Memory}
 */
export function memory(storage) {
  /**
   * @template T
   * @param {() => T} access
   * @param {T} otherwise
   */
  const safely = (access, otherwise) => {
    try {
      return access();
    } catch {
      return otherwise;
    }
  };
  return {
    read: (name) => safely(() => storage().getItem(name), null),
    write: (name, text) =>
      safely(() => {
        storage().setItem(name, text);
        return true;
      }, false),
    remove: (name) => safely(() => storage().removeItem(name), undefined),
    names: () => safely(() => Object.keys(storage()), []),
  };
}

/** The storage of all windows, which lasts until it is deleted. */
export const lasting = memory(() => localStorage);

/** The storage of this window, which lasts until the window is closed. */
export const passing = memory(() => sessionStorage);

/** How the page was opened, as `PerformanceNavigationTiming` tells it. */
export function visit() {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  return visit;
}

/**
 * Do the work once htmx has processed the element. A form that is sent before would load the page anew.
 *
 * @param {Element} element
 * @param {() => void} work
 */
export function whenProcessed(element, work) {
  if (element.matches("[data-htmx-powered]")) work();
  else element.addEventListener("htmx:after:init", work, { once: true });
}

/**
 * Return minutes and seconds, such as 4:05.
 *
 * @param {number} seconds
 */
export const clockTime = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

const ASK_MS = 5000;

/** Load the page anew once the server answers, unless the user is already leaving it. */
export function waitForServer() {
  let isLeft = false;
  window.addEventListener("beforeunload", () => (isLeft = true));
  whenServerAnswers(() => isLeft || location.reload());
}

/**
 * Ask the server until it answers, and then do the work once.
 *
 * @param {() => void} work
 */
export function whenServerAnswers(work) {
  const stop = new AbortController();
  const ask = async () => {
    // A network can take a request and let no answer through.
    const answer = await fetch("/healthz", { signal: AbortSignal.timeout(ASK_MS) }).catch(() => null);
    if (!answer?.ok || stop.signal.aborted) return;
    stop.abort();
    clearInterval(timer);
    work();
  };
  const timer = setInterval(() => document.hidden || ask(), ASK_MS);
  window.addEventListener("online", ask, { signal: stop.signal });
}
