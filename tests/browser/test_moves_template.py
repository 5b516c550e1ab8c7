"""The template for moves from one cell to another can be played by two presses and by dragging."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.integration.lessons import give_lesson
from tests.integration.processes import SMALL, Site

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    kinds = "solvers._template_moves"
    with Site(folder / "var", folder / "log", PUZZLE_KINDS=kinds, MEMORY_MB=SMALL) as site:
        yield site.start_prepared()


def test_a_peg_jumps_by_two_presses_and_by_dragging(visit, site):
    lesson = give_lesson(site, [("pegs", "oo.o/....")])
    page = visit(lesson.boards[0], session=lesson.student)

    def cell(row: int, column: int):
        return page.locator(f'#board .spot[data-row="{row}"][data-column="{column}"]')

    expect(page.locator("main")).to_contain_text("press it and then a square, or drag it.")
    expect(page.locator("main")).not_to_contain_text("return it to the hand")
    cell(0, 0).click()
    expect(page.locator("#board .taken-up, #board .spot.taken")).to_have_count(1)
    # No peg lies between the cells, so the rules refuse the move and the peg stays.
    cell(1, 3).click()
    expect(page.locator("main")).to_contain_text("A peg jumps up, down, left or right")
    cell(0, 0).click()
    cell(0, 2).click()
    expect(page.locator("#board input[name=step]")).to_have_value("1")
    # While no peg is taken up, a press on an empty hole is no move.
    cell(1, 1).click()
    expect(page.locator("main")).to_contain_text("There is no peg at row 2, column 2.")
    cell(0, 3).drag_to(cell(0, 1))
    expect(page.locator(".play-status")).to_have_text("Solved!")
