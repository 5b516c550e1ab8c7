"""Without a network, the open board stays playable, other pages say so, and nobody sees
another's."""

from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from solvers.registry import ready_kinds
from tests.browser.conftest import PHONE
from tests.integration.lessons import give_lesson

pytestmark = pytest.mark.browser


# The service worker's caches change without an event, so the page checks them until they are right.
UNTIL = """
for (const end = Date.now() + 30_000; Date.now() < end; ) {
  const boards = (await caches.keys()).filter((name) => name.startsWith("board"));
  const page = await (await caches.match(location.pathname))?.text();
  if (%s) return true;
  await new Promise((done) => setTimeout(done, 20));
}
"""


def kept(page: Page, step: int) -> bool:
    """Return whether the page is cached, with this number of steps, within half a minute."""
    shown = f"""page?.includes('name="step" value="{step}"')"""
    return page.evaluate(f"async () => {{{UNTIL % shown}}}")


def all_forgotten(page: Page) -> bool:
    """Return whether all boards are removed from the cache within half a minute."""
    return page.evaluate(f"async () => {{{UNTIL % '!boards.length'}}}")


def spot(page: Page, row: int, column: int) -> Locator:
    return page.locator(f'#board .spot[data-row="{row - 1}"][data-column="{column - 1}"]')


@pytest.mark.journey
def test_the_open_board_goes_on_without_a_network(visit, site):
    lesson = give_lesson(site, [("maxstrings", ".../.../... 3")])
    board = lesson.boards[0]
    page = visit(board, session=lesson.student, service_workers="allow")
    window = page.context
    assert kept(page, 0)
    spot(page, 1, 1).click()
    assert kept(page, 1)
    expect(page.locator("[data-offline]")).to_be_hidden()
    window.set_offline(True)
    expect(page.locator("[data-offline]")).to_be_visible()
    spot(page, 2, 2).click()
    page.close()
    # The site is opened at its home page, as an installed app on a tablet is.
    page = window.new_page()
    page.goto("/")
    expect(page.get_by_role("heading")).to_have_text("No connection")
    door = window.new_page()
    door.goto("/")
    page.get_by_role("link", name="maxstrings").click()
    expect(page.locator("[data-offline]")).to_be_visible()
    expect(spot(page, 1, 1)).to_have_attribute("data-is", "x")
    expect(spot(page, 2, 2)).to_have_attribute("data-is", "x")
    spot(page, 3, 3).click()
    expect(page.locator("[data-offline] [data-number]")).to_have_text("Waiting to be sent: 2")
    assert page.locator("body").evaluate("body => getComputedStyle(body).margin") == "0px"
    window.set_offline(False)
    expect(page.locator("#board input[name=step]")).to_have_value("3")
    expect(page.locator("[data-offline]")).to_be_hidden()
    expect(door.get_by_role("heading", level=1)).to_contain_text("Hello")
    door.close()
    joined = "play_step s JOIN play_attempt a ON a.id = s.attempt_id"
    stored = f"SELECT s.number FROM {joined} WHERE a.puzzle_id = ?"
    assert len(site.rows(stored, lesson.keys["assigned"])) == 3
    # Another user of the same machine finds no board, whether or not the student has signed out.
    window.add_cookies([{"name": "sessionid", "value": lesson.teacher, "url": site.address}])
    page.goto("/")
    assert all_forgotten(page)
    window.add_cookies([{"name": "sessionid", "value": lesson.student, "url": site.address}])
    page.goto(board)
    assert kept(page, 3)
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{site.address}/")
    assert all_forgotten(page)


@pytest.mark.parametrize(
    ("name", "board", "moves"),
    [
        ("queens", "o...#/...../.o#../...../.....", ["2,4", "4,5", "5,3"]),
        ("slitherlink", "1x1 clues=4", ["1,2", "2,1", "2,3", "3,2"]),
    ],
)
def test_a_board_of_a_table_is_solved_without_a_network(visit, site, name, board, moves):
    lesson = give_lesson(site, [(ready_kinds()[name].slug, board)])
    page = visit(lesson.boards[0], session=lesson.student)
    expect(page.locator("#board[data-htmx-powered]")).to_be_visible()
    page.context.set_offline(True)
    status = page.locator(".play-status")
    for move in moves:
        expect(status).not_to_contain_text("Solved")
        spot(page, *map(int, move.split(","))).click()
    expect(status).to_contain_text("Solved! It will be sent when you are online.")
    page.context.set_offline(False)
    expect(page.locator(".solved")).to_be_visible()
    solved = "SELECT count(*) FROM play_attempt WHERE puzzle_id = ? AND has_solved"
    assert site.rows(solved, lesson.keys["assigned"]) == [(1,)]


