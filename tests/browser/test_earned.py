"""The moment of solving: a star flies to its place, unless less motion is asked for."""

import pytest
from playwright.sync_api import expect

from tests.browser.pressing import press
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

PLACES = {"no-preference": 2, "reduce": 1}
"""The board of the world that each reader plays."""

SOLVE = """
from puzzleclass.puzzles.worlds import worlds
from solvers.question import finish
from solvers.registry import get_kind
kind = get_kind("goishi")
start = kind.read(worlds(kind)[1][{number} - 1].position)
print(*finish(kind.questions["count"].ask(kind, start)).moves)
"""


@pytest.fixture
def lesson(site) -> Lesson:
    return give_lesson(site, [("goishi", "o./oo/../oo")])


@pytest.mark.parametrize("wish", PLACES)
def test_what_was_earned_is_shown_once(visit, site, lesson, wish):
    number = PLACES[wish]
    *moves, last = site.manage(SOLVE.format(number=number)).split()
    page = visit("/practice/goishi/1/", session=lesson.student)
    page.emulate_media(reduced_motion=wish)
    page.locator(f'form[action="/practice/goishi/1/{number}/"] button').click()
    for move in moves:
        press(page, move)
    page.locator(f'#board .spot[data-move="{last}"]').click()
    earned = page.locator(".earned")
    expect(earned.locator(".won")).to_have_count(2)
    expect(earned).to_contain_text("World 1: ")
    moving = "part => part.getAnimations({subtree: true}).length"
    if wish == "reduce":
        assert earned.evaluate(moving) == 0
    else:
        assert earned.evaluate(moving) > 0
        # A press anywhere ends the show.
        page.locator("h1").click()
        assert earned.evaluate(moving) == 0
    expect(page.get_by_role("button", name="Next puzzle").first).to_be_in_viewport()
    page.reload()
    expect(earned).to_be_visible()
    expect(earned.locator(".won, .told")).to_have_count(0)
    expect(earned).not_to_contain_text("World 1: ")
