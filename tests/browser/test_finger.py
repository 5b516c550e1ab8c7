"""The introductions can be played without reading: a finger shows where to press."""

import pytest
from playwright.sync_api import Page, expect

from solvers.registry import get_kind

pytestmark = pytest.mark.browser

TABLET = {"width": 820, "height": 1180}

HIDE_TEXT = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { color: transparent !important } svg text:not(.count) { display: none }");
  document.adoptedStyleSheets = [sheet];
}"""

POINTED = ".pointed, [data-pointed]"

PICTURES = {
    "goishi": "way",
    "kikazu": "kikazu-attacked",
    "maxstrings": "count",
    "tonari": "preview",
}
"""Kind -> the style of what shows its rule on the board."""


def press_where_the_finger_points(page: Page) -> None:
    """Press in the middle of what the finger points at, and wait for the answer."""
    box = page.locator(POINTED).bounding_box()
    with page.expect_response(lambda answer: "/how-to-play/" in answer.url) as seen:
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert seen.value.status == 200
    expect(page.locator("[data-pending], .htmx-request")).to_have_count(0)


@pytest.mark.parametrize("slug", PICTURES)
def test_all_boards_are_solved_by_following_the_finger(visit, slug):
    page = visit(f"/how-to-play/{slug}/", size=TABLET)
    boards = len(get_kind(slug).introduction)
    for number in range(1, boards + 1):
        page.wait_for_url(f"**/how-to-play/{slug}/{'' if number == 1 else f'{number}/'}")
        page.evaluate(HIDE_TEXT)
        pictures = 0
        while page.locator("#board").count():
            expect(page.locator(POINTED)).to_have_count(1)
            pictures += page.locator(f"#board .{PICTURES[slug]}").count()
            press_where_the_finger_points(page)
        assert pictures
        # A finger is as wide as 44 pixels or more, and the board uses the room of a tablet.
        board = page.locator(".play-board .board").bounding_box()
        assert max(board["width"], board["height"]) > TABLET["width"] / 2
        if number < boards:
            press_where_the_finger_points(page)
    box = page.locator(POINTED).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page).to_have_url("/")


def test_after_a_mistake_the_finger_leads_back(visit):
    page = visit("/how-to-play/kikazu/", size=TABLET)
    page.locator('#board .spot[data-move="P 2,2"]').click()
    expect(page.locator(".play-faults")).to_be_visible()
    press_where_the_finger_points(page)
    expect(page.locator("#board .pointed")).to_have_count(1)
    expect(page.locator(".play-faults")).to_have_count(0)


def test_a_word_is_explained_on_a_press(visit):
    page = visit("/how-to-play/tonari/2/", size=TABLET)
    meaning = page.get_by_text("The target is the colour of the square under the stone")
    expect(meaning).to_be_hidden()
    page.get_by_role("button", name="target").click()
    expect(meaning).to_be_visible()
    page.keyboard.press("Escape")
    expect(meaning).to_be_hidden()


LOOKS = """(spots) => spots.map((spot) =>
  spot.querySelector(".preview :is(.black, .white)")?.classList[0] ?? "")"""


def test_a_point_shows_in_small_what_a_press_would_turn_over(visit):
    page = visit("/how-to-play/tonari/2/", size=TABLET)
    spots = page.locator("#board .spot")
    free = page.locator("#board .spot:not([data-closed])")
    foretold = set()
    page.keyboard.press("Shift")
    for number in range(free.count()):
        free.nth(number).hover()
        by_mouse = spots.evaluate_all(LOOKS)
        page.mouse.move(0, 0)
        assert not any(spots.evaluate_all(LOOKS))
        free.nth(number).focus()
        assert spots.evaluate_all(LOOKS) == by_mouse
        page.evaluate("document.activeElement.blur()")
        assert not any(spots.evaluate_all(LOOKS))
        foretold.add(tuple(by_mouse))
    assert len(foretold) > 1
    free.first.focus()
    shown = spots.evaluate_all(LOOKS)
    free.first.press("Enter")
    expect(page.locator("#board [data-pending], #board .spot .preview")).to_have_count(0)
    for spot, colour in zip(spots.all(), shown, strict=True):
        assert not colour or spot.locator(f".{colour}").count()
