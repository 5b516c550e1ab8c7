"""A pointer that is dragged over a board makes the same change wherever it goes, in one request."""

import pytest
from playwright.sync_api import CDPSession, Page, expect

from solvers.registry import ready_kinds
from tests.browser.conftest import PHONE
from tests.browser.test_at_once import stands, step, stored
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

KINDS = ["slitherlink", "masyu", "mosaic", "map_colouring"]
SLUGS = {name: ready_kinds()[name].slug for name in KINDS}
BOARDS = {
    "slitherlink": "5x5",
    "masyu": "5x5",
    "mosaic": f"8x8 clues={'......../' * 7}.......4",
    "map_colouring": "4x4 rooms=aabb/aabb/ccdd/ccdd",
}


@pytest.fixture
def lesson(site) -> Lesson:
    """Provide a class to which the boards are assigned, without any attempt."""
    return give_lesson(site, [(SLUGS[name], BOARDS[name]) for name in KINDS])


def open_board(visit, lesson: Lesson, name: str, **options) -> tuple[Page, list[str]]:
    """Return the page of a board, and a list that takes what it sends."""
    page = visit(lesson.boards[KINDS.index(name)], session=lesson.student, **options)
    page.wait_for_load_state("networkidle")
    sent: list[str] = []
    page.on("request", lambda asked: asked.method == "POST" and sent.append(asked.post_data or ""))
    return page, sent


AT = """([x, y]) => {
  const { a, d, e, f } = document.querySelector("#board svg.picture").getScreenCTM();
  return [a * 40 * x + e, d * 40 * y + f];
}"""
"""A script that returns where a point of the board, in cells, is on the screen."""


def drag(page: Page, *points: tuple[float, float]) -> None:
    """Drag the mouse over these points of the board, each of which is one fast movement away."""
    for number, point in enumerate(points):
        page.mouse.move(*page.evaluate(AT, point))
        if not number:
            page.mouse.down()
    page.mouse.up()


def test_a_stroke_along_the_dots_draws_and_clears_the_edges_between_them(visit, site, lesson):
    page, sent = open_board(visit, lesson, "slitherlink")
    drag(page, (0, 0), (3, 0.2), (2.9, 2))
    expect(step(page)).to_have_value("5")
    drawn = ["1,2", "1,5", "1,8", "2,10", "5,10"]
    assert stored(site, lesson, SLUGS["slitherlink"]) == [f"o {place}" for place in drawn]
    # From the middle of an edge this edge belongs to it, and edges that are empty stay so.
    drag(page, (0.5, 0), (2, 0), (2, 2))
    expect(step(page)).to_have_value("7")
    assert stored(site, lesson, SLUGS["slitherlink"])[5:] == ["- 1,2", "- 1,5"]
    assert len(sent) == 2
    # A press without dragging is a step as ever, and one undo takes back one move.
    page.mouse.click(*page.evaluate(AT, (0.5, 5)))
    expect(step(page)).to_have_value("8")
    page.get_by_role("button", name="Undo").click()
    expect(step(page)).to_have_value("9")


def test_a_stroke_through_the_middles_of_cells_draws_the_links_between_them(visit, site, lesson):
    page, sent = open_board(visit, lesson, "masyu")
    drag(page, (0.5, 0.5), (4.5, 0.6), (4.4, 1.5))
    expect(step(page)).to_have_value("5")
    assert len(stored(site, lesson, SLUGS["masyu"])) == 5
    assert len(sent) == 1


@pytest.mark.journey
def test_a_stroke_fills_the_cells_that_it_crosses_and_no_press_follows(visit, site, lesson):
    page, sent = open_board(visit, lesson, "mosaic")
    drag(page, (0.5, 0.5), (5.5, 0.5), (0.5, 0.5))
    expect(step(page)).to_have_value("6")
    assert [move.split()[1] for move in stored(site, lesson, SLUGS["mosaic"])] == [
        f"1,{column}" for column in range(1, 7)
    ]
    drag(page, (0.5, 2.5), (2.5, 4.5))
    expect(step(page)).to_have_value("9")
    assert len(sent) == 2


def test_a_stroke_uses_the_tool_that_is_taken_up(visit, site, lesson):
    page, _ = open_board(visit, lesson, "map_colouring")
    tool = page.locator("button[data-tool][name=take]").nth(1)
    tool.click()
    drag(page, (0.5, 0.5), (3.5, 0.5))
    expect(step(page)).to_have_value("4")
    word = tool.get_attribute("value")
    assert stored(site, lesson, SLUGS["map_colouring"]) == [
        f"{word} 1,{column}" for column in range(1, 5)
    ]


