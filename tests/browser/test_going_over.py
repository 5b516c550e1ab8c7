"""A student steps through the moves of an attempt: by keys, by the slider, and on trial."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pressing import choose, press
from tests.integration.lessons import give_lesson

pytestmark = pytest.mark.browser


def stands(page: Page, moves: int, steps: int) -> None:
    """Wait until this many moves are on the board, after this many steps."""
    expect(page.locator("#board input[name=step]")).to_have_value(str(steps))
    expect(page.locator(".play-moves input[type=range]")).to_have_js_property("value", str(moves))


def test_keys_the_slider_and_trials(visit, site):
    lesson = give_lesson(site, [("maxstrings", ".../.../... 3")])
    page = visit(lesson.boards[0], session=lesson.student)
    for number, move in enumerate(["x 1,1", "x 2,2", "x 3,3"], 1):
        press(page, move)
        expect(page.locator("#board input[name=step]")).to_have_value(str(number))
    page.locator("h1").click()
    keys = {"z": 2, "y": 3, "u": 2, "ArrowRight": 3, "ArrowLeft": 2, "Control+y": 3}
    for steps, (key, moves) in enumerate(keys.items(), 4):
        page.keyboard.press(key)
        stands(page, moves, steps)
    slider = page.locator(".play-moves input[type=range]")
    slider.fill("0")
    stands(page, 0, 12)
    slider.fill("3")
    stands(page, 3, 15)
    trying = page.locator("[data-trial]")
    choose(page, "Try from here")
    press(page, "x 1,3")
    stands(page, 4, 16)
    page.reload()
    expect(trying).to_contain_text("from move: 3")
    press(page, "x 3,1")
    stands(page, 5, 17)
    sent: list[str] = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    page.get_by_role("button", name="Take them back").click()
    stands(page, 3, 19)
    assert [url.rsplit("/", 2)[1] for url in sent] == ["moves"]
    expect(trying).to_be_hidden()
    choose(page, "Try from here")
    press(page, "x 1,3")
    page.get_by_role("button", name="Keep these moves").click()
    expect(trying).to_be_hidden()
    stands(page, 4, 20)
    # When the page was left and the board changed elsewhere, Back shows the board as it is now.
    page.goto("/help/")
    elsewhere = page.context.new_page()
    elsewhere.goto(lesson.boards[0])
    press(elsewhere, "x 3,1")
    stands(elsewhere, 5, 21)
    page.go_back()
    stands(page, 5, 21)


GO_ON = """
from puzzleclass.play.attempts import take_step
from puzzleclass.play.models import Attempt
attempt = Attempt.objects.get(student={student})
take_step(attempt, attempt.next_step, "move", "{move}")
"""
"""Make a move on another machine, without a notice to the browser."""


def test_a_page_that_is_shown_again_is_not_older_than_it_looks(visit, site):
    """The board and the home page are updated when Back shows a kept page or a machine wakes up."""
    lesson = give_lesson(site, [("maxstrings", ".../.../... 3")])
    student = lesson.keys["student"]
    page = visit(lesson.boards[0], session=lesson.student)
    home = page.context.new_page()
    home.goto("/")
    expect(home.get_by_role("link", name="Begin", exact=True)).to_be_visible()
    press(page, "x 1,1")
    # The other window has been told of the move.
    expect(home.get_by_role("link", name="Continue", exact=True)).to_be_visible()
    site.manage(GO_ON.format(student=student, move="x 2,2"))
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    stands(page, 2, 2)
    site.manage(GO_ON.format(student=student, move="x 3,3"))
    page.clock.install()
    page.clock.fast_forward(60_000)
    page.evaluate("dispatchEvent(new Event('focus'))")
    stands(page, 3, 3)


def test_save_points(visit, site):
    lesson = give_lesson(site, [("maxstrings", ".../.../... 3")])
    page = visit(lesson.boards[0], session=lesson.student)
    points = page.locator("[data-point]")
    save = page.locator("[data-save]")
    press(page, "x 1,1")
    stands(page, 1, 1)
    choose(page, "Save point")
    expect(page.locator("#announced")).to_have_text("Saved at move: 1")
    for steps, move in enumerate(["x 2,2", "x 3,3"], 2):
        press(page, move)
        stands(page, steps, steps)
    page.locator("h1").click()
    page.keyboard.press("s")
    expect(points).to_have_text(["1", "3"])
    expect(save).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("b")
    stands(page, 1, 5)
    # The moves after the save point are not lost, and the points survive a reload of the page.
    page.reload()
    expect(points).to_have_text(["1", "3"])
    page.get_by_role("button", name="Back to move: 3").click()
    stands(page, 3, 7)
    expect(page.locator("[data-point]:focus")).to_have_text("3")
    page.get_by_role("button", name="Back to move: 1").press("Enter")
    stands(page, 1, 9)
    # After another move from there, the board of the second save point is out of reach.
    press(page, "x 1,3")
    expect(points).to_have_text(["1"])
    stands(page, 2, 10)
    page.get_by_role("button", name="Undo").click()
    choose(page, "Save point")
    expect(points).to_have_count(0)
    expect(save).to_have_attribute("aria-pressed", "false")
