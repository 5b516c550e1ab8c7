"""A kind outside of the project is installed as a distribution and used like any other kind.

A puzzle of it is authored, counted, assigned to a class, played, replayed and shown in the class
table, without any change to the project. The template for moves from one cell to another can be
played, too.
"""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.pressing import count, press
from tests.browser.test_by_ear import HEAR
from tests.integration.lessons import give_lesson
from tests.integration.processes import ROOT, SMALL, Site
from tests.outside.installed import install

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    """Provide an empty installation beside which the kind is installed. It also has the
    template's kind, because a start of its own would take longer than all the tests."""
    folder = tmp_path_factory.mktemp("site")
    installed = install(folder)
    kinds = {"PYTHONPATH": installed, "PUZZLE_KINDS": "solvers._template_moves"}
    with Site(folder / "var", folder / "log", MEMORY_MB=SMALL, **kinds) as site:
        site.prepare()
        compiling = (sys.executable, "manage.py", "messages", "--compile")
        subprocess.run(compiling, cwd=ROOT, env=site.environment, check=True)
        yield site.start("--no-demo")


def test_from_the_editor_to_the_class_table(visit, site):
    lesson = give_lesson(site, [("lightsout", "111/111/111")])

    # A teacher draws a puzzle.
    teacher = visit("/puzzles/new/", session=lesson.teacher)
    teacher.get_by_role("link", name="Lights Out").first.click()
    teacher.locator('#editor .spot[data-move="1,1"]').click()
    expect(teacher.locator("#editor input[name=draft]")).to_have_value("100000" + "/000000" * 5)
    teacher.get_by_label("Paste a board as text").fill("110/100/000")
    teacher.get_by_role("button", name="Put on the board").click()
    expect(teacher.locator("#editor input[name=draft]")).to_have_value("110/100/000")
    teacher.get_by_label("Title").fill("Three lamps")
    teacher.locator("#editor").get_by_role("button", name="Save").last.click()
    expect(teacher.get_by_role("heading", level=1)).to_have_text("Three lamps")

    # The worker counts its solutions and says how hard it is.
    count(teacher)
    expect(teacher.locator("#count .number")).to_have_text("1", timeout=60_000)

    # A student plays, and may press a lamp again.
    page = visit(lesson.boards[0], session=lesson.student)
    assert page.locator("#board .lightsout-lamp.lightsout-on").count() == 9
    fill = page.locator("#board .lightsout-lamp.lightsout-on").first.evaluate(
        "lamp => getComputedStyle(lamp).fill"
    )
    assert fill == "rgb(255, 217, 74)"
    for lamp in ("1,2", "1,2", "1,1", "1,3", "2,2", "3,1", "3,3"):
        press(page, lamp)
    expect(page.locator(".play-status")).to_have_text("Solved!")
    told = "There is one solution, and you have found it!"
    expect(page.locator(".play-told")).to_contain_text(told)

    # The class table and the replay show the attempt.
    table = visit(lesson.table, session=lesson.teacher)
    expect(table.locator("tbody td .cell.solved")).to_have_count(1)
    table.locator("tbody td a").first.click()
    table.get_by_role("link", name="Replay attempt 1").click()
    expect(table.locator("[data-player]")).to_contain_text("of 7")


def test_its_words_are_in_the_readers_language(visit, site):
    page = visit("/", language="ja")
    expect(page.locator("main")).to_contain_text("ライツアウト")
    expect(page.locator("main")).to_contain_text("ランプを全部消します")


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


def test_where_a_move_went_is_heard_without_a_network_and_without_rules(visit, site):
    lesson = give_lesson(site, [("lightsout", "111/111/111")])
    page = visit(lesson.boards[0], session=lesson.student)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.evaluate(HEAR)
    page.locator('#board .spot[data-move="1,2"]').click()
    page.wait_for_function("() => heard.some((words) => words.includes('row 1, column 2'))")
