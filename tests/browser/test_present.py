"""Boards presented to the class: alone, as high as the screen, stepped by a presenter's remote."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP
from tests.integration.lessons import give_lesson

pytestmark = pytest.mark.browser

SIZES = [DESKTOP, {"width": 1920, "height": 1080}, {"width": 820, "height": 1180}]


@pytest.fixture(scope="module")
def lesson(site):
    return give_lesson(site, [("kikazu", "5/5/5/5/5 2R"), ("goishi", "oo./.oo")])


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size['width']}x{size['height']}")
def test_the_board_alone_without_scrolling(visit, lesson, size):
    page = visit(f"/puzzles/{lesson.keys['puzzle']}/", size=size, session=lesson.teacher)
    page.get_by_role("button", name="Show to the class").first.click()
    board = page.locator("[data-presented] .board-frame .picture")
    box = board.bounding_box()
    assert min(box["width"], box["height"]) > 0.55 * min(size.values())
    assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"]
    assert page.evaluate(
        "() => { const all = document.querySelector('[data-presented]');"
        " return all.scrollHeight <= innerHeight && all.scrollWidth <= innerWidth }"
    )
    page.keyboard.press("Escape")
    expect(page.locator("[data-presented]")).to_have_count(0)


def test_nothing_scrolls_on_a_telephone_and_the_next_board_follows(visit, lesson):
    size = {"width": 390, "height": 700}
    page = visit(
        f"/puzzles/{lesson.keys['puzzle'] + 1}/#present-board", size, session=lesson.teacher
    )
    page.locator("[data-presented]:not([data-player])").wait_for()
    page.keyboard.press("n")
    page.wait_for_url(f"**/puzzles/{lesson.keys['puzzle']}/#present-board")
    page.keyboard.press("Escape")
    page.locator("[data-player] [data-present-begin]").click()
    box = page.locator("[data-presented] .picture").bounding_box()
    assert box["y"] >= 0 and box["width"] > 200
    assert page.evaluate("document.querySelector('[data-presented]').scrollHeight <= innerHeight")


def test_a_remote_steps_through_a_solution(visit, lesson):
    address = f"/puzzles/{lesson.keys['puzzle'] + 1}/"
    page = visit(address, session=lesson.teacher)
    page.locator("[data-player]").wait_for()
    page.goto(f"{address}solution/#present")
    player = page.locator("[data-presented]")
    expect(player.locator(".player-step")).to_contain_text("Move 0")
    page.keyboard.press("PageDown")
    expect(player.locator(".player-step")).to_contain_text("Move 1")
    page.keyboard.press("PageDown")
    expect(player.locator(".player-step")).to_contain_text("Move 2")
    page.keyboard.press("PageUp")
    expect(player.locator(".player-step")).to_contain_text("Move 1")


def test_playback_stops_where_the_class_is_asked(visit, lesson):
    page = visit(f"/puzzles/{lesson.keys['puzzle'] + 1}/", session=lesson.teacher)
    page.locator("[data-player]").wait_for()
    page.goto(f"/puzzles/{lesson.keys['puzzle'] + 1}/solution/#present")
    # Insert the question that the replay of a lost attempt has, at the step after the first.
    page.evaluate(
        "document.addEventListener('htmx:after:swap', () => {"
        " const player = document.querySelector('[data-player]');"
        " if (player.querySelector('.player-step').textContent.includes('Move 1'))"
        "   player.insertAdjacentHTML('beforeend', '<p class=present-question></p>') })"
    )
    button = page.locator("[data-presented] [data-play]")
    button.click()
    expect(page.locator("[data-presented] .present-question")).to_be_attached()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".player-step")).to_contain_text("Move 1")
    button.click()
    expect(page.locator(".player-step")).to_contain_text("Move 2")


def test_the_class_sees_the_start_of_a_full_board_first(visit, lesson):
    page = visit(f"/puzzles/{lesson.keys['puzzle']}/", session=lesson.teacher)
    page.locator("[data-player]").get_by_role("button", name="Show to the class").click()
    expect(page.locator("[data-presented] .player-step")).to_contain_text("Move 0 of")
