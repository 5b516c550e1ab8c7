"""`make taps`: measure how a student's pages feel, on an installation of its own.

A student plays a board of each kind in Chromium, with a mouse. The program prints the median and
p95 of two times in milliseconds: from the click until the picture that the browser foretells is
painted, and until the server's answer is, with the parts of the latter. Then it prints the longest
task of the page, and every one of more than 50 ms; the same for an attempt of 500 moves; the bytes
of each play page with an empty cache; what axe finds on a student's pages in three browsers; and
Lighthouse's scores of a student's home and play pages. The exit status is 1 where a figure is
beyond its limit, unless `--no-limits` is passed.
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from tests.chromium import system_chromium
from tests.integration.lessons import Lesson, give_lesson, stop_counting
from tests.integration.processes import Site
from tests.load.student_pages import axe_violations, bytes_on_the_wire, lighthouse, lived_in

PRESSES = 30
PAUSE_MS = 450
"""Milliseconds between an answer and the next press. Work that the page does when it is idle has
ended by then."""

_GRID = {
    size: [(row, column) for row, column in product(range(size), repeat=2)] for size in (8, 9, 10)
}
# A path over full rows, on which each stone lies beside the one before.
_SNAKE = [(row, column if row % 2 == 0 else 9 - column) for row, column in _GRID[10]]
BOARDS: dict[str, tuple[str, list[tuple[int, int]]]] = {
    "goishi": ("/".join(["o" * 10] * 10), _SNAKE),
    "tonari": ("/".join(["B" + "b" * 7] + ["b" * 8] * 7), _GRID[8][1:]),
    "maxstrings": ("/".join(["." * 9] * 9) + " 20", _GRID[9]),
    "kikazu": ("/".join(["9"] * 9) + " 2R2B2K4G4S4N4L18P", _GRID[9]),
}
"""Kind -> a board, and the cells that are pressed on it, as row and column from 0."""

LONG_KIND, MOVES, SHORT_PAUSE_MS, TRACED = "maxstrings", 500, 100, 50
"""The kind whose board takes any number of moves, as stones go round from black to white to none;
how many are made, with which pause in milliseconds, and how many at most are traced at once."""

LONG_TASK_MS = 50
LIMITS = {"foretold": (16.0, 30.0), "answered": (60.0, 120.0)}
"""The most milliseconds for the median and for p95 of a figure."""
MAX_BYTES = 62 * 1024
PARTS = ("presses", "moves", "bytes")
FIGURES = (*PARTS, "axe", "lighthouse")


class Task(NamedTuple):
    """A task of the page, which does nothing else meanwhile."""

    ms: float
    processor_ms: float
    """The processor time of the task. It is less than `ms` where the task waited for another
    process, or for its turn on a busy machine."""
    press: int
    """The number of the last press before the task's end."""


WATCH = """
(() => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now());
    port2.postMessage(0);
  }));
  let tap = null;
  let tell = null;
  addEventListener("click", (event) => {
    tap = { at: event.timeStamp };
    window.answer = new Promise((done) => { tell = done; });
    painted().then((at) => { tap.foretold = at; });
  }, true);
  addEventListener("htmx:before:request", () => { tap.asked = performance.now(); });
  addEventListener("htmx:after:request", () => { tap.read = performance.now(); });
  addEventListener("htmx:after:swap", async () => {
    tap.swapped = performance.now();
    const at = await painted();
    const sent = performance.getEntriesByType("resource");
    const { requestStart, responseEnd } = sent.findLast(({ name }) => name.endsWith("/steps/"));
    performance.clearResourceTimings();
    tell({ ...tap, answered: at, requestStart, responseEnd });
  });
})()
"""


def main(arguments: Sequence[str]) -> int:
    """Measure what the command line names; return 1 where a limit is passed."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.taps", description=__doc__)
    parser.add_argument("--kind", nargs="+", choices=BOARDS, default=list(BOARDS))
    parser.add_argument("--only", nargs="+", choices=FIGURES, default=FIGURES)
    parser.add_argument("--presses", type=int, default=PRESSES, help="on each board")
    parser.add_argument("--no-limits", action="store_true", help="end with 0, however slow")
    options = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory() as folder,
        Site(Path(folder) / "var", Path(folder) / "log") as site,
    ):
        site.start_prepared()
        with sync_playwright() as playwright:
            chrome = playwright.chromium.launch(
                executable_path=system_chromium(), args=["--no-sandbox"]
            )
            parts = [part for part in PARTS if part in options.only]
            is_beyond = [_measure(part, options, chrome, site) for part in parts]
            if "axe" in options.only:
                is_beyond.append(_ask_axe(chrome, site, Path(folder)))
            chrome.close()
        if "lighthouse" in options.only:
            print("\nLighthouse", flush=True)
            lesson = give_lesson(site, [(kind, BOARDS[kind][0]) for kind in options.kind])
            stop_counting(site)
            is_beyond.append(bool(lighthouse(site, lesson)))
    return int(any(is_beyond) and not options.no_limits)


def _ask_axe(chrome: Browser, site: Site, folder: Path) -> bool:
    """Print what axe finds on a student's pages, and return whether it is anything."""
    lesson, paths = lived_in(site)
    print(f"\naxe, {len(paths)} pages of a student")
    is_beyond = False
    for name, found in axe_violations(chrome, site, lesson, paths, folder):
        print(f"{name:24}  {len(found):8} violations", *found, sep="\n    ", flush=True)
        is_beyond |= bool(found)
    return is_beyond


