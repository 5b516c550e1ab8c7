"""A child's first five minutes in three browsers: the class code, the name, the introduction and
the first solved board of each kind, with no word that an eight-year-old can't read."""

import json

import pytest
from playwright.sync_api import Error
from selenium.common.exceptions import WebDriverException

from tests.browser.conftest import PHONE
from tests.browser.test_kinds import BOARDS
from tests.browser.test_other_browsers import HERE, solve
from tests.webdriver import _MIDDLE, BROWSERS, Browser, missing

pytestmark = pytest.mark.browser

CLASS = """
import json
from datetime import timedelta
from secrets import token_hex
from django.utils import timezone
from puzzleclass.accounts.models import User
from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.classes.models import Classroom
from puzzleclass.puzzles.models import Puzzle

teacher = User.objects.create_teacher(f"ono-{{token_hex(4)}}", "おの", "stones")
classroom = Classroom.objects.create(name="2-1", grade=2, shows_names=True)
classroom.teachers.add(teacher)
for number, name in enumerate({names!r}, 1):
    student = User.objects.create_student(name, "1234")
    classroom.enrolments.create(student=student, number=number)
puzzles = [
    Puzzle.objects.create(owner=teacher, kind_slug=kind, title="はじめ", position=position)
    for kind, position in {boards!r}
]
due_at = timezone.now() + timedelta(days=1)
given = assign_puzzles(classroom, teacher, "はじめ", due_at, puzzles)
boards = [f"/play/{{board.pk}}/" for board in given.puzzles.order_by("number")]
print(json.dumps([classroom.code, boards]))
"""

NAMES = {"chromium": "あおい"} | {name: f"はる{at}" for at, name in enumerate(BROWSERS)}
"""Browser -> the child who uses it."""

HARD = (
    *("計算係", "残す", "先を読", "連数", "最大化", "市松", "もどる手", "採用", "探索", "証明"),
    *("局面", "入力"),
)
"""Words of the list of adults (docs/glossary.md) that no page of a young child has."""

READ = """
const [bare, words] = [[], []];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const silent = "script, style, template, noscript, svg, [hidden], [aria-hidden=true], #announced";
while (walk.nextNode()) {
  const { parentElement, data } = walk.currentNode;
  if (parentElement.closest(silent)) continue;
  words.push(data);
  if (!parentElement.closest("ruby")) bare.push(...(data.match(/[一-龥々]+/g) ?? []));
}
return [bare, words.join("")];
"""
POINTED = ".pointed, [data-pointed]"
FURTHER = f"""
if (location.pathname === "/") return "home";
const field = (name) => document.querySelector(`#board [name=${{name}}]`)?.value;
const state = [location.pathname, field("line"), field("tool"), document.querySelector(".solved")];
const isStill = !document.querySelector("[data-pending], .htmx-request");
const isReady = document.readyState === "complete" && document.querySelector("{POINTED}");
return isStill && isReady && state.join() !== values[0] ? state.join() : null;
"""
"""Where the introduction is as soon as it waits for the next press, and has gone on since."""


class Chromium(Browser):
    """The window of Playwright behind the interface of the other browsers."""

    def __init__(self, page) -> None:
        self.page = page

    def open(self, address: str) -> None:
        self.page.goto(address)

    def run(self, script: str, *values: object):
        try:
            return self.page.evaluate(f"async (values) => {{ {script} }}", list(values))
        except Error as left:
            raise WebDriverException(str(left)) from left

    def press(self, selector: str) -> None:
        self.page.mouse.click(*self.wait(_MIDDLE, selector))


def read(browser: Browser, where: str) -> None:
    """Read the page as a child does."""
    bare, words = browser.wait(READ)
    assert bare == [], (where, bare)
    assert [word for word in HARD if word in words] == [], where


def walk(browser: Browser, base: str, code: str, name: str, boards: list[str]) -> None:
    browser.open(f"{base}/join/")
    read(browser, "the code")
    browser.run(
        "const field = document.querySelector('[name=code]');"
        "field.value = values[0]; setTimeout(() => field.form.requestSubmit());",
        code,
    )
    browser.wait(HERE, f"/join/{code}/")
    read(browser, "the names")
    number = list(NAMES.values()).index(name) + 1
    browser.press(f'main a[href*="/join/{code}/{number}/"]')
    browser.wait(HERE, f"/join/{code}/{number}/")
    read(browser, "the PIN")
    for digit in "1234":
        browser.press(f'[data-digit="{digit}"]')
    browser.wait("return location.pathname === '/' && !!document.querySelector('.who form')")
    read(browser, "home")
    for board, (kind, (_, presses)) in zip(boards, BOARDS.items(), strict=True):
        browser.open(f"{base}/how-to-play/{kind}/")
        state = ""
        while (state := browser.wait(FURTHER, state)) != "home":
            read(browser, f"the introduction of {kind}")
            browser.press(POINTED)
        solve(browser, base + board, presses)
        read(browser, f"the solved board of {kind}")


@pytest.fixture(scope="module")
def young(site) -> tuple[str, list[str]]:
    given = [(kind, board) for kind, (board, _) in BOARDS.items()]
    return json.loads(site.manage(CLASS.format(names=list(NAMES.values()), boards=given)))


def test_the_first_five_minutes_in_chromium(visit, site, young):
    page = visit(language="ja", size=PHONE)
    walk(Chromium(page), site.address, young[0], NAMES["chromium"], young[1])


@pytest.mark.parametrize("name", BROWSERS)
def test_the_first_five_minutes(site, tmp_path, young, name):
    if why := missing(name):
        pytest.skip(why)
    with BROWSERS[name](tmp_path / name) as browser:
        # The language of these browsers is English.
        browser.open(site.address + "/join/")
        browser.press('button[name="language"][value="ja"]')
        browser.wait("return document.documentElement.lang === 'ja'")
        walk(browser, site.address, young[0], NAMES[name], young[1])
