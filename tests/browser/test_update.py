"""A page that was loaded before an update works on after it."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE
from tests.integration.lessons import give_lesson
from tests.integration.processes import SMALL, Site

pytestmark = pytest.mark.browser

OLD = "0123456789ab"
"""The hash in the names of the earlier release's files."""


@pytest.fixture
def earlier(tmp_path) -> Site:
    """Provide a site with the static files of another release, in which each script has another
    name."""
    with Site(tmp_path / "var", tmp_path / "log", MEMORY_MB=SMALL) as site:
        site.prepare()
        static = site.folder / "static"
        manifest = json.loads((static / "staticfiles.json").read_text())
        new_names = {}
        for name, hashed in manifest["paths"].items():
            if name.endswith(".js") and "/" not in name:
                new_names[hashed] = manifest["paths"][name] = f"{name[:-3]}.{OLD}.js"
        for hashed, new in new_names.items():
            text = (static / hashed).read_text()
            for other, its_new in new_names.items():
                text = text.replace(other, its_new)
            (static / new).write_text(text)
            for suffix in ("", ".gz", ".br"):
                (static / f"{hashed}{suffix}").unlink(missing_ok=True)
        (static / "staticfiles.json").write_text(json.dumps(manifest))
        yield site.start("--no-demo")


def test_a_page_imports_a_script_of_its_own_release_after_an_update(earlier, chrome):
    lesson = give_lesson(earlier, [("goishi", "oooo/oooo")])
    window = chrome.new_context(base_url=earlier.address, locale="en", service_workers="block")
    window.add_cookies([{"name": "sessionid", "value": lesson.student, "url": earlier.address}])
    page = window.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(lesson.boards[0])
    scripts = page.locator("script[src]").evaluate_all("all => all.map((each) => each.src)")
    assert sum(OLD in script for script in scripts) > 5
    earlier.end()
    # The present release is collected at the next start.
    (earlier.folder / "static" / ".collected").write_text("another release")
    earlier.start("--no-demo")
    assert OLD not in earlier.static("screen-reader.js")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("hear the whole board")
    page.keyboard.press("Escape")
    # The keys work, too, and the board goes on.
    page.locator('#board .spot[data-row="0"][data-column="0"]').click()
    expect(page.locator("#board input[name=step]")).to_have_value("1")
    window.close()
