"""A whole assignment is played without a network. What was done arrives later, from any page."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_offline import UNTIL, spot
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

BOARDS = [("goishi", "oo/oo"), ("goishi", "oo/o."), ("goishi", "ooo/...")]
SOLUTIONS = [["1,1", "1,2", "2,2", "2,1"], ["2,1", "1,1", "1,2"], ["1,1", "1,2", "1,3"]]
KEPT = "Solved! It will be sent when you are online."


def store(page: Page, boards: tuple[str, ...]) -> None:
    """Wait until the browser has stored all boards."""
    stored = (
        f"(await Promise.all({list(boards)}.map((board) => caches.match(board)))).every(Boolean)"
    )
    assert page.evaluate(f"async () => {{{UNTIL % stored}}}")


def play(page: Page, moves: list[str]) -> None:
    for move in moves:
        spot(page, *map(int, move.split(","))).click()


def solved(site, lesson: Lesson) -> int:
    """Return the number of boards of the lesson that the server knows to be solved."""
    joined = "play_attempt a JOIN assignments_assignedpuzzle p ON p.id = a.puzzle_id"
    asked = f"SELECT a.id FROM {joined} WHERE p.assignment_id = ? AND a.state = 'solved'"
    return len(site.rows(asked, lesson.keys["assignment"]))


@pytest.mark.journey
def test_a_whole_assignment_is_played_without_a_network_and_arrives_later(visit, site):
    lesson = give_lesson(site, BOARDS)
    page = visit("/", session=lesson.student, service_workers="allow")
    store(page, lesson.boards)
    window = page.context
    window.set_offline(True)
    # A page that is not stored leads to the boards that are.
    page.goto("/calendar/")
    expect(page.locator("[data-kept] a")).to_have_count(3)
    page.goto("/")
    expect(page.locator("[data-stored-pages]")).to_be_visible()
    page.locator(f'main a[href="{lesson.boards[0]}"]').first.click()
    play(page, SOLUTIONS[0])
    expect(page.locator(".play-status")).to_have_text(KEPT)
    page.locator(".stored-next").click()
    play(page, SOLUTIONS[1][:2])
    page.reload()
    expect(page.locator("#board .order")).to_have_count(2)
    play(page, SOLUTIONS[1][2:])
    expect(page.locator(".play-status")).to_have_text(KEPT)
    page.locator(".stored-next").click()
    play(page, SOLUTIONS[2])
    expect(page.locator(".play-status")).to_have_text(KEPT)
    page.goto("/")
    assert solved(site, lesson) == 0
    # The stored home page is loaded anew by itself.
    window.set_offline(False)
    sent = page.locator("[data-outbox]")
    expect(sent.get_by_text("Sent to your teacher:")).to_be_visible()
    expect(sent.get_by_role("link")).to_have_count(3)
    assert solved(site, lesson) == 3
    expect(page.get_by_text("All solved")).to_be_visible()
    table = visit(lesson.table, session=lesson.teacher)
    expect(table.locator("tbody .cell-solved, tbody td:has-text('✓')").first).to_be_visible()


def test_moves_are_sent_for_nobody_but_the_student_who_made_them(visit, site):
    lesson, other = give_lesson(site, BOARDS), give_lesson(site, BOARDS)
    page = visit("/", session=lesson.student, service_workers="allow")
    store(page, lesson.boards)
    window = page.context
    window.set_offline(True)
    page.goto(lesson.boards[0])
    play(page, SOLUTIONS[0])
    page.goto("about:blank")
    window.add_cookies([{"name": "sessionid", "value": other.student, "url": site.address}])
    window.set_offline(False)
    page.goto("/", wait_until="networkidle")
    expect(page.locator("[data-outbox]")).to_be_hidden()
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('steps '))")
    assert solved(site, lesson) == solved(site, other) == 0
    window.add_cookies([{"name": "sessionid", "value": lesson.student, "url": site.address}])
    page.goto("/")
    expect(page.get_by_text("Sent to your teacher:")).to_be_visible()
    assert solved(site, lesson) == 1


def end(site, lesson: Lesson) -> None:
    """Let the assignment be due now."""
    site.manage(
        "from django.utils import timezone\n"
        "from puzzleclass.assignments.models import Assignment\n"
        f"Assignment.objects.filter(pk={lesson.keys['assignment']}).update(due_at=timezone.now())"
    )


@pytest.mark.parametrize("first", ["/", "the board"])
def test_what_was_done_before_the_due_date_counts_when_it_arrives_after_it(visit, site, first):
    lesson = give_lesson(site, BOARDS)
    page = visit("/", session=lesson.student, service_workers="allow")
    store(page, lesson.boards)
    window = page.context
    window.set_offline(True)
    for board, solution in list(zip(lesson.boards, SOLUTIONS, strict=True))[:2]:
        page.goto(board)
        play(page, solution)
        expect(page.locator(".play-status")).to_have_text(KEPT)
    page.goto("about:blank")
    end(site, lesson)
    window.set_offline(False)
    page.goto(lesson.boards[1] if first == "the board" else first)
    expect(page.get_by_text("Sent to your teacher:")).to_be_visible()
    expect(page.locator("[data-outbox]").get_by_role("link")).to_have_count(2)
    assert solved(site, lesson) == 2
    table = visit(f"{lesson.table}?show=status+due", session=lesson.teacher)
    expect(table.get_by_text("arrived")).to_have_count(2)


def test_a_board_that_stays_open_over_the_due_date_is_sent_as_in_time(visit, site):
    lesson = give_lesson(site, BOARDS)
    page = visit(lesson.boards[1], session=lesson.student)
    page.context.set_offline(True)
    play(page, SOLUTIONS[1])
    end(site, lesson)
    page.context.set_offline(False)
    expect(page.get_by_text("Sent to your teacher:")).to_be_visible()
    assert solved(site, lesson) == 1


def test_a_board_that_came_too_late_is_named_with_the_reason(visit, site):
    lesson = give_lesson(site, BOARDS)
    page = visit("/", session=lesson.student, service_workers="allow")
    store(page, lesson.boards)
    window = page.context
    window.set_offline(True)
    end(site, lesson)
    page.goto(lesson.boards[1])
    play(page, SOLUTIONS[1])
    page.goto("about:blank")
    window.set_offline(False)
    page.goto("/")
    told = page.locator("[data-outbox]")
    expect(told.get_by_role("link", name="goishi")).to_be_visible()
    expect(told).to_contain_text("The due date has passed")
    assert solved(site, lesson) == 0
    # It is told until it has been read.
    page.reload()
    expect(told).to_contain_text("The due date has passed")
    told.click()
    expect(told).to_be_hidden()


def test_a_page_that_was_left_open_sends_when_the_device_wakes_up(visit, site):
    """A tablet that was put aside does not load its page anew."""
    lesson = give_lesson(site, BOARDS)
    page = visit("/", session=lesson.student, service_workers="allow")
    store(page, lesson.boards)
    page.context.set_offline(True)
    board = page.context.new_page()
    board.goto(lesson.boards[2])
    play(board, SOLUTIONS[2])
    expect(board.locator(".play-status")).to_have_text(KEPT)
    board.close()
    page.context.set_offline(False)
    expect(page.get_by_text("Sent to your teacher:")).to_be_visible()
    expect(page.locator(".due .badge.ok")).to_have_count(1)
    assert solved(site, lesson) == 1
