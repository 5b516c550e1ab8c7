"""A whole world is played at home without a network, for a week, and arrives later."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_offline import spot
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

WORLD = "/practice/goishi/1/"
KEPT = "Solved! It will be sent when you are online."

SOLUTIONS = """
import json
from puzzleclass.puzzles.worlds import worlds
from solvers.question import finish
from solvers.registry import get_kind
kind = get_kind("goishi")
count = kind.questions["count"]
print(json.dumps([
    list(finish(count.ask(kind, kind.read(board.position))).moves) for board in worlds(kind)[1]
]))
"""

STORED = """
async (world) => {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    const name = Object.keys(localStorage).find((name) => name.startsWith("boards by address"));
    const all = Object.entries(JSON.parse(localStorage.getItem(name) ?? "{}"));
    const boards = all.filter(([begun]) => begun.startsWith(world)).map(([, page]) => page);
    const pages = ["/", "/practice/", world, ...boards];
    const stored = await Promise.all(pages.map((page) => caches.match(page)));
    if (boards.length === 12 && stored.every(Boolean)) return true;
    await new Promise((done) => setTimeout(done, 100));
  }
}
"""


@pytest.fixture(scope="module")
def solutions(site) -> list[list[str]]:
    return json.loads(site.manage(SOLUTIONS))


@pytest.fixture
def lesson(site) -> Lesson:
    return give_lesson(site, [("goishi", "o./oo/../oo")])


def play(page: Page, moves: list[str]) -> None:
    """Make the moves as fast as the page takes them.

    A click would find the stone first and press it a moment later. An answer that comes between the
    two draws the board anew, and the stone found may be another one then.
    """
    page.wait_for_load_state()
    for move in moves:
        spot(page, *map(int, move.split(","))).dispatch_event("click")


def solved(site, lesson: Lesson) -> int:
    """Return the number of boards of practice that the server knows to be solved."""
    asked = "SELECT COUNT(DISTINCT puzzle_id) FROM play_foundsolution WHERE student_id = ?"
    return site.rows(asked, lesson.keys["student"])[0][0]


def test_a_world_is_played_for_a_week_without_a_network(visit, site, lesson, solutions):
    page = visit(WORLD, session=lesson.student, service_workers="allow")
    page.locator(f'form[action="{WORLD}1/"] button').click()
    page.wait_for_url("**/play/*/")
    play(page, solutions[0])
    page.locator(".solved").wait_for()
    page.goto(WORLD)
    page.goto("/")
    assert page.evaluate(STORED, WORLD)
    window = page.context
    window.set_offline(True)
    # The browser is opened again, at home.
    page.close()
    page = window.new_page()
    devtools = window.new_cdp_session(page)
    devtools.send("ServiceWorker.enable")
    page.goto("/")
    told = page.locator("[data-stored-pages]")
    expect(told).to_contain_text("No connection. You see this page as it was stored:")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Hello")
    expect(page.get_by_role("link", name="My finds")).to_have_class("card row spread whole faded")
    page.get_by_role("link", name="Practice Worlds").click()
    expect(told).to_be_visible()
    page.locator(f'.map a[href="{WORLD}"]').first.click()
    expect(page.locator("h1")).to_contain_text("World 1")
    page.locator(f'form[action="{WORLD}2/"] button').click()
    for number, moves in enumerate(solutions[1:], 2):
        expect(page.locator("h1")).to_contain_text(f"World 1, number {number}")
        play(page, moves[:1])
        if number == 4:
            # The browser ends a worker that rests, and freezes a page in the background.
            devtools.send("ServiceWorker.stopAllWorkers")
            devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
            devtools.send("Page.setWebLifecycleState", {"state": "active"})
        if number == 6:
            page.reload()
            expect(page.locator("#board .order")).to_have_count(1)
        play(page, moves[1:])
        expect(page.locator(".play-status")).to_have_text(KEPT)
        page.locator(".stored-next").click()
    # The world is complete.
    expect(page).to_have_url(f"{site.address}{WORLD}")
    expect(page.locator("h1")).to_contain_text("World 1")
    expect(page.get_by_text("Waiting to be sent").filter(visible=True)).to_have_count(11)
    assert solved(site, lesson) == 1
    page.goto("/")
    window.set_offline(False)
    sent = page.locator("[data-outbox]")
    expect(sent.get_by_text("Sent to your teacher:")).to_be_visible()
    expect(sent.get_by_role("link")).to_have_count(11, timeout=60_000)
    assert solved(site, lesson) == 12
    page.goto(WORLD)
    expect(page.get_by_text("Solved: 12 of 12")).to_be_visible()
