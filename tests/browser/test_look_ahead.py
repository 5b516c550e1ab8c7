"""The look-ahead appears by itself on a student's board and in the editor, and disturbs nothing."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lesson(site) -> Lesson:
    return give_lesson(site, [("goishi", "o./oo/../oo")], warns=True)


def pick(page: Page, move: str) -> None:
    """Press a stone with the keyboard, and wait for the board's answer."""
    step = page.locator("#board input[name=step]")
    before = int(step.get_attribute("value"))
    page.locator(f'#board .spot[data-move="{move}"]').press("Enter")
    expect(step).to_have_value(str(before + 1))


def test_every_step_is_told_and_the_focus_stays_on_the_board(visit, lesson):
    page = visit(lesson.boards[0], session=lesson.student)
    told = page.locator(".play-panel .lookahead")
    expect(told).to_contain_text("This board can be solved.")
    expect(told).to_contain_text("Solutions left: 5")

    # The answer about a board arrives while a step from it is under way. The step counts, and the
    # focus moves to the stone nearest to the one that was taken.
    pick(page, "1,1")
    pick(page, "2,1")
    held: list[Route] = []
    page.route("**/steps/", lambda route: held.append(route), times=1)
    page.locator('#board .spot[data-move="2,2"]').press("Enter")
    expect(told).to_have_attribute("id", "lookahead-2")
    expect(told).to_contain_text("This can still be solved.")
    held[0].continue_()
    expect(told).to_have_attribute("id", "lookahead-3")
    expect(page.locator("#board .spot:focus")).to_have_attribute("data-move", "4,2")

    page.get_by_role("button", name="Start again").click()
    page.get_by_role("button", name="Yes, start again").click()
    expect(page.locator("#board input[name=step]")).to_have_value("0")
    pick(page, "2,1")
    pick(page, "1,1")
    expect(told).to_contain_text("any more")
    expect(page.locator("#hint").get_by_role("button")).to_have_count(0)
    told.get_by_role("button", name="Go back to the last position").click()
    expect(page.locator("#board input[name=step]")).to_have_value("3")
    expect(told).to_contain_text("This can still be solved.")
    expect(page.locator("#hint")).to_contain_text("Hints left: 3")


def test_the_editor_says_whether_the_drawing_can_be_solved(visit, lesson):
    page = visit("/puzzles/new/goishi/", session=lesson.teacher)
    word = page.locator("#editor .lookahead")
    expect(word).to_have_count(0)

    title = page.get_by_label("Title")
    title.fill("Corner")
    for point in ("1,1", "1,2", "2,2"):
        page.locator(f'#editor .spot[data-move="{point}"]').click()
        expect(page.locator("#editor [role=status] .badge").first).to_be_visible()
    expect(word).to_contain_text("This board can be solved.")
    expect(word).to_contain_text("Solutions: 2")

    page.locator('#editor .spot[data-move="4,4"]').click()
    title.focus()
    title.press_sequentially(" and more")
    expect(word).to_contain_text("This board has no solution.")
    expect(word).to_contain_text("No other stone stands in the row or column")
    expect(title).to_be_focused()
    expect(title).to_have_value("Corner and more")

    # A drawing that was answered before is shown with its answer.
    page.get_by_role("button", name="Undo").click()
    expect(word).to_contain_text("This board can be solved.")
    expect(word).not_to_have_attribute("hx-trigger", "load delay:600ms, every 1s")