@pytest.mark.parametrize(
    ("name", "board", "wrong", "said", "rings"),
    [
        ("queens", "4x4", ["1,1", "1,3"], "Row 1: Every row has exactly 1 queen.", 2),
        ("slitherlink", "2x2 clues=0./..", ["1,2"], "From row 1, column 1: A number tells", 1),
    ],
)
def test_what_is_wrong_on_a_board_of_a_table_shows_without_a_network_as_with_it(
    visit, site, name, board, wrong, said, rings
):
    lesson = give_lesson(site, [(ready_kinds()[name].slug, board)])
    page = visit(lesson.boards[0], session=lesson.student)
    expect(page.locator("#board[data-htmx-powered]")).to_be_visible()
    page.context.set_offline(True)
    faults, ringed = page.locator("#play .play-faults"), page.locator("#board .fault")
    for move in wrong:
        expect(faults).to_have_count(0)
        spot(page, *map(int, move.split(","))).click()
    expect(faults).to_contain_text(said)
    expect(ringed).to_have_count(rings)
    shown = faults.inner_text()
    page.get_by_role("button", name="Undo").click()
    expect(faults).to_have_count(0)
    expect(ringed).to_have_count(0)
    page.get_by_role("button", name="Redo").click()
    expect(ringed).to_have_count(rings)
    page.context.set_offline(False)
    expect(page.locator("#board input[name=step]")).to_have_value(str(len(wrong) + 2))
    expect(page.locator("#board [data-pending]")).to_have_count(0)
    assert faults.inner_text() == shown
    expect(ringed).to_have_count(rings)


def test_readings_stay_above_the_words_on_the_page_without_a_network(visit):
    page = visit("/offline/")
    heading = '<h1><ruby>碁石<rt aria-hidden="true">ごいし</rt></ruby></h1>'
    page.evaluate(
        """async (html) => {
          const headers = { "Content-Type": "text/html" };
          const board = await caches.open("board 1");
          await board.put("/play/1/", new Response(html, { headers }));
        }""",
        heading,
    )
    page.reload()
    link = page.locator("[data-kept] a")
    expect(link.locator("rt")).to_have_text("ごいし")
    expect(page.get_by_role("link", name="碁石", exact=True)).to_be_visible()


def test_status_and_controls_follow_the_board_without_a_network(visit, site):
    lesson = give_lesson(site, [("goishi", "oooo/oooo")])
    page = visit(lesson.boards[0], session=lesson.student)
    spot(page, 1, 1).click()
    expect(page.locator("#board input[name=step]")).to_have_value("1")
    page.context.set_offline(True)
    hint = page.get_by_role("button", name="Can it still be solved?")
    expect(hint).to_be_disabled()
    expect(page.get_by_text("A hint needs the network.")).to_be_visible()
    for column in (2, 3):
        spot(page, 1, column).click()
        expect(page.locator(".play-status")).to_contain_text(f"Move {column}: Stone at row 1")
        expect(page.locator(".play-moves [type=range]")).to_have_value(str(column))
    assert page.locator("#board .order").all_text_contents() == ["1", "2", "3"]
    undo = page.get_by_role("button", name="Undo")
    for left in (2, 1, 0):
        undo.click()
        expect(page.locator(".play-status")).to_contain_text(f"Moves so far: {left}")
        expect(page.locator("#board .order")).to_have_count(left)
    expect(undo).to_have_attribute("aria-disabled", "true")
    spot(page, 2, 4).click()
    assert page.locator("#board .order").all_text_contents() == ["1"]
    page.context.set_offline(False)
    expect(page.locator(".play-status")).to_contain_text("Move 1: Stone at row 2, column 4")
    expect(hint).to_be_enabled()
    expect(page.get_by_text("A hint needs the network.")).to_be_hidden()


