"""Playing against the clock: the clock is the server's, and a lost connection loses no move."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE
from tests.browser.pressing import press
from tests.browser.test_earned import SOLVE
from tests.integration.lessons import give_lesson

pytestmark = pytest.mark.browser

OLDER = """
from puzzleclass.classes.models import Classroom
Classroom.objects.filter(assignments__puzzles={puzzle}).update(grade=9)
"""
START = """form => { form.action = "/challenges/goishi/1/3/"; form.submit(); }"""


def test_a_run_outlives_a_lost_connection(visit, site):
    lesson = give_lesson(site, [("goishi", "o./oo/../oo")])
    site.manage(OLDER.format(puzzle=lesson.boards[0].strip("/").split("/")[-1]))
    first, *moves = site.manage(SOLVE.format(number=3)).split()
    page = visit("/challenges/", session=lesson.student, size=PHONE, telephone=True)
    page.locator("form[action^='/challenges/']").first.evaluate(START)
    clock = page.locator("[data-elapsed]")
    expect(clock).to_have_text("0:01")
    press(page, first)
    page.context.set_offline(True)
    for move in moves:
        page.locator(f'#board .spot[data-move="{move}"]').click()
    expect(clock).to_be_visible()
    told = page.locator("[role=alert][data-offline]")
    expect(told).to_contain_text("The clock keeps running until you are connected again.")
    page.context.set_offline(False)
    expect(page.locator(".your-time")).to_contain_text("Best time")
    expect(page.locator(".your-time")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Next puzzle").first).to_be_in_viewport(ratio=1)
    expect(clock).to_be_hidden()
    page.goto("/challenges/")
    expect(page.get_by_role("heading", name="Boards of the week")).to_be_visible()
