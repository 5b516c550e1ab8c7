"""A teacher puts slides into order with keys and by dragging, and turns them on the projector."""

import re

import pytest
from playwright.sync_api import expect

from tests.integration.lessons import give_lesson

pytestmark = pytest.mark.browser

SLIDES = """
from puzzleclass.lessons.models import Slide
for rank, line in enumerate(["1,1 1,2 1,3", "1,3 1,2 1,1", "1,1 1,2"]):
    Slide.objects.create(puzzle_id={puzzle}, sort="solution", line=line, rank=rank)
"""


@pytest.fixture
def lesson(site):
    given = give_lesson(site, [("goishi", "ooo")])
    site.manage(SLIDES.format(puzzle=given.keys["assigned"]))
    return given


def test_slides_are_ordered_by_keys_and_by_dragging_and_keep_their_notes(visit, lesson):
    page = visit(f"/assigned/{lesson.keys['assigned']}/found/", session=lesson.teacher)
    entries = page.locator(".slide-entry")
    ids = [entry.get_attribute("id") for entry in entries.all()]
    page.get_by_label("Note on slide 1").fill("Look at the start")
    page.get_by_label("Note on slide 1").press("Tab")
    page.get_by_role("button", name="Slide 1: later").press("Enter")
    expect(entries.nth(1)).to_have_attribute("id", ids[0])
    expect(entries.nth(1).get_by_role("textbox")).to_have_value("Look at the start")
    entries.nth(2).locator("[data-handle]").drag_to(entries.nth(0).locator("[data-handle]"))
    expect(entries.nth(0)).to_have_attribute("id", ids[2])
    page.wait_for_load_state("networkidle")
    page.reload()
    order = [entry.get_attribute("id") for entry in entries.all()]
    assert order == [ids[2], ids[1], ids[0]]


def test_a_slide_is_dragged_slowly_with_a_finger_and_stored_once(visit, lesson):
    page = visit(
        f"/assigned/{lesson.keys['assigned']}/found/", session=lesson.teacher, telephone=True
    )
    entries = page.locator(".slide-entry")
    ids = [entry.get_attribute("id") for entry in entries.all()]
    first, last = (entries.nth(n).locator("[data-handle]").bounding_box() for n in (0, 2))
    x, begin, end = first["x"] + first["width"] / 2, first["y"] + 5, last["y"] + last["height"]
    finger = page.context.new_cdp_session(page)
    sent = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))

    def touch(kind: str, *points: dict[str, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": x, "y": begin})
    for step in range(1, 16):
        # A finger is slow: Sortable looks where it is every 50 ms.
        page.wait_for_timeout(50)
        touch("touchMove", {"x": x, "y": begin + (end - begin) * step / 15})
    page.wait_for_timeout(200)
    assert sent == []
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        touch("touchEnd")
    expect(entries.nth(2)).to_have_attribute("id", ids[0])
    page.reload()
    assert [entry.get_attribute("id") for entry in entries.all()] == [*ids[1:], ids[0]]
    assert len(sent) == 1


def test_slides_are_turned_by_a_remote_and_stand_side_by_side(visit, lesson):
    page = visit(f"/assigned/{lesson.keys['assigned']}/found/", session=lesson.teacher)
    projector = visit("/screen/", session=lesson.teacher)
    screen = projector.locator("#screen")
    page.get_by_role("button", name="Show slide 1 on the projector").click()
    expect(screen.locator(".picture")).to_have_count(1)
    expect(screen).not_to_have_attribute("data-previous", re.compile("slide"))
    for key, turn in (("PageDown", "next"), ("ArrowRight", "next"), ("ArrowLeft", "previous")):
        wanted = screen.get_attribute(f"data-{turn}")
        projector.keyboard.press(key)
        expect(screen).not_to_have_attribute(f"data-{turn}", wanted)
    for number in (0, 1):
        page.locator("[name=ticked]").nth(number).check()
    page.get_by_role("button", name="To the projector").click()
    expect(screen.locator(".picture")).to_have_count(2)
    expect(screen).to_contain_text("from move 1 on")
