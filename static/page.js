/* What several scripts ask of a page: how it was opened, whether htmx is ready, and how times are written. */

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