def _measure(part: str, options: argparse.Namespace, chrome: Browser, site: Site) -> bool:
    """Print a part of the figures, and return whether one is beyond its limit."""
    kinds = [LONG_KIND] if part == "moves" else options.kind
    lesson = give_lesson(site, [(kind, BOARDS[kind][0]) for kind in kinds])
    if part == "bytes":
        print("\nbytes with an empty cache")
        taken = [bytes_on_the_wire(chrome, site, lesson, path) for path in lesson.boards]
        for kind, size in zip(kinds, taken, strict=True):
            print(f"{kind:24}  {size:8,}", flush=True)
        return max(taken) > MAX_BYTES
    is_beyond = False
    for kind, path in zip(kinds, lesson.boards, strict=True):
        page = _board(chrome, site, lesson, path)
        cells = BOARDS[kind][1]
        if part == "presses":
            is_beyond |= report(kind, *press(page, cells[: options.presses], PAUSE_MS))
        else:
            around = [cells[number % len(cells)] for number in range(MOVES)]
            is_beyond |= report(f"{kind}, one attempt", *press(page, around, SHORT_PAUSE_MS))
        page.context.close()
    return is_beyond


def _board(chrome: Browser, site: Site, lesson: Lesson, path: str) -> Page:
    """Open a student's board, as soon as nothing else uses the processor."""
    window = chrome.new_context(
        viewport={"width": 1366, "height": 768}, base_url=site.address, locale="en"
    )
    window.add_cookies([{"name": "sessionid", "value": lesson.student, "url": site.address}])
    window.add_init_script(WATCH)
    page = window.new_page()
    page.goto(path)
    page.wait_for_function("document.querySelector('#board').matches('[data-htmx-powered]')")
    stop_counting(site)
    return page


def press(
    page: Page, places: list[tuple[int, int]], pause_ms: float
) -> tuple[list[dict[str, Any]], list[Task]]:
    """Press the cells; return the times of each press, and the tasks of the page."""
    browser, taps, tasks = page.context.browser, [], []
    for begin in range(0, len(places), TRACED):
        page.wait_for_timeout(PAUSE_MS)
        browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
        for row, column in places[begin : begin + TRACED]:
            place = f'#board .spot[data-row="{row}"][data-column="{column}"]'
            box = page.locator(place).bounding_box()
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            taps.append(page.evaluate("answer"))
            page.wait_for_timeout(pause_ms)
        tasks += _tasks(json.loads(browser.stop_tracing())["traceEvents"], begin)
    return taps, tasks


def _tasks(events: list[dict[str, Any]], presses: int) -> list[Task]:
    """Return the tasks of the thread that received the clicks, after a number of `presses`."""
    clicks = [
        event
        for event in events
        if event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "click"
    ]
    return [
        Task(
            event["dur"] / 1000,
            event.get("tdur", 0) / 1000,
            presses + sum(click["ts"] <= event["ts"] + event["dur"] for click in clicks),
        )
        for event in events
        if event["name"].endswith("RunTask")
        and (event["pid"], event["tid"]) == (clicks[0]["pid"], clicks[0]["tid"])
        and "dur" in event
    ]


def report(kind: str, taps: list[dict[str, Any]], tasks: list[Task]) -> bool:
    """Print a kind's figures and return whether one is above its limit."""
    figures = {
        "foretold": [tap["foretold"] - tap["at"] for tap in taps],
        "answered": [tap["answered"] - tap["at"] for tap in taps],
        "  asked": [tap["asked"] - tap["at"] for tap in taps],
        "  sent": [tap["requestStart"] - tap["asked"] for tap in taps],
        "  server": [tap["responseEnd"] - tap["requestStart"] for tap in taps],
        "  read": [tap["read"] - tap["responseEnd"] for tap in taps],
        "  morphed": [tap["swapped"] - tap["read"] for tap in taps],
        "  painted": [tap["answered"] - tap["swapped"] for tap in taps],
    }
    print(f"\n{kind}, {len(taps)} presses      median     p95")
    is_slow = False
    for name, times in figures.items():
        median, p95 = statistics.median(times), sorted(times)[int(len(times) * 0.95)]
        print(f"{name:24}  {median:8.1f}{p95:8.1f}")
        most, most_p95 = LIMITS.get(name, (None, None))
        is_slow |= bool(most and median > most) or bool(most_p95 and p95 > most_p95)
    long = [task for task in tasks if task.ms > LONG_TASK_MS]
    busiest = max(tasks, key=lambda task: task.processor_ms)
    named = [("longest task", max(tasks)), ("busiest task", busiest)]
    for name, task in [*named, *((f"press {task.press}", task) for task in long)]:
        print(f"{name:24}  {task.ms:8.1f} ms, {task.processor_ms:.1f} of the processor", flush=True)
    return is_slow or bool(long)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
