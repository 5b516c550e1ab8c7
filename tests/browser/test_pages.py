"""What holds on every page, in both languages, on a telephone and in a window."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import DESKTOP, PHONE
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

NOTHING = "/nothing-here/"
ANYBODY = ["/", "/sign-in/", "/sign-up/", "/join/", "/learn/", NOTHING]
CLASS, GIVEN, PUZZLE = "/classes/{class}/", "/assignments/{assignment}/", "/puzzles/{puzzle}/"
TEACHER = [
    *("/", "/classes/", "/classes/new/", CLASS, f"{CLASS}edit/", f"{CLASS}delete/"),
    *(f"{CLASS}students/new/", f"{CLASS}students/{{place}}/", f"{CLASS}students/{{place}}/remove/"),
    *(f"{CLASS}students/{{place}}/pin/", f"{CLASS}students/{{place}}/move/"),
    *(f"{CLASS}teachers/", f"{CLASS}groups/", f"{CLASS}groups/new/", "/data/", "/confirm/"),
    "/students/{student}/",
    *("/classes/next-year/", "/classes/next-year/?class={class}"),
    *(f"{CLASS}pins/", f"{CLASS}assignments/new/", GIVEN, f"{GIVEN}edit/", f"{GIVEN}delete/"),
    *("/assigned/{assigned}/students/{student}/", "/assigned/{assigned}/solutions/"),
    *("/puzzles/", "/puzzles/new/", "/puzzles/new/goishi/", PUZZLE, f"{PUZZLE}edit/"),
    *(f"{PUZZLE}delete/", "/puzzles/generate/goishi/", "/puzzles/explore/goishi/"),
    *("/learn/goishi/", "/learn/kikazu/", "/learn/max-strings/", "/learn/tonari/"),
]
STUDENT = ["/", "/play/{assigned}/"]

FAULTS = """() => {
  const faults = [];
  const headings = document.querySelectorAll("h1").length;
  if (headings !== 1) faults.push(`h1: ${headings}`);
  for (const field of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    const named = field.labels.length || field.ariaLabel || field.getAttribute("aria-labelledby");
    if (!named) faults.push(`no label: ${field.outerHTML}`);
  }
  for (const pressed of document.querySelectorAll("a[href], button:not([hidden])")) {
    const name = pressed.ariaLabel || pressed.textContent.trim() || pressed.querySelector("title");
    if (!name && !pressed.hasAttribute("aria-hidden")) faults.push(`no name: ${pressed.outerHTML}`);
  }
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) faults.push(`${wide} pixels too wide`);
  return faults;
}"""


@pytest.fixture(scope="module")
def lesson(site) -> Lesson:
    return give_lesson(site, [("goishi", "o./oo/../oo"), ("kikazu", "S2/3/3 RGP")])


def faults(page: Page, paths: list[str], lesson: Lesson) -> dict[str, list[str]]:
    """Return the faults of the pages, where there are some."""
    found = {}
    for path in (path.format(**lesson.keys) for path in paths):
        answer = page.goto(path)
        assert answer.status == (404 if path == NOTHING else 200), path
        found[path] = page.evaluate(FAULTS)
    return {path: said for path, said in found.items() if said}


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["window", "telephone"])
def test_every_page_has_a_heading_and_names_and_fits(visit, lesson, size, language):
    look = {"size": size, "language": language}
    assert faults(visit("/", **look), ANYBODY, lesson) == {}
    assert faults(visit("/", session=lesson.teacher, **look), TEACHER, lesson) == {}
    assert faults(visit("/", session=lesson.student, **look), STUDENT, lesson) == {}
