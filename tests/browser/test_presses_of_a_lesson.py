"""The presses of a teacher in a lesson, made by clicking in a browser.

`tests/web/test_presses.py` counts them on the pages without scripts.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pressing import press
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

MAX_PRESSES = {
    "ask": 3,
    "close": 1,
    "show the answer": 1,
    "pause": 1,
    "lead to a board": 2,
    "see what was found": 2,
}
"""What the presses may be: to ask about the position, of a pause and a board from the lesson
page, of what the class found from the signed-in home page."""


@pytest.fixture
def lesson(site) -> Lesson:
    return give_lesson(site, [("goishi", "o./oo/../oo"), ("goishi", "ooo")])


@pytest.fixture
def presses() -> Callable[..., int]:
    """Return a function that clicks one control after the other, and returns how many.

    Each must be in view without scrolling, as a teacher in front of a class finds it.
    """

    def presses(*controls: Locator) -> int:
        for control in controls:
            expect(control).to_be_in_viewport()
            control.click()
        return len(controls)

    return presses


def ask(page: Page) -> list[Locator]:
    return [page.get_by_text("Ask the class"), page.get_by_role("button", name="Which move next?")]


def test_a_question_about_a_students_board(visit, lesson, presses):
    student = visit(lesson.boards[0], session=lesson.student)
    press(student, "1,1")
    page = visit(f"{lesson.table}lesson/", session=lesson.teacher)
    tile = page.locator(".tile a").first
    about = page.get_by_role("button", name="Ask about this board")
    move = page.locator("#ask-about").get_by_role("button", name="Which move next?")
    assert presses(tile, about, move) <= MAX_PRESSES["ask"]
    student.wait_for_url("**/questions/*/")
    close = page.get_by_role("button", name="Close", exact=True)
    assert presses(close) <= MAX_PRESSES["close"]
    reveal = page.get_by_role("button", name="Show the answer")
    expect(reveal).to_be_visible(timeout=15_000)
    assert presses(reveal) <= MAX_PRESSES["show the answer"]
    expect(student.locator("#question")).to_contain_text("Solutions from this board")


def test_a_question_from_the_class_map(visit, lesson, presses):
    page = visit(f"/assigned/{lesson.keys['assigned']}/found/?view=map", session=lesson.teacher)
    assert presses(*ask(page)) <= MAX_PRESSES["ask"]
    expect(page.locator("#side")).to_contain_text("Which move next?")


def test_a_question_from_the_lesson_page(visit, lesson, presses):
    page = visit(f"{lesson.table}lesson/", session=lesson.teacher)
    controls = page.locator("#controls")
    menu = controls.locator("[popovertarget=menu-ask]")
    move = controls.get_by_role("button", name="Which move next?")
    assert presses(menu, move) <= MAX_PRESSES["ask"]
    expect(page.locator("#side")).to_contain_text("Which move next?")


def test_a_board_from_the_lesson_page(visit, lesson, presses):
    student = visit(lesson.boards[0], session=lesson.student)
    page = visit(f"{lesson.table}lesson/", session=lesson.teacher)
    controls = page.locator("#controls")
    menu = controls.locator("[popovertarget=menu-board]")
    board = controls.get_by_role("button", name="Board 2", exact=True)
    assert presses(menu, board) <= MAX_PRESSES["lead to a board"]
    student.wait_for_url(f"**{lesson.boards[1]}")


def test_a_pause_from_the_lesson_page(visit, lesson, presses):
    student = visit(lesson.boards[0], session=lesson.student)
    page = visit(f"{lesson.table}lesson/", session=lesson.teacher)
    pause = page.get_by_role("button", name="Pause", exact=True)
    assert presses(pause) <= MAX_PRESSES["pause"]
    expect(student.locator(".play")).to_have_attribute("inert", "", timeout=2000)


def test_what_was_found_from_the_home_page(visit, lesson, presses):
    student = visit(lesson.boards[0], session=lesson.student)
    for move in ("1,1", "2,1", "2,2", "4,2", "4,1"):
        press(student, move)
    page = visit("/", session=lesson.teacher)
    assignment = page.locator(f'a[href="{lesson.table}"]').first
    found = page.locator(f'a[href="{lesson.table}discussion/"]').first
    assert presses(assignment, found) <= MAX_PRESSES["see what was found"]
    expect(page.locator("#found-view .picture").first).to_be_visible()
