"""The map of practice: one press starts a board, with a finger or by keys, on every screen."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, PHONE
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

SMALL = {"width": 320, "height": 568}

FINGER = 44
"""The least size in pixels of what is pressed."""


@pytest.fixture(scope="module")
def lesson(site) -> Lesson:
    return give_lesson(site, [("goishi", "o./oo/../oo")])


@pytest.mark.parametrize("size", [DESKTOP, PHONE, SMALL], ids=["desktop", "phone", "small"])
def test_one_press_on_the_picture_opens_the_next_board(visit, lesson, size):
    page = visit("/practice/", size=size, session=lesson.student)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    stops = page.locator(".map").first.locator(".stop")
    expect(stops).to_have_count(10)
    picture = page.locator(".map-next button").first
    for box in (*(stop.bounding_box() for stop in stops.all()), picture.bounding_box()):
        assert min(box["width"], box["height"]) >= FINGER
    # Every world can be pressed: the picture of the next board lies beside the path.
    around = picture.bounding_box()
    for track in page.locator(".map").first.locator(".track").all():
        box = track.bounding_box()
        assert box["x"] + box["width"] <= around["x"] or box["y"] + box["height"] <= around["y"]
    picture.click()
    expect(page.locator("#board")).to_be_visible()


def test_keys_and_the_list_lead_into_a_world(visit, lesson):
    page = visit("/practice/", session=lesson.student)
    first = page.get_by_role("link", name="World 1: easy, 0 of 12 solved").first
    first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("World 1")
    page.go_back()
    listed = page.locator("details", has_text="The worlds as a list").first
    listed.locator("summary").focus()
    page.keyboard.press("Enter")
    listed.get_by_role("link", name="World 3").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("World 3")


def test_without_motion_and_with_forced_colours_the_map_is_still_there(visit, lesson):
    page = visit("/practice/", session=lesson.student)
    page.emulate_media(reduced_motion="reduce", forced_colors="active")
    pin = page.locator(".pin").first
    assert pin.evaluate("part => part.getAnimations().length") == 0
    expect(page.locator(".land").first).to_be_hidden()
    fills = [page.locator(f".stop {part}").first for part in (".plate", "text")]
    colours = [part.evaluate("part => getComputedStyle(part).fill") for part in fills]
    assert colours[0] != colours[1]
