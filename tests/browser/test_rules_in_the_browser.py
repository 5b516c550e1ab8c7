"""Without a network, the page refuses moves, says that a board is solved, undoes and redoes."""

import pytest
from playwright.sync_api import Page, expect

from solvers.registry import get_kind, ready_kinds
from tests.browser.test_at_once import do, spot, step, stored
from tests.browser.test_by_ear import HEAR
from tests.integration.lessons import Lesson, give_lesson
from tests.web.practice.test_practice_introduction import solution_of

pytestmark = pytest.mark.browser

BOARDS = {
    "goishi": "ooo/..o",
    "tonari": "Bb/bw",
    "maxstrings": "xo./... 4",
    "kikazu": "4/4/4/4 R2G",
}


@pytest.fixture
def lesson(site) -> Lesson:
    """Provide a class to which the boards are assigned, without any attempt."""
    return give_lesson(site, list(BOARDS.items()))


def open_board(visit, lesson: Lesson, kind: str) -> Page:
    page = visit(lesson.boards[list(BOARDS).index(kind)], session=lesson.student)
    page.wait_for_load_state("networkidle")
    return page


def status(page: Page):
    return page.locator(".play-status")


def press_button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


def test_a_board_is_solved_without_a_network_and_arrives_later(visit, site, lesson):
    page = open_board(visit, lesson, "goishi")
    page.context.set_offline(True)
    do(page, (1, 2))
    expect(status(page)).to_contain_text("Move 1: Stone at row 1, column 2")
    expect(status(page)).to_contain_text("Stones left: 3")
    # Another stone lies between, so nothing is drawn and nothing is kept.
    do(page, (2, 3))
    expect(status(page)).to_contain_text("is not in line with the last one")
    expect(page.locator("#board .refused")).to_have_count(1)
    expect(page.locator("#board .refused-way")).to_have_count(1)
    do(page, (1, 1))
    expect(page.locator("#board .refused")).to_have_count(0)
    # The way back is forbidden, so there is no move left.
    expect(status(page)).to_contain_text("No move is left.")
    press_button(page, "Undo")
    expect(status(page)).to_contain_text("Move undone: Stone at row 1, column 1. Moves so far: 1")
    press_button(page, "Redo")
    expect(status(page)).to_contain_text("No move is left.")
    press_button(page, "Undo")
    press_button(page, "Undo")
    for cell in [(1, 1), (1, 2), (1, 3), (2, 3)]:
        do(page, cell)
    expect(status(page)).to_contain_text("Solved! It will be sent when you are online.")
    assert stored(site, lesson, "goishi") == []
    page.context.set_offline(False)
    expect(page.locator(".solved")).to_be_visible()
    expect(status(page)).to_have_text("Solved!")
    assert stored(site, lesson, "goishi")[-4:] == ["1,1", "1,2", "1,3", "2,3"]


@pytest.mark.parametrize(
    ("kind", "presses", "refused", "why"),
    [
        ("tonari", [(2, 2)], (1, 1), "A stone already stands at row 1, column 1."),
        ("maxstrings", [(2, 2)], (1, 1), "belongs to the puzzle"),
    ],
)
def test_a_refusal_comes_before_the_answer_and_the_teacher_learns_of_it(
    visit, site, lesson, kind, presses, refused, why
):
    page = open_board(visit, lesson, kind)
    page.route("**/steps/", lambda route: None, times=1)
    for cell in [*presses, refused]:
        do(page, cell)
    expect(status(page)).to_contain_text(why)
    expect(step(page)).to_have_value("0")
    page.reload()
    expect(step(page)).to_have_value("1")
    do(page, refused)
    expect(status(page)).to_contain_text(why)
    counted = "SELECT times FROM play_refusedmove r JOIN assignments_assignedpuzzle p ON p.id ="
    page.wait_for_load_state("networkidle")
    rows = site.rows(f"{counted} r.puzzle_id WHERE p.kind_slug = '{kind}'")
    assert rows


