"""A press shows its result at once and counts once, on a slow network, offline, and in order."""

import json

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import PHONE
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

LATENCY = 400
"""Milliseconds until an answer on the slow network."""

# Kind -> the puzzle, the presses, and the states of the spots at the end, as the kind names them.
# A press is on a spot (row, column) or on a tool. The presses do not solve the puzzle.
Doing = tuple[int, int] | str
BOARDS: dict[str, tuple[str, list[Doing], dict[tuple[int, int], str | None]]] = {
    "goishi": (
        "ooo/ooo/ooo",
        [(1, 1), (1, 2), (1, 3), (2, 3)],
        {(1, 1): None, (2, 3): None, (2, 2): "o"},
    ),
    "tonari": (
        "Bbbb/bbbb/bbbb/bbbb",
        [(1, 2), (2, 2), (2, 3)],
        {(1, 1): "white", (1, 2): "white", (2, 2): "white", (2, 3): "placed", (1, 3): "."},
    ),
    "maxstrings": (
        ".../.../... 3",
        [(1, 1), (1, 1), (2, 2), (3, 3), (3, 3), (3, 3)],
        {(1, 1): "o", (2, 2): "x", (3, 3): "."},
    ),
    "kikazu": (
        "5/5/5/5/5 2R2GP",
        [(1, 1), "G", (3, 2), (3, 3), "P", (5, 5)],
        {(1, 1): "R", (3, 2): "G", (3, 3): "G", (5, 5): "P", (2, 2): "."},
    ),
}
ONE_PRESS_AND_TWO = pytest.mark.parametrize("kind", ["goishi", "kikazu"])
"""A kind with one press to a step, and one with two: all kinds share the queue of steps."""
STEPS = {"goishi": 4, "tonari": 3, "maxstrings": 6, "kikazu": 4}


@pytest.fixture
def lesson(site) -> Lesson:
    """Provide a class to which the boards are assigned, without any attempt."""
    return give_lesson(site, [(kind, board) for kind, (board, _, _) in BOARDS.items()])


def board_of(lesson: Lesson, kind: str) -> str:
    return lesson.boards[list(BOARDS).index(kind)]


def spot(page: Page, cell: tuple[int, int]) -> Locator:
    return page.locator(f'#board .spot[data-row="{cell[0] - 1}"][data-column="{cell[1] - 1}"]')


MIDDLE = """(spot) => {
  const { x, y, width, height } = document.querySelector(spot).getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


def do(page: Page, doing: Doing) -> None:
    """Press the spot or the tool where it is now.

    An answer draws the board anew, so a spot that was located before the press may be another one
    by the time of the press.
    """
    page.mouse.click(*where(page, doing))


def where(page: Page, doing: Doing) -> tuple[float, float]:
    if isinstance(doing, str):
        spot = f'#board .spot[data-carries="{doing}"]'
    else:
        spot = f'#board .spot[data-row="{doing[0] - 1}"][data-column="{doing[1] - 1}"]'
    return page.evaluate(MIDDLE, spot)


def stands(page: Page, cells: dict[tuple[int, int], str | None]) -> dict:
    """Return the state of each spot; None for a spot that can't be pressed."""
    found = {}
    for cell in cells:
        here = spot(page, cell)
        state = here.get_attribute("data-is") if here.count() else None
        found[cell] = None if state == "picked" else state
    return found


def step(page: Page) -> Locator:
    return page.locator("#board input[name=step]")


KEPT = "Object.keys(localStorage).filter(key => key.startsWith('steps'))"

WRITES = """() => {
  Storage.prototype.setItem = new Proxy(Storage.prototype.setItem, {
    apply(set, storage, [name, text]) {
      if (name.startsWith("steps "))
        sessionStorage.writes = `${sessionStorage.writes ?? ""}${text}\\n`;
      return Reflect.apply(set, storage, [name, text]);
    },
  });
}"""
"""A script that records what is stored about the steps that wait."""


def slow_down(page: Page, latency: int, offline: bool = False) -> None:
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    conditions = {"latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", {"offline": offline, **conditions})


def stored(site, lesson: Lesson, kind: str) -> list[str]:
    rows = site.rows(
        "SELECT s.action, s.move FROM play_step s JOIN play_attempt a ON a.id = s.attempt_id "
        "JOIN assignments_assignedpuzzle p ON p.id = a.puzzle_id "
        f"WHERE p.assignment_id = {lesson.keys['assignment']} AND p.kind_slug = '{kind}' "
        "ORDER BY s.number"
    )
    return [move or action for action, move in rows]