def test_a_stroke_without_a_network_is_kept_and_sent_later(visit, site, lesson):
    page, sent = open_board(visit, lesson, "mosaic")
    page.context.set_offline(True)
    drag(page, (0.5, 0.5), (3.5, 0.5))
    shown = stands(page, dict.fromkeys([(1, 1), (1, 4), (1, 5)]))
    assert shown[1, 1] == shown[1, 4] != shown[1, 5] == "."
    expect(page.locator("[data-offline]")).to_contain_text("4")
    page.get_by_role("button", name="Undo").click()
    sent.clear()
    page.context.set_offline(False)
    expect(step(page)).to_have_value("5")
    assert len(stored(site, lesson, SLUGS["mosaic"])) == 5
    assert stored(site, lesson, SLUGS["mosaic"])[-1] == "undo"
    assert len([each for each in sent if "stroke" in each]) == 1


def test_a_stroke_that_waits_is_sent_from_another_page(visit, site, lesson):
    page, _ = open_board(visit, lesson, "mosaic")
    page.route("**/steps/", lambda route: route.abort())
    drag(page, (0.5, 0.5), (3.5, 0.5))
    expect(page.locator("[data-offline]")).to_be_visible()
    page.unroute("**/steps/")
    page.goto("/")
    expect(page.locator("[data-outbox] [data-sent] li")).to_have_count(1)
    assert len(stored(site, lesson, SLUGS["mosaic"])) == 4


def test_a_stroke_is_made_again_on_a_board_that_was_changed_in_another_window(visit, site, lesson):
    page, _ = open_board(visit, lesson, "mosaic")
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_load_state("networkidle")
    page.route("**/steps/", lambda route: route.abort())
    drag(page, (0.5, 0.5), (3.5, 0.5))
    expect(page.locator("[data-offline]")).to_be_visible()
    drag(other, (2.5, 0.5), (2.5, 2.5))
    expect(step(other)).to_have_value("3")
    page.unroute("**/steps/")
    expect(step(page)).to_have_value("6")
    moves = [move.split()[1] for move in stored(site, lesson, SLUGS["mosaic"])]
    assert moves == ["1,3", "2,3", "3,3", "1,1", "1,2", "1,4"]


def touch(devices: CDPSession, kind: str, *fingers: tuple[float, float]) -> None:
    points = [dict(zip("xy", finger), id=number) for number, finger in enumerate(fingers)]
    devices.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})


def test_a_finger_draws_and_two_fingers_scroll(visit, site, lesson):
    page, sent = open_board(visit, lesson, "mosaic", size=PHONE, telephone=True)
    devices = page.context.new_cdp_session(page)
    page.evaluate("document.body.style.paddingBottom = '2000px'")
    x, y = page.evaluate(AT, (0.5, 0.5))
    down = page.evaluate(AT, (0.5, 5.5))[1]
    touch(devices, "Start", (x, y))
    for number in range(1, 6):
        touch(devices, "Move", (x, y + (down - y) * number / 5))
    touch(devices, "End")
    expect(step(page)).to_have_value("6")
    assert len(sent) == 1
    assert page.evaluate("scrollY") == 0
    touch(devices, "Start", (x, down), (x + 100, down))
    for number in range(1, 11):
        touch(devices, "Move", (x, down - 20 * number), (x + 100, down - 20 * number))
    touch(devices, "End")
    page.wait_for_function("scrollY > 50")
    assert len(sent) == 1


def test_crosses_are_drawn_by_a_stroke_kept_and_left_out_of_the_solution(visit, site, lesson):
    page, _ = open_board(visit, lesson, "slitherlink")
    page.get_by_role("button", name="A cross").click()
    drag(page, (0, 0), (2, 0))
    expect(step(page)).to_have_value("2")
    assert stored(site, lesson, SLUGS["slitherlink"]) == ["* 1,2", "* 1,5"]
    page.reload()
    assert list(stands(page, dict.fromkeys([(1, 2), (1, 5), (1, 8)])).values()) == ["x", "x", "."]
    crossed = page.locator('#board .spot[aria-label^="A cross above row 1, column 1"]')
    expect(crossed).to_have_count(1)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    drag(page, (0, 0), (1, 0))
    assert list(stands(page, {(1, 2): None}).values()) == ["-"]
    page.context.set_offline(False)
    expect(step(page)).to_have_value("3")
