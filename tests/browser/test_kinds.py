"""A student plays a tiny puzzle of each kind to its solution, by pressing."""

import re

import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.pressing import choose, press
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

# Kind, puzzle, what is pressed ("take" a tool, or a spot), and the message at the end.
BOARDS = {
    "goishi": ("oo/oo", ["1,1", "1,2", "2,2", "2,1"]),
    "tonari": ("Bb/bb", ["2,2", "1,2", "2,1"]),
    "maxstrings": ("../.. 2", ["x 1,1", "take o", "o 2,2"]),
    "kikazu": ("S2/3/3 RGP", ["R 2,3", "G", "G 3,1", "P 1,2"]),
}


@pytest.fixture(scope="module")
def lesson(site) -> Lesson:
    """Provide a class to which the boards are assigned."""
    puzzles = [(kind, board) for kind, (board, _) in BOARDS.items()]
    return give_lesson(site, puzzles, warns=True)


@pytest.fixture(scope="module")
def shogi(site) -> Lesson:
    """Provide a board of shogi pieces which every test may leave in another position."""
    return give_lesson(site, [("kikazu", BOARDS["kikazu"][0])], warns=True)


@pytest.mark.parametrize("kind", BOARDS)
def test_a_student_solves_it(visit, lesson, kind):
    column = list(BOARDS).index(kind)
    page = visit(lesson.boards[column], size=PHONE, session=lesson.student)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    for what in BOARDS[kind][1]:
        press(page, what)
    expect(page.locator(".play-status")).to_contain_text("Solved!")
    expect(page.locator(".solved")).to_be_visible()

    teacher = visit(lesson.table, session=lesson.teacher)
    expect(
        teacher.locator("tbody [data-column]").nth(column).locator(".cell.solved")
    ).to_have_count(1)


