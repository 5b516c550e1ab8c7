"""How a teacher makes puzzles: generated boards, a repaired board, and a survey of random
boards."""

import pytest
from playwright.sync_api import expect

from tests.browser.pressing import count

pytestmark = pytest.mark.browser

CROSS = ".o./ooo/.o."
"""A board with four dead ends and no solution."""


@pytest.mark.journey
def test_an_authors_afternoon(visit, site, sign_up):
    page = visit("/")
    sign_up(page, "sakai")

    # Boards are generated. What is ticked and typed stays while other boards are found.
    page.get_by_role("link", name="Puzzles", exact=True).click()
    page.get_by_role("link", name="Create a puzzle").first.click()
    page.get_by_role("link", name="Goishi Hiroi", exact=True).click()
    page.get_by_role("link", name="Generate", exact=True).click()
    for name, number in (("stones", "33"), ("size", "10")):
        page.locator(f"[name={name}]").fill(number)
        page.locator(f"[name={name}_last]").fill(number)
    page.get_by_label("Number of solutions").select_option("1")
    page.get_by_label("Number of puzzles").fill("100")
    page.get_by_role("button", name="Generate").click()
    expect(page.locator("#board-1")).to_be_visible(timeout=60_000)
    with site.worker_held():
        page.get_by_label("Choose board 1", exact=True).check()
        page.get_by_label("Title").fill("Mine #")
        page.get_by_role("button", name="Enlarge board 1", exact=True).click()
        expect(page.locator("#large-1")).to_be_visible()
        found = page.locator(".made").count()
    expect(page.locator(f"#board-{found + 1}")).to_be_visible(timeout=60_000)
    with site.worker_held():
        expect(page.locator("#large-1")).to_be_visible()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Stop").click()
        expect(page.locator(".job-card")).to_have_attribute("data-state", "stopping")
    expect(page.locator(".job-card")).to_have_attribute("data-state", "stopped")
    expect(page.get_by_label("Choose board 1", exact=True)).to_be_checked()
    page.get_by_role("button", name="Save the selected puzzles").click()
    expect(page.get_by_role("status").first).to_have_text("Saved in “My puzzles”: Mine 1")

    # The puzzle's page says how many solutions it has, and how hard it is.
    page.get_by_role("link", name="Puzzles", exact=True).first.click()
    page.get_by_role("link", name="Mine 1").click()
    expect(page.locator("#count .number")).to_have_text("1")
    expect(page.locator("#count .band-word")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a picture (PNG)").click()
    assert download.value.suggested_filename == "Mine 1.png"
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


def test_a_hopeless_board_is_mended_and_random_ones_explored(visit, sign_up):
    page = visit("/")
    sign_up(page, "mori")
    page.goto("/puzzles/new/goishi/")
    page.get_by_label("Paste a board as text").fill(CROSS)
    page.get_by_label("Title").fill("Cross")
    page.locator("#editor").get_by_role("button", name="Save").last.click()
    count(page)
    expect(page.locator("#count .number")).to_have_text("0")
    page.get_by_role("button", name="Find a repair").click()
    expect(page.locator(".diagnosis").first).to_contain_text("dead end")

    # An unsaved drawing in the editor neither blocks a repair nor is lost.
    page.get_by_role("link", name="Edit").click()
    draft = page.locator("#editor input[name=draft]")
    page.locator('#editor .spot[data-move="1,1"]').click()
    expect(draft).to_have_value("oo./ooo/.o.")
    page.get_by_role("link", name="Cross").click()
    page.get_by_role("button", name="Open in the editor").first.click()
    undo = page.get_by_role("button", name="Undo")
    expect(page.locator("[data-draft-back]")).to_be_visible()
    mended = draft.input_value()
    undo.click()
    expect(draft).to_have_value(CROSS)
    undo.click()
    expect(draft).to_have_value("oo./ooo/.o.")
    redo = page.get_by_role("button", name="Redo")
    redo.click()
    expect(draft).to_have_value(CROSS)
    redo.click()
    expect(draft).to_have_value(mended)
    page.locator("#editor").get_by_role("button", name="Save").last.click()
    count(page)
    expect(page.locator("#count .number")).not_to_have_text("0")
    page.get_by_role("link", name="All solutions").click(timeout=60_000)
    page.get_by_role("button", name="List the solutions").click()
    page.get_by_role("link", name="Compare solution 1 with 2", exact=True).click()
    expect(page.locator("[data-player]")).to_contain_text("They differ from here")
    page.locator('[data-turn="first"]').click()
    expect(page.locator("[data-player]")).to_contain_text("Move 0 of")

    # Charts are drawn for a survey, and again for the next one.
    page.goto("/puzzles/explore/goishi/")
    for size in ("3x3", "4x4"):
        page.get_by_label("Size of the board").fill(size[0])
        page.locator("[name=size_last]").fill(size[-1])
        page.get_by_label("Number of stones", exact=True).fill("1")
        page.locator("[name=stones_last]").fill("9")
        page.get_by_label("Random boards").fill("50")
        page.get_by_role("button", name="Explore random boards").click()
        expect(page.get_by_text(f"The numbers: {size} · 50")).to_be_visible(timeout=60_000)
        # The chart library paints on the next frame, not when the figures arrive.
        page.wait_for_function(
            "() => { const canvas = document.querySelector('canvas');"
            "return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)"
            ".data.some(Boolean) }"
        )


def test_a_drawing_that_was_not_saved_is_found_again(visit, sign_up):
    page = visit("/")
    sign_up(page, "ueda")
    page.goto("/puzzles/new/goishi/")
    draft = page.locator("#editor input[name=draft]")
    empty_row = "/......"
    page.locator('#editor .spot[data-move="1,1"]').click()
    expect(draft).to_have_value("o....." + empty_row * 5)
    page.locator('#editor .spot[data-move="1,2"]').click()
    expect(draft).to_have_value("oo...." + empty_row * 5)
    page.get_by_label("Title").fill("Half done")
    page.get_by_label("Paste a board as text").fill("o?o")

    # A link is pressed by mistake. After the return, the steps to undo are there too.
    page.get_by_role("link", name="Classes").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Classes")
    page.goto("/puzzles/new/goishi/")
    expect(page.locator("[data-draft-back]")).to_be_visible()
    expect(page.get_by_label("Title")).to_have_value("Half done")
    expect(page.get_by_label("Paste a board as text")).to_have_value("o?o")
    page.get_by_role("button", name="Undo").click()
    expect(draft).to_have_value("o....." + empty_row * 5)

    # The page is closed while a press has no answer.
    window = page.context
    window.set_offline(True)
    page.locator('#editor .spot[data-move="2,1"]').click()
    expect(page.locator("[data-offline]")).to_be_visible()
    page.close()
    window.set_offline(False)
    page = window.new_page()
    page.goto("/puzzles/new/goishi/")
    draft = page.locator("#editor input[name=draft]")
    expect(draft).to_have_value("o...../o....." + empty_row * 4)

    # A drawing that was saved or discarded is not offered again, even if another request begins
    # before the page is left.
    page.evaluate(
        """() => document.addEventListener("htmx:after:request", () =>
            document.dispatchEvent(new Event("htmx:before:request")))"""
    )
    page.locator("#editor").get_by_role("button", name="Save").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Half done")
    page.get_by_role("link", name="Edit").click()
    expect(draft).to_have_value("o...../o....." + empty_row * 4)
    page.locator('#editor .spot[data-move="1,1"]').click()
    expect(draft).to_have_value("....../o....." + empty_row * 4)
    page.reload()
    expect(draft).to_have_value("....../o....." + empty_row * 4)
    page.get_by_role("button", name="Discard").evaluate(
        "button => { button.click(); document.dispatchEvent(new Event('htmx:before:request')) }"
    )
    expect(draft).to_have_value("o...../o....." + empty_row * 4)
    expect(page.locator("[data-draft-back]")).to_be_hidden()
    page.goto("/puzzles/new/goishi/")
    expect(draft).to_have_value("......" + empty_row * 5)
    expect(page.locator("[data-draft-back]")).to_be_hidden()


def test_the_points_for_the_stones_are_drawn(visit, sign_up):
    page = visit("/")
    sign_up(page, "inoue")
    page.goto("/puzzles/generate/goishi/")
    drawing, drawn = page.locator(".drawing"), page.locator("input[name=position]")
    expect(drawing).to_be_hidden()
    page.get_by_label("Shape").select_option("drawn")
    expect(drawing).to_be_visible()
    page.get_by_label("Number of stones").fill("7")
    page.locator("[name=stones_last]").fill("7")
    page.get_by_label("Number of solutions").select_option("any number")
    for label, points in (("Rows", 18), ("Columns", 9)):
        page.get_by_label(label).fill("3")
        page.get_by_label(label).press("Tab")
        expect(drawing.locator(".spot")).to_have_count(points)
    for move in ("1,1", "1,2", "1,3", "2,1", "2,3", "3,1", "3,2"):
        drawing.locator(f'.spot[data-move="{move}"]').click()
    expect(drawn).to_have_value("ooo/o.o/oo.")
    # The keyboard works too, because the focus has stayed on the board.
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(drawn).to_have_value("ooo/o.o/ooo")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(drawn).to_have_value("ooo/o.o/oo.")
    page.get_by_role("button", name="Undo").click()
    expect(drawn).to_have_value("ooo/o.o/ooo")
    page.get_by_role("button", name="Generate").last.click()
    expect(page.get_by_label("Choose board 1", exact=True)).to_be_visible(timeout=60_000)
    # None of the boards has a stone in the middle.
    assert page.get_by_label("Choose board 1", exact=True).get_attribute("value")[5] == "."


BOARDS = (
    "Corner https://puzz.link/p?goishi/4/2/8k\n"
    "https://puzz.link/p?type=editor&goishi/6/7/vsten1tvo\n"
    "https://puzz.link/p?goishi/4/2/8z\n"
    "https://puzz.link/p?goishi/4/2/8k\n"
)


def test_many_boards_pasted_at_once(visit, sign_up):
    page = visit("/")
    sign_up(page, "ueda")
    page.goto("/puzzles/new/goishi/")
    page.get_by_label("Paste a board as text").fill(BOARDS)
    expect(page.locator("#pasted")).to_contain_text("This text has 4 boards.")
    page.get_by_role("button", name="Show all of them").click()
    expect(page.get_by_role("heading", name="4 boards in this text")).to_be_visible()
    expect(page.locator(".made .thumb")).to_have_count(3)
    expect(page.locator(".made").nth(2)).to_contain_text("“z” can't be used in this address.")
    expect(page.locator(".made").nth(3)).to_contain_text("The same as board 1 of this text")
    page.get_by_label("Choose board 2", exact=True).uncheck()
    page.get_by_role("button", name="Save the selected puzzles").click()
    expect(page.get_by_role("status").first).to_have_text("Saved in “My puzzles”: Corner")
    expect(page.get_by_label("Boards as text")).to_have_value(BOARDS)
    page.get_by_role("link", name="Puzzles", exact=True).first.click()
    expect(page.get_by_role("link", name="Corner")).to_be_visible()