def test_a_stone_after_an_undo_that_is_under_way_has_the_right_number(visit, site):
    lesson = give_lesson(site, [("goishi", "oooo/oooo")])
    page = visit(lesson.boards[0], session=lesson.student)
    for column in (1, 2):
        spot(page, 1, column).click()
        expect(page.locator("#board input[name=step]")).to_have_value(str(column))
    page.reload()
    page.context.set_offline(True)
    page.get_by_role("button", name="Undo").click()
    spot(page, 2, 1).click()
    expect(page.locator("#board [data-pending] .order")).to_have_text("2")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_moves_without_a_network_that_are_not_possible_are_named(visit, site, language):
    lesson = give_lesson(site, [("goishi", "oooo/oooo")])
    page = visit(lesson.boards[0], session=lesson.student, language=language, size=PHONE)
    spot(page, 1, 1).click()
    expect(page.locator("#board input[name=step]")).to_have_value("1")
    missed = page.locator("[data-missed]")
    page.context.set_offline(True)
    spot(page, 2, 1).click()
    spot(page, 2, 2).click()
    # This one is taken back at once, so nobody has to hear of it.
    spot(page, 2, 3).click()
    page.locator("[value=undo]").click()
    # From the stone in another window, only the second stone can be reached.
    other = visit(lesson.boards[0], session=lesson.student)
    spot(other, 1, 2).click()
    expect(other.locator("#board input[name=step]")).to_have_value("2")
    page.context.set_offline(False)
    expect(missed).to_be_visible()
    expect(page.locator("#board [data-pending]")).to_have_count(0)
    named = "2行1列の石" if language == "ja" else "Stone at row 2, column 1"
    expect(missed.get_by_role("listitem")).to_have_text([named])
    expect(page.locator("#board input[name=step]")).to_have_value("5")
    assert page.locator("#board .order").all_text_contents() == ["1", "2", "3"]
    expect(page.get_by_role("alert").filter(visible=True)).to_have_count(1)
    # The next press shows that the student has read it.
    spot(page, 2, 3).click()
    expect(missed).to_be_hidden()


@pytest.mark.parametrize("fault", ["no answer", "busy server"])
def test_a_hint_that_could_not_be_sent_says_so(visit, site, fault):
    """The browser itself believes that it has a network."""
    lesson = give_lesson(site, [("goishi", "oooo/oooo")])
    page = visit(lesson.boards[0], session=lesson.student)
    spot(page, 1, 1).click()
    expect(page.locator("#board input[name=step]")).to_have_value("1")
    told = page.get_by_text("This could not be sent. Press again when the connection is back.")
    lose = (
        (lambda route: route.abort())
        if fault == "no answer"
        else (lambda route: route.fulfill(status=503, body=""))
    )
    page.route("**/hint/", lose, times=1)
    hint = page.get_by_role("button", name="Can it still be solved?")
    hint.click()
    expect(told).to_be_visible()
    hint.click()
    expect(told).to_be_hidden()
    expect(page.locator("#hint [aria-busy], #hint [aria-current]")).to_have_count(1)


def test_a_path_without_a_network_looks_as_the_server_draws_it_also_after_a_reload(visit, site):
    """The path turns back up the board, so the latest stone isn't the last in the document."""
    lesson = give_lesson(site, [("goishi", "ooo/ooo")])
    page = visit(lesson.boards[0], session=lesson.student, service_workers="allow")
    assert kept(page, 0)
    page.context.set_offline(True)
    moves = [(2, 1), (1, 1), (1, 2), (1, 3), (2, 3)]
    for row, column in moves:
        spot(page, row, column).click()
    ends = """(form) => [...form.querySelectorAll(".path")].map((line) =>
        ["x1", "y1", "x2", "y2"].map((name) =>
            Math.floor(line.getAttribute(name) / 40) + 1)).sort()"""
    steps = [[here[1], here[0], there[1], there[0]] for here, there in pairwise(moves)]
    board, status = page.locator("#board"), page.locator(".play-status")
    undo, redo = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))

    def check() -> None:
        expect(status).to_contain_text("Stones left: 1")
        assert board.evaluate(ends) == sorted(steps)
        expect(page.locator("#board .current")).to_have_count(1)
        expect(page.locator("#board .path.last")).to_have_count(1)
        expect(page.locator("#board .stone.next")).to_have_count(1)
        expect(spot(page, 2, 2).locator(".next")).to_have_count(1)

    check()
    undo.click()
    page.reload()
    expect(redo).to_have_attribute("aria-disabled", "false")
    redo.click()
    check()
    page.reload()
    check()
    spot(page, 2, 2).click()
    expect(status).to_contain_text("Solved! It will be sent when you are online.")
    page.context.set_offline(False)
    expect(page.locator(".solved")).to_be_visible()
