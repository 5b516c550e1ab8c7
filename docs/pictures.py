"""Makes the README's picture and those of the guides (/help/) from the pages of the demo.

    .venv/bin/python -m docs.pictures

Needs what `make test` installs. Starts an installation of its own and ends it.
"""

import base64
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.chromium import system_chromium
from tests.integration.processes import Site, wait_for

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "docs" / "screenshot.png"
GUIDES = ROOT / "static" / "guide"
SIZE = {"width": 800, "height": 500}
LARGE = {"width": 1366, "height": 768}
QUALITY = 60
ASSIGNMENT = "碁石拾い その2"
CODE, NUMBER, PIN = "KAYA52", 3, "1234"
TEACHERS = {
    "class": "/classes/new/",
    "collection": "/puzzles/collection/goishi/1/",
    "plan": "/packs/plans/goishi-first/",
    "settings": "/classes/1/edit/",
}
"""Picture -> the page that it shows, as a teacher sees it."""

WAITING = (
    "SELECT count(*) FROM jobs_job WHERE state IN ('waiting', 'running') AND question <> 'study'"
)


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        Site(Path(folder) / "var", Path(folder) / "log") as site,
    ):
        site.start()
        wait_for(lambda: site.rows(WAITING) == [(0,)], 300, "the worker's answers")
        browser = playwright.chromium.launch(
            executable_path=system_chromium(), args=["--no-sandbox"]
        )
        GUIDES.mkdir(exist_ok=True)
        page = as_teacher(browser, site.address, "ja", LARGE)
        open_table(page)
        page.screenshot(path=README)
        for language in ("ja", "en"):
            students(browser, site, language)
            teachers(browser, site, language)
        browser.close()


def students(browser: Browser, site: Site, language: str) -> None:
    """Make the pictures of the students' guide in the language."""
    page = browser.new_page(base_url=site.address, locale=language, viewport=SIZE)
    page.goto(f"/join/{CODE}/")
    keep(page, "join", language)
    page = as_student(browser, site.address, language)
    page.locator("main a[href^='/play/']").nth(1).click()
    page.locator(".play-board .picture").wait_for()
    keep(page, "play", language)
    if language == "ja":
        page.locator("button[name=furigana]").click()
        page.locator("ruby").first.wait_for()
        page.evaluate("scrollTo(0, 0)")
        for readers in ("ja", "en"):
            keep(page, "furigana", readers)


def teachers(browser: Browser, site: Site, language: str) -> None:
    """Make the pictures of the teachers' guide in the language."""
    page = as_teacher(browser, site.address, language)
    open_table(page)
    page.locator("#class-table").scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.querySelector('#class-table').offsetTop - 20)")
    keep(page, "table", language)
    for name, address in TEACHERS.items():
        page.goto(address)
        page.locator("main h1").wait_for()
        keep(page, name, language)


def as_student(browser: Browser, address: str, language: str) -> Page:
    """Return a page on which a student of the demo has signed in."""
    page = browser.new_page(base_url=address, locale=language, viewport=SIZE)
    page.goto(f"/join/{CODE}/{NUMBER}/")
    page.locator("input[name=pin]").fill(PIN)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/")
    return page


def as_teacher(
    browser: Browser, address: str, language: str, viewport: dict[str, int] = SIZE
) -> Page:
    """Return a page on which the demo's teacher has signed in."""
    page = browser.new_page(base_url=address, locale=language, viewport=viewport)
    page.goto("/sign-in/")
    page.locator("input[name=username]").fill("demo")
    page.locator("input[name=password]").fill("puzzle-demo")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/")
    return page


def open_table(page: Page) -> None:
    """Open the class table of the demo's assignment that is under way."""
    page.get_by_role("link", name=ASSIGNMENT).first.click()
    page.locator("#class-table tbody").wait_for()


def keep(page: Page, name: str, language: str) -> None:
    """Write what the window shows as a picture of the guides."""
    devtools = page.context.new_cdp_session(page)
    shown = devtools.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    (GUIDES / f"{name}-{language}.webp").write_bytes(base64.b64decode(shown["data"]))


if __name__ == "__main__":
    main()
