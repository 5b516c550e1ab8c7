"""Over the moves of a try: keys, the slider, what is only tried; Back shows the board as it is."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pressing import press
from tests.integration.lessons import give_lesson

pytestmark = pytest.mark.browser


def stands(page: Page, moves: int, steps: int) -> None:
    """Wait until so many moves are on the board, after so many steps."""
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
    page.get_by_role("button", name="Try from here").click()
    press(page, "x 1,3")
    stands(page, 4, 16)
    page.reload()
    expect(trying).to_contain_text("from move: 3")
    press(page, "x 3,1")
    stands(page, 5, 17)
    sent: list[str] = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    page.get_by_role("button", name="Drop").click()
    stands(page, 3, 19)
    assert [url.rsplit("/", 2)[1] for url in sent] == ["moves"]
    expect(trying).to_be_hidden()
    page.get_by_role("button", name="Try from here").click()
    press(page, "x 1,3")
    page.get_by_role("button", name="Keep").click()
    expect(trying).to_be_hidden()
    stands(page, 4, 20)
    # Left, changed elsewhere, and come back to: it is the board as it stands now.
    page.goto("/help/")
    elsewhere = page.context.new_page()
    elsewhere.goto(lesson.boards[0])
    press(elsewhere, "x 3,1")
    stands(elsewhere, 5, 21)
    page.go_back()
    stands(page, 5, 21)
