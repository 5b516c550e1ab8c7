"""`make taps`: measure how fast a board reacts to a press.

A student plays a board of each kind in Chromium, with a mouse, on an installation of its own. The
program prints the median and p95 of two times in milliseconds: from the click until the picture
that the browser foretells is painted, and until the server's answer is, with the parts of the
latter. Then it prints every task that blocked the page for more than 50 ms. The exit status is 1
where a figure is above its limit, unless `--no-limits` is passed.
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

from playwright.sync_api import Page, sync_playwright

from tests.chromium import system_chromium
from tests.integration.lessons import give_lesson
from tests.integration.processes import Site

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

STOP_JOBS = """
from puzzleclass.jobs.models import Job
from puzzleclass.jobs.transitions import stop
for job in Job.objects.filter(ended_at=None):
    stop(job)
"""
"""Stop the jobs for the boards, because the processor time that they take is not to be measured."""

LONG_TASK_MS = 50
LIMITS = {"foretold": (16.0, None), "answered": (60.0, 120.0)}
"""The most milliseconds for the median and for p95 of a figure."""


class Task(NamedTuple):
    """A task that blocked the page for more than `LONG_TASK_MS`."""

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
    """Measure the kinds that the command line names; return 1 where a limit is passed."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.taps", description=__doc__)
    parser.add_argument("--kind", nargs="+", choices=BOARDS, default=list(BOARDS))
    parser.add_argument("--presses", type=int, default=PRESSES, help="on each board")
    parser.add_argument("--no-limits", action="store_true", help="end with 0, however slow")
    options = parser.parse_args(arguments)
    is_slow = False
    with (
        tempfile.TemporaryDirectory() as folder,
        Site(Path(folder) / "var", Path(folder) / "log") as site,
        sync_playwright() as playwright,
    ):
        site.start_prepared()
        lesson = give_lesson(site, [(kind, BOARDS[kind][0]) for kind in options.kind])
        chrome = playwright.chromium.launch(
            executable_path=system_chromium(), args=["--no-sandbox"]
        )
        window = chrome.new_context(
            viewport={"width": 1366, "height": 768}, base_url=site.address, locale="en"
        )
        window.add_cookies([{"name": "sessionid", "value": lesson.student, "url": site.address}])
        window.add_init_script(WATCH)
        for kind, address in zip(options.kind, lesson.boards, strict=True):
            page = window.new_page()
            page.goto(address, wait_until="networkidle")
            site.manage(STOP_JOBS)
            is_slow |= report(kind, *press(page, BOARDS[kind][1][: options.presses]))
            page.close()
        chrome.close()
    return int(is_slow and not options.no_limits)


def press(page: Page, places: list[tuple[int, int]]) -> tuple[list[dict[str, Any]], list[Task]]:
    """Press the cells; return the times of each press, and the long tasks."""
    browser, taps = page.context.browser, []
    browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
    for row, column in places:
        box = page.locator(f'#board .spot[data-row="{row}"][data-column="{column}"]').bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        taps.append(page.evaluate("answer"))
        page.wait_for_timeout(PAUSE_MS)
    return taps, _long_tasks(json.loads(browser.stop_tracing())["traceEvents"])


def _long_tasks(events: list[dict[str, Any]]) -> list[Task]:
    """Return the long tasks of the thread that received the clicks."""
    clicks = [
        event
        for event in events
        if event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "click"
    ]
    return [
        Task(
            event["dur"] / 1000,
            event.get("tdur", 0) / 1000,
            sum(click["ts"] <= event["ts"] + event["dur"] for click in clicks),
        )
        for event in events
        if event["name"].endswith("RunTask")
        and (event["pid"], event["tid"]) == (clicks[0]["pid"], clicks[0]["tid"])
        and event.get("dur", 0) > LONG_TASK_MS * 1000
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
    is_slow = bool(tasks)
    for name, times in figures.items():
        median, p95 = statistics.median(times), sorted(times)[int(len(times) * 0.95)]
        print(f"{name:24}  {median:8.1f}{p95:8.1f}")
        most, most_p95 = LIMITS.get(name, (None, None))
        is_slow |= bool(most and median > most) or bool(most_p95 and p95 > most_p95)
    for task in tasks:
        print(
            f"held {task.ms:.0f} ms, {task.processor_ms:.0f} of the processor: press {task.press}"
        )
    return is_slow


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
