"""Boards that are stored only in the browser: the introduction of each kind, and a guest's
board."""

import pytest
from playwright.sync_api import expect

from solvers.registry import get_kind, kinds
from tests.browser.conftest import PHONE
from tests.web.practice.test_practice_introduction import solution_of

pytestmark = pytest.mark.browser


def press(page, move: str) -> None:
    """Press what makes the move, and wait for the board after it."""
    board = page.locator("#board")
    line = board.locator("input[name=line]").get_attribute("value")
    page.locator(f'#board .spot[data-move="{move}"]').click()
    expect(page.locator(f'#board input[name=line][value="{line}"]')).to_have_count(0)


@pytest.mark.parametrize("slug", list(kinds()))
def test_the_introduction_is_played_to_its_end(visit, slug):
    kind = get_kind(slug)
    page = visit(f"/how-to-play/{slug}/", size=PHONE)
    for number, tiny in enumerate(kind.introduction, 1):
        expect(page.locator("#board")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        for move in solution_of(kind, kind.read(tiny.position)):
            if kind.tools:
                tool = move.split(" ")[0]
                button = page.locator(f'button[data-tool][name=take][value="{tool}"]')
                spot = page.locator(f'#board .spot[data-move="{tool}"]')
                (button if button.count() else spot).first.click()
                expect(page.locator("#board input[name=tool]")).to_have_value(tool)
            press(page, move)
        expect(page.locator(".play-status")).to_have_text("Solved!")
        name = "Next →" if number < len(kind.introduction) else "Now to the puzzles →"
        page.get_by_role("link", name=name).click()
    expect(page).to_have_url("/")


def test_a_guest_practises_and_the_browser_remembers(visit):
    page = visit("/practice/goishi/1/", size=PHONE)
    page.locator(".practice-boards a.picture-button").first.click()
    kind = get_kind("goishi")
    for move in solution_of(kind, kind.read("...o/..oo/oo.o/o..o")):
        press(page, move)
    expect(page.get_by_role("link", name="Next puzzle →")).to_be_visible()
    page.goto("/practice/goishi/1/")
    expect(page.locator(".stars", has_text="★")).to_have_count(1)


def test_the_front_page_stands_in_two_columns(visit):
    page = visit("/", size={"width": 1366, "height": 768})
    doors = [door.bounding_box() for door in page.locator(".hero .doors > *").all()]
    board = page.locator(".hero-board .picture").bounding_box()
    rights = [box["x"] + box["width"] for box in doors]
    assert rights[0] < doors[1]["x"] and rights[1] < board["x"]
    assert board["y"] + board["height"] < 768