MAKE = """async (move) => {
  const { make } = await import(document.querySelector("script[src*='/rules.']").src);
  make(document.querySelector("#board"), { action: "move", move });
}"""


@pytest.mark.parametrize("is_offline", [False, True])
def test_a_refused_line_is_named_and_marked_where_it_lies(visit, site, is_offline):
    lesson = give_lesson(site, [(ready_kinds()["slitherlink"].slug, "3x3")])
    page = visit(lesson.boards[0], session=lesson.student)
    page.wait_for_load_state("networkidle")
    do(page, (5, 4))
    expect(step(page)).to_have_value("1")
    said = "A line to the left of row 2, column 2: this is so already."
    page.context.set_offline(is_offline)
    if is_offline:
        page.evaluate(MAKE, "o 5,4")
    else:
        page.keyboard.press("m")
        page.get_by_text("Type a move").click()
        page.locator("#typed-move").fill("o 5,4")
        page.locator("#typed-move").press("Enter")
    expect(status(page)).to_have_text(said)
    ring = page.locator("#board .refused")
    assert [ring.get_attribute(name) for name in ("cx", "cy")] == ["40", "60"]


def test_moves_from_before_the_page_was_loaded_are_taken_back_without_a_network(
    visit, site, lesson
):
    page = open_board(visit, lesson, "kikazu")
    for doing in [(1, 1), (2, 3)]:
        do(page, doing)
    expect(step(page)).to_have_value("2")
    page.reload()
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    press_button(page, "Undo")
    expect(status(page)).to_contain_text("Moves so far: 1")
    expect(spot(page, (1, 1))).to_have_attribute("data-is", "R")
    expect(spot(page, (2, 3))).to_have_attribute("data-is", ".")
    press_button(page, "Undo")
    expect(spot(page, (1, 1))).to_have_attribute("data-is", ".")
    press_button(page, "Redo")
    expect(spot(page, (1, 1))).to_have_attribute("data-is", "R")
    page.context.set_offline(False)
    expect(step(page)).to_have_value("5")
    assert stored(site, lesson, "kikazu") == ["R 1,1", "G 2,3", "undo", "undo", "R 1,1"]


IS_HEARD = "said => heard.some((words) => words.includes(said))"


@pytest.mark.parametrize(
    ("kind", "cell", "said"),
    [
        ("goishi", (1, 2), "Move 1: Stone at row 1, column 2"),
        ("tonari", (2, 2), "Move 1: Black to row 2, column 2"),
        ("maxstrings", (2, 2), "Move 1: Black to row 2, column 2"),
        ("kikazu", (2, 3), "Move 1: rook at row 2, column 3"),
    ],
)
def test_where_a_move_went_is_heard_without_a_network(visit, lesson, kind, cell, said):
    page = open_board(visit, lesson, kind)
    page.context.set_offline(True)
    page.evaluate(HEAR)
    do(page, cell)
    page.wait_for_function(IS_HEARD, arg=said)


@pytest.mark.parametrize("is_offline", [False, True])
def test_the_tool_and_the_final_score_are_heard(visit, lesson, is_offline):
    kind = get_kind("maxstrings")
    page = open_board(visit, lesson, "maxstrings")
    page.context.set_offline(is_offline)
    page.evaluate(HEAR)
    for move in solution_of(kind, kind.read(BOARDS["maxstrings"])):
        colour, cell = move.split(" ")
        button = page.locator(f'button[data-tool][value="{colour}"]')
        is_chosen = button.get_attribute("aria-pressed") == "true"
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        title = {"x": "Black", "o": "White"}[colour]
        if not is_chosen:
            page.wait_for_function(IS_HEARD, arg=f"Chosen: {title}")
        do(page, tuple(map(int, cell.split(","))))
    page.wait_for_function(IS_HEARD, arg="Score: 4")