@pytest.mark.parametrize("kind", BOARDS)
def test_a_press_is_shown_at_once_and_counts_the_same_on_a_slow_network(visit, site, lesson, kind):
    _, doings, end = BOARDS[kind]
    page = visit(board_of(lesson, kind), size=PHONE, session=lesson.student)
    slow_down(page, LATENCY)
    for doing in doings:
        do(page, doing)
    # Long before the answers, everything is where it was put.
    assert stands(page, end) == end
    assert int(step(page).get_attribute("value")) < STEPS[kind]
    expect(page.locator("#board [data-pending]")).to_have_count(0)
    expect(step(page)).to_have_value(str(STEPS[kind]))
    assert stands(page, end) == end
    assert len(stored(site, lesson, kind)) == STEPS[kind]
    undo = page.get_by_role("button", name="Undo")
    undo.click()
    undo.click()
    expect(step(page)).to_have_value(str(STEPS[kind] + 2))
    assert stored(site, lesson, kind)[-2:] == ["undo", "undo"]


@ONE_PRESS_AND_TWO
def test_a_press_counts_though_an_answer_comes_while_the_finger_is_down(visit, site, lesson, kind):
    _, doings, end = BOARDS[kind]
    page = visit(board_of(lesson, kind), session=lesson.student)
    held: list[Route] = []
    page.route("**/steps/", lambda route: held.append(route), times=1)
    *before, last = doings
    for doing in before:
        do(page, doing)
    page.mouse.move(*where(page, last))
    page.mouse.down()
    held[0].continue_()
    expect(step(page)).to_have_value(str(STEPS[kind] - 1))
    page.mouse.up()
    expect(step(page)).to_have_value(str(STEPS[kind]))
    assert stands(page, end) == end
    assert len(stored(site, lesson, kind)) == STEPS[kind]


QUICK = """async ([x, y]) => {
  const at = { bubbles: true, clientX: x, clientY: y, isPrimary: true, pointerType: "mouse" };
  const tell = (event) => document.elementFromPoint(x, y).dispatchEvent(event);
  const down = () => tell(new PointerEvent("pointerdown", at));
  const up = () => tell(new PointerEvent("pointerup", at)) && tell(new MouseEvent("click", at));
  down();
  up();
  down();
  await new Promise((go) => setTimeout(go, 100));
  up();
}"""
"""A script in which the second press on a spot begins before any other task has run, as on a busy
machine."""


@pytest.mark.journey
def test_two_quick_presses_on_one_spot_count_twice(visit, site, lesson):
    page = visit(board_of(lesson, "maxstrings"), session=lesson.student)
    page.evaluate(QUICK, where(page, (1, 1)))
    do(page, (2, 2))
    expect(step(page)).to_have_value("3")
    assert stands(page, {(1, 1): "o", (2, 2): "x"}) == {(1, 1): "o", (2, 2): "x"}
    assert len(stored(site, lesson, "maxstrings")) == 3


@pytest.mark.parametrize("kind", BOARDS)
def test_the_network_is_lost_in_the_middle_of_an_attempt(visit, site, lesson, kind):
    _, doings, end = BOARDS[kind]
    page = visit(board_of(lesson, kind), size=PHONE, session=lesson.student)
    do(page, doings[0])
    expect(step(page)).to_have_value("1")
    page.context.set_offline(True)
    for doing in doings[1:]:
        do(page, doing)
    assert stands(page, end) == end
    expect(page.locator("[data-offline]")).to_be_visible()
    expect(page.locator("[data-offline] [data-number]")).to_have_text(
        f"Waiting to be sent: {STEPS[kind] - 1}"
    )
    # When the page is closed and opened again, nothing is lost.
    window, address = page.context, page.url
    page.close()
    window.set_offline(False)
    page = window.new_page()
    page.goto(address)
    expect(step(page)).to_have_value(str(STEPS[kind]))
    expect(page.locator("#board [data-pending]")).to_have_count(0)
    assert stands(page, end) == end
    assert len(stored(site, lesson, kind)) == STEPS[kind]
    assert page.evaluate(KEPT) == []


def test_the_page_is_loaded_again_while_the_network_returns(visit, site, lesson):
    """The old window delivers its steps after the new page was rendered without them."""
    _, doings, end = BOARDS["maxstrings"]
    page = visit(board_of(lesson, "maxstrings"), size=PHONE, session=lesson.student)
    page.evaluate(WRITES)
    held: list[Route] = []

    def hold_the_third(route: Route) -> None:
        held.append(route)
        if len(held) != 3:
            route.continue_()

    def come_late(route: Route) -> None:
        made = route.fetch()
        assert 'name="step" value="2"' in made.text()
        with page.expect_request_finished(lambda request: "step=5" in (request.post_data or "")):
            held[2].continue_()
        route.fulfill(response=made)

    page.route("**/steps/", hold_the_third)
    for doing in doings:
        do(page, doing)
    expect(step(page)).to_have_value("2")
    page.route(page.url, come_late, times=1)
    page.reload()
    expect(step(page)).to_have_value("6")
    assert stands(page, end) == end
    expect(page.locator("#board [data-pending]")).to_have_count(0)
    assert len(stored(site, lesson, "maxstrings")) == 6
    assert page.evaluate(KEPT) == []
    # Whenever the first step had been answered, the stored queue knew the number of the next one.
    writes = [json.loads(line) for line in page.evaluate("sessionStorage.writes").splitlines()]
    assert all("step" in kept["steps"][0] for kept in writes if len(kept["steps"]) > 1)


