"""Makes docs/screenshot.png: a class at work, as the teacher of the demo sees it.

    .venv/bin/python -m docs.screenshot

Needs what `make test` installs. Starts an installation of its own and ends it.
"""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.chromium import system_chromium
from tests.integration.processes import Site, wait_for

TARGET = Path(__file__).with_name("screenshot.png")
WAITING = (
    "SELECT count(*) FROM jobs_job WHERE state IN ('waiting', 'running') AND question <> 'study'"
)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder) / "var", Path(folder) / "log")
        try:
            site.start()
            wait_for(lambda: site.rows(WAITING) == [(0,)], 120, "the worker's answers")
            browser = playwright.chromium.launch(
                executable_path=system_chromium(), args=["--no-sandbox"]
            )
            page = browser.new_page(
                base_url=site.address, locale="ja", viewport={"width": 1366, "height": 768}
            )
            page.goto("/sign-in/")
            page.locator("input[name=username]").fill("demo")
            page.locator("input[name=password]").fill("puzzle-demo")
            page.keyboard.press("Enter")
            page.wait_for_url("**/")
            page.get_by_role("link", name="碁石拾い その2").first.click()
            page.locator("#class-table tbody").wait_for()
            page.screenshot(path=TARGET)
            browser.close()
        finally:
            site.clean_up()


if __name__ == "__main__":
    main()
