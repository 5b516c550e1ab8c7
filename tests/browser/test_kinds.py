"""A tiny puzzle of each kind, played to its solution as a student plays it: by pressing."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

# Kind, puzzle, what is pressed ("take" a tool, or a spot), and what is said at the end.
BOARDS = {
    "goishi": ("oo/oo", ["1,1", "1,2", "2,2", "2,1"]),
    "tonari": ("Bb/bb", ["2,2", "1,2", "2,1"]),
    "maxstrings": ("../.. 2", ["x 1,1", "take o", "o 2,2"]),
    "kikazu": ("S2/3/3 RGP", ["R 2,3", "G", "G 3,1", "P 1,2"]),
}


@pytest.fixture(scope="module")
def lesson(site) -> Lesson:
    """A class that has been given the boards."""
    puzzles = [(kind, board) for kind, (board, _) in BOARDS.items()]
    return give_lesson(site, puzzles, warns=True)


def board_of(lesson: Lesson, kind: str) -> str:
    """Return the address of the student's board."""
    return lesson.boards[list(BOARDS).index(kind)]


def press(page: Page, what: str) -> None:
    """Press a tool or a spot, and wait until the server has taken it up."""
    if what.startswith("take "):
        button = page.locator(f'button[name=take][value="{what[5:]}"]')
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        return
    step = page.locator("#board input[name=step]")
    before = step.get_attribute("value")
    page.locator(f'#board .spot[data-move="{what}"]').click()
    if len(what) == 1:
        expect(page.locator("#board input[name=tool]")).to_have_value(what)
    else:
        expect(page.locator(f'#board input[name=step][value="{before}"]')).to_have_count(0)


@pytest.mark.parametrize("kind", BOARDS)
def test_a_student_solves_it(visit, lesson, kind):
    page = visit(board_of(lesson, kind), size=PHONE, session=lesson.student)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    for what in BOARDS[kind][1]:
        press(page, what)
    expect(page.get_by_role("status")).to_have_text("Solved!")
    expect(page.locator(".solved")).to_contain_text("Solution 1")

    teacher = visit(lesson.table, session=lesson.teacher)
    column = list(BOARDS).index(kind)
    expect(teacher.locator("tbody td").nth(column).locator(".cell.solved")).to_have_count(1)


def fresh_board(visit, lesson) -> Page:
    """Return a student's window with the pieces' board as it is at the start."""
    page = visit(board_of(lesson, "kikazu"), session=lesson.student)
    untouched = page.locator('#board input[name=step][value="0"]')
    if not untouched.count():
        anew = re.compile("Look for another|Play it once more|Start again")
        page.get_by_role("button", name=anew).click()
    expect(untouched).to_have_count(1)
    return page


def test_number_keys_choose_what_is_in_the_hand(visit, lesson):
    page = fresh_board(visit, lesson)
    held = page.locator("#board input[name=tool]")
    expect(held).to_have_value("R")
    page.keyboard.press("3")
    expect(held).to_have_value("P")
    page.locator('#board .spot[data-move="P 3,1"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('#board .spot[data-move="- 3,1"]')).to_have_count(1)
    # It was the last pawn: the hand goes on to what is left.
    expect(held).to_have_value("R")
    # What the rook would attack is said, and shown.
    page.keyboard.press("1")
    press(page, "R 2,1")
    expect(page.locator(".play-faults")).to_contain_text("The rook at row 2, column 1 attacks")
    expect(page.locator("#board .fault").first).to_be_visible()


def test_a_piece_is_dragged_to_its_square(visit, lesson):
    page = fresh_board(visit, lesson)
    square = page.locator('#board .spot[data-row="2"][data-column="0"]')
    page.locator('#board .spot[data-move="P"]').drag_to(square)
    expect(square).to_have_attribute("data-move", "- 3,1")