def test_a_second_window_sends_nothing_that_the_first_still_sends(visit, site, lesson):
    first = visit(board_of(lesson, "maxstrings"), session=lesson.student)
    held: list[Route] = []
    first.route("**/steps/", lambda route: held.append(route), times=1)
    do(first, (1, 1))
    do(first, (2, 2))
    second = first.context.new_page()
    sent = []
    second.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    second.goto(first.url)
    expect(step(second)).to_have_value("0")
    held[0].continue_()
    for window in (first, second):
        expect(step(window)).to_have_value("2")
        expect(window.locator("#board [data-pending]")).to_have_count(0)
    assert stored(site, lesson, "maxstrings") == ["x 1,1", "x 2,2"]
    assert sent == []
    # The second window takes up the steps that the first could not send any more.
    first.route("**/steps/", lambda route: route.abort())
    do(first, (3, 3))
    expect(first.locator("[data-offline]")).to_be_visible()
    first.close()
    expect(step(second)).to_have_value("3")
    assert stored(site, lesson, "maxstrings")[-1] == "x 3,3"


@ONE_PRESS_AND_TWO
def test_an_answer_that_was_lost_is_asked_for_again(visit, site, lesson, kind):
    _, doings, end = BOARDS[kind]
    page = visit(board_of(lesson, kind), session=lesson.student)
    lost = []

    def lose(route):
        # The server has stored the step, but the browser never gets the answer.
        route.fetch()
        lost.append(route)
        route.abort()

    page.route("**/steps/", lose, times=1)
    for doing in doings:
        do(page, doing)
    expect(step(page)).to_have_value(str(STEPS[kind]))
    assert len(lost) == 1
    assert len(stored(site, lesson, kind)) == STEPS[kind]
    assert stands(page, end) == end


def test_a_drop_is_one_request_and_an_occupied_square_says_why(visit, lesson):
    page = visit(board_of(lesson, "kikazu"), session=lesson.student)
    sent = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.post_data))
    spot_of_gold = page.locator('#board .spot[data-carries="G"]')
    spot_of_gold.drag_to(spot(page, (2, 2)))
    expect(step(page)).to_have_value("1")
    assert [body for body in sent if "look-ahead" not in body and "take=" not in body] == sent
    assert len(sent) == 1
    spot_of_gold.drag_to(spot(page, (2, 2)))
    expect(page.locator(".play-status")).to_contain_text("A piece stands at row 2, column 2")
    expect(page.locator("#board .refused")).to_have_count(1)
    assert stands(page, {(2, 2): "G"}) == {(2, 2): "G"}


def test_another_window_has_gone_on(visit, site, lesson):
    """The board catches up, and the press counts if it still can."""
    first = visit(board_of(lesson, "maxstrings"), session=lesson.student)
    second = visit(board_of(lesson, "maxstrings"), session=lesson.student)
    do(second, (1, 1))
    expect(step(second)).to_have_value("1")
    do(first, (3, 3))
    expect(step(first)).to_have_value("2")
    assert stands(first, {(1, 1): "", (3, 3): ""}) == {(1, 1): "x", (3, 3): "x"}
    assert stored(site, lesson, "maxstrings") == ["x 1,1", "x 3,3"]


def test_a_restart_in_another_window_is_announced(visit, site, lesson):
    first = visit(board_of(lesson, "goishi"), session=lesson.student)
    do(first, (1, 1))
    expect(step(first)).to_have_value("1")
    site.manage(
        "from puzzleclass.play.models import Attempt\n"
        "from puzzleclass.play.restarts import restart\n"
        f"restart(Attempt.objects.get(student={lesson.keys['student']}))"
    )
    do(first, (1, 2))
    expect(first.locator(".play-status")).to_contain_text("You started again in another window.")
    expect(step(first)).to_have_value("0")
    assert stored(site, lesson, "goishi") == ["1,1"]


PAINTED = """
async (selector) => {
  const spot = document.querySelector(selector);
  const began = performance.now();
  spot.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const shown = performance.now() - began;
  await new Promise((done) => document.addEventListener("htmx:after:swap", done, { once: true }));
  return [shown, performance.now() - began];
}
"""


def test_the_picture_changes_within_a_frame(visit, lesson):
    """The script and the style of a press take less than a frame, at the fastest of six presses.

    Other programs that run on the machine can only make a press slower.
    """
    page = visit(board_of(lesson, "tonari"), session=lesson.student)
    shown = []
    for cell in [(1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1)]:
        selector = f'#board .spot[data-row="{cell[0] - 1}"][data-column="{cell[1] - 1}"]'
        shown.append(page.evaluate(PAINTED, selector)[0])
    assert min(shown) < 16, json.dumps(shown)
