"""A board that the teacher withdraws while a student plays it."""

import pytest
from playwright.sync_api import expect

from tests.integration.lessons import give_lesson

pytestmark = pytest.mark.browser

IMPORT = "from puzzleclass.assignments.models import Assignment; "


def test_a_withdrawn_board_leaves_the_page_and_says_why(visit, site):
    lesson = give_lesson(site, [("goishi", "oo/oo")])
    page = visit(lesson.boards[0], session=lesson.student)
    expect(page.locator("#board .spot").first).to_be_visible()
    site.manage(
        f"{IMPORT}Assignment.objects.filter(pk={lesson.keys['assignment']}).update(is_draft=True)"
    )
    page.locator("#board .spot").first.click()
    expect(page.get_by_text("Your teacher has taken these puzzles back.")).to_be_visible()
    expect(page.locator("#board, [data-pending]")).to_have_count(0)
    # The other boards are gone, too.
    shown = page.locator("main :is(a, button):visible")
    expect(shown).to_have_text(["Your puzzles", "To the front page"])
    assert page.evaluate("Object.keys(localStorage).filter(k => k.startsWith('steps '))") == []


def test_a_deleted_boards_pending_stone_is_taken_off(visit, site):
    lesson = give_lesson(site, [("goishi", "oo/oo")])
    page = visit(lesson.boards[0], session=lesson.student)
    expect(page.locator("#board .spot").first).to_be_visible()
    site.manage(f"{IMPORT}Assignment.objects.filter(pk={lesson.keys['assignment']}).delete()")
    page.locator("#board .spot").first.click()
    expect(page.locator("#trouble [data-status='404']")).to_be_visible()
    expect(page.locator("[data-pending]")).to_have_count(0)