UPRIGHT, LYING, TABLET = PHONE, {"width": 844, "height": 390}, {"width": 820, "height": 1180}
ENLARGED = {"width": DESKTOP["width"] // 2, "height": DESKTOP["height"] // 2}
"""The size of a window at 200 %."""

REACH = """() => {
  const parts = document.querySelectorAll(".play-board .picture, .play-status, .play-controls");
  const lowest = Math.max(...[...parts].map((part) => part.getBoundingClientRect().bottom));
  return [Math.round(lowest), document.documentElement.scrollWidth];
}"""


def test_board_status_and_controls_are_on_the_screen_together(visit, site):
    """They fit on the screen with furigana too, which need more room."""
    puzzles = [(kind, board) for kind, (board, _) in BOARDS.items()]
    lesson = give_lesson(site, puzzles, warns=True)
    page = visit(lesson.boards[0], session=lesson.student, language="ja")
    furigana = page.locator("button[name=furigana]")
    furigana.click()
    expect(furigana).to_have_attribute("aria-pressed", "true")
    for path in lesson.boards:
        page.goto(path)
        for size in (UPRIGHT, LYING, TABLET, DESKTOP, ENLARGED):
            page.set_viewport_size(size)
            lowest, width = page.evaluate(REACH)
            assert (lowest <= size["height"], width) == (True, size["width"]), (path, size, lowest)


SMALLEST = """() => Math.min(...[...document.querySelectorAll("#board .press")].map((place) => {
  const { width, height } = place.getBoundingClientRect();
  return Math.min(width, height);
}))"""
FINGER = 44


def test_places_on_a_telephone_are_as_large_as_a_finger(visit, site):
    # The boards are large, but soon counted.
    corner = "/".join(["o" * 10, *["o........."] * 9])
    boards = [("kikazu", "9/9/9/9/9/9/9/9/9 RGP"), ("goishi", corner)]
    lesson = give_lesson(site, boards)
    page = visit(lesson.boards[0], size=PHONE, session=lesson.student)
    for number, path in enumerate(lesson.boards):
        page.goto(path)
        if not number:
            # The choice is remembered from board to board.
            choose(page, "Large board")
        assert page.evaluate(SMALLEST) >= FINGER - 0.01


def fresh_board(visit, shogi, size=DESKTOP) -> Page:
    """Provide a student's window with the board of shogi pieces at its start."""
    page = visit(shogi.boards[0], size=size, session=shogi.student)
    untouched = page.locator('#board input[name=step][value="0"]')
    if not untouched.count():
        anew = re.compile("another solution|Play again|Start again")
        asks = page.locator("[popovertarget=start-again]:not(.ask *)").count()
        page.get_by_role("button", name=anew).click()
        if asks:
            page.get_by_role("button", name="Yes, start again").click()
    expect(untouched).to_have_count(1)
    return page


def test_number_keys_choose_what_is_in_the_hand(visit, shogi):
    page = fresh_board(visit, shogi)
    held = page.locator("#board input[name=tool]")
    expect(held).to_have_value("R")
    page.keyboard.press("3")
    expect(held).to_have_value("P")
    page.locator('#board .spot[data-move="P 3,1"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('#board .spot[data-back="- 3,1"]')).to_have_count(1)
    # That was the last pawn, so the next piece of the hand is taken up.
    expect(held).to_have_value("R")
    # The attack of the rook is announced and shown.
    # While the keyboard is on the board, a digit alone is a coordinate.
    page.keyboard.press("Shift+Digit1")
    press(page, "R 2,1")
    expect(page.locator(".play-faults")).to_contain_text("The rook at row 2, column 1 attacks")
    expect(page.locator("#board .fault").first).to_be_visible()


def square(page: Page, row: int, column: int) -> Locator:
    return page.locator(f'#board .spot[data-row="{row - 1}"][data-column="{column - 1}"]')


@pytest.mark.journey
def test_a_piece_is_dragged_to_its_square_to_another_and_off_the_board(visit, shogi):
    page = fresh_board(visit, shogi)
    page.locator('#board .spot[data-move="P"]').drag_to(square(page, 3, 1))
    expect(square(page, 3, 1)).to_have_attribute("data-carries", "P3,1>")
    square(page, 3, 1).drag_to(square(page, 2, 3))
    expect(square(page, 2, 3)).to_have_attribute("data-carries", "P2,3>")
    expect(page.locator(".play-status")).to_contain_text("from row 3, column 1 to row 2, column 3")
    # A drag is one step, and is undone as one.
    page.get_by_role("button", name="Undo").click()
    expect(square(page, 3, 1)).to_have_attribute("data-carries", "P3,1>")
    square(page, 3, 1).drag_to(page.locator("h1"))
    expect(square(page, 3, 1)).not_to_have_attribute("data-carries", "P3,1>")
    expect(page.locator(".play-status")).to_contain_text("Row 3, column 1 cleared")
    # A piece that is dropped on another piece, or where it was, stays in its place.
    square(page, 3, 1).click()
    expect(square(page, 3, 1)).to_have_attribute("data-back", "- 3,1")
    page.locator('#board .spot[data-move="P"]').drag_to(square(page, 3, 1))
    expect(square(page, 3, 1)).to_have_attribute("data-back", "- 3,1")
    expect(page.locator("#board .ghost")).to_have_count(0)


def test_a_piece_is_moved_and_taken_back_by_presses_and_keys(visit, shogi):
    page = fresh_board(visit, shogi)
    press(page, "R")
    press(page, "R 2,3")
    square(page, 2, 3).click()
    expect(page.locator("#board input[name=tool]")).to_have_value("R2,3>")
    press(page, "R2,3> 3,3")
    square(page, 3, 3).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#board input[name=tool]")).to_have_value("R3,3>")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(square(page, 2, 3)).to_have_attribute("data-back", "- 2,3")
    page.keyboard.press("Delete")
    press(page, "R")
    press(page, "R 2,3")
    square(page, 2, 3).click()
    press(page, "- 2,3")
    expect(page.locator('#board .spot[data-move="R"]')).to_have_count(1)


def test_a_finger_drags_a_piece(visit, shogi):
    """A touch, as the browser sends it, drags a piece, and the page does not scroll meanwhile."""
    page = fresh_board(visit, shogi, PHONE)
    finger = page.context.new_cdp_session(page)
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def drag(source: Locator, goal: Locator) -> None:
        # Wait for the answer, because it draws the squares anew.
        expect(page.locator("#board [data-pending]")).to_have_count(0)
        (x1, y1), (x2, y2) = (middle(each) for each in (source, goal))
        touch(finger, "touchStart", x1, y1)
        # The browser takes a touch for scrolling if the page is slow to answer its first move.
        for step in range(1, 9):
            touch(finger, "touchMove", x1 + (x2 - x1) * step / 8, y1 + (y2 - y1) * step / 8)
            expect(page.locator("#board .ghost")).to_have_count(1)
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    drag(page.locator('#board .spot[data-move="P"]'), square(page, 3, 1))
    expect(square(page, 3, 1)).to_have_attribute("data-carries", "P3,1>")
    drag(square(page, 3, 1), square(page, 2, 3))
    expect(square(page, 2, 3)).to_have_attribute("data-carries", "P2,3>")
    drag(square(page, 2, 3), page.locator('#board .spot[data-move="G"]'))
    expect(square(page, 2, 3)).not_to_have_attribute("data-back", "- 2,3")


def middle(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def touch(finger: CDPSession, kind: str, x: float, y: float) -> None:
    finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
