"""What `make taps` measures of a student's pages without a press: bytes, faults and scores."""

import json
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser

from docs.lighthouse import LEAST, judge
from tests.browser.axe import VIOLATIONS
from tests.browser.test_pages import BOARDS, CRAWL, LINES, LIVED_IN
from tests.integration.lessons import Lesson, give_lesson
from tests.integration.processes import Site
from tests.webdriver import BROWSERS, missing

QUIET_MS = 3000
"""Milliseconds after the load of a page in which it may request more."""


def bytes_on_the_wire(chrome: Browser, site: Site, lesson: Lesson, path: str) -> int:
    """Return the bytes of a page and of all that it requests, with the heads and an empty cache.

    What it asks for again and again, such as news of a lesson, counts once.
    """
    with chrome.new_context(base_url=site.address, locale="ja") as window:
        window.add_cookies([{"name": "sessionid", "value": lesson.student, "url": site.address}])
        page, addresses, received = window.new_page(), {}, {}
        network = window.new_cdp_session(page)
        network.on(
            "Network.requestWillBeSent",
            lambda asked: addresses.update({asked["requestId"]: asked["request"]["url"]}),
        )
        network.on(
            "Network.loadingFinished",
            lambda file: received.update({addresses[file["requestId"]]: file["encodedDataLength"]}),
        )
        network.send("Network.enable")
        page.goto(path)
        page.wait_for_timeout(QUIET_MS)
        return int(sum(received.values()))


def lived_in(site: Site) -> tuple[Lesson, list[str]]:
    """Make a class after some lessons; return it with the addresses of a student's pages, some of
    every view."""
    lesson = give_lesson(site, BOARDS)
    site.manage(LIVED_IN.format(keys=lesson.keys, lines=LINES))
    opened = json.loads(site.manage(CRAWL.format(keys=lesson.keys), timeout=600))["student"]
    return lesson, list(dict.fromkeys(["/", *lesson.boards, *opened]))


def axe_violations(
    chrome: Browser, site: Site, lesson: Lesson, paths: list[str], folder: Path
) -> Iterator[tuple[str, list[str]]]:
    """Yield each browser with what axe finds on the pages in it."""
    with chrome.new_context(base_url=site.address, locale="ja") as window:
        window.add_cookies([{"name": "sessionid", "value": lesson.student, "url": site.address}])
        page, found = window.new_page(), []
        for path in paths:
            page.goto(path)
            said = page.evaluate(f"(async () => {{{VIOLATIONS}}})()")
            found += [f"{path} {each}" for each in said]
        yield "chromium", found
    for name, browser in BROWSERS.items():
        if why := missing(name):
            yield name, [why]
            continue
        with browser(folder / name) as window:
            window.open(site.address)
            window.driver.add_cookie({"name": "sessionid", "value": lesson.student})
            found = []
            for path in paths:
                window.open(site.address + path)
                found += [f"{path} {each}" for each in window.run(VIOLATIONS)]
            yield name, found


def lighthouse(site: Site, lesson: Lesson) -> int:
    """Print the scores of a student's home and play pages; return 1 if one is below 100."""
    found = {"home": "/", "play page": lesson.boards[0]}
    readers = {name: (path, lesson.student) for name, path in found.items()}
    return judge(site.address, readers, dict.fromkeys(LEAST, 100))
