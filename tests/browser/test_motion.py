"""Stones visibly turn over, unless the reader's machine asks for less motion."""

import pytest
from playwright.sync_api import expect

from tests.browser.pressing import press
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

BOARD, LINE = "Bb/bb", ("2,2", "1,2", "2,1")
MOVED = {
    "no-preference": ("set-down-odd", "set-down turn", "set-down-odd turn-odd"),
    "reduce": ("", "", ""),
}
"""The reader's preference -> the animations that run after each move."""

WATCH = """() => document.addEventListener("animationstart", event => {
    const seen = document.documentElement.dataset;
    if (/set-down|turn/.test(event.animationName))
        seen.moved = [...new Set(seen.moved.split(" ")).add(event.animationName)]
            .filter(Boolean).sort().join(" ");
})"""


@pytest.fixture(scope="module")
def lesson(site) -> Lesson:
    """Provide a class to which the same board is assigned once for each preference."""
    return give_lesson(site, [("tonari", BOARD)] * len(MOVED))


@pytest.mark.parametrize("wish", MOVED)
def test_stones_turn_over_unless_less_motion_is_wished(visit, lesson, wish):
    page = visit(lesson.boards[list(MOVED).index(wish)], session=lesson.student)
    page.emulate_media(reduced_motion=wish)
    page.evaluate(WATCH)
    for move, names in zip(LINE, MOVED[wish], strict=True):
        page.evaluate("document.documentElement.dataset.moved = ''")
        press(page, move)
        # The stone that was just put down is marked with and without motion.
        expect(page.locator(".play-board .picture .placed")).to_have_count(1)
        expect(page.locator("html")).to_have_attribute("data-moved", names)
    expect(page.locator(".play-board .picture .flipped")).to_have_count(2)
