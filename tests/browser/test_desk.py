"""The jobs of a busy teacher, and how many presses each of them takes from the home page."""

import re
from secrets import token_hex

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

COUNTED = """
addEventListener("pointerdown", () => {
  sessionStorage.presses = Number(sessionStorage.presses || 0) + 1;
}, true);
print = () => document.body.setAttribute("data-printed", "");
"""
"""A script that counts presses, including those in menus, and suppresses the print dialog."""

LIBRARY = """
from puzzleclass.accounts.models import User
from puzzleclass.puzzles.models import Puzzle
owner = User.objects.get(username=username)
def made(number, kind, position):
    title = f"Set {number}" if number < 6 else f"Board {number}"
    puzzle = Puzzle(owner=owner, kind_slug=kind, position=position, title=title)
    puzzle.fill_columns()
    puzzle.level = number // 4 % 4 + 1
    return puzzle
kinds = [("goishi", "oo/oo"), ("tonari", "Bb/bb"), ("maxstrings", "../.."), ("kikazu", "3/3/3 2K")]
Puzzle.objects.bulk_create(made(n, *kinds[n % 4]) for n in range(216 - owner.puzzles.count()))
"""
"""Fill the library of the teacher with the `username` up to 216 puzzles."""


def start(page: Page) -> None:
    page.goto("/")
    page.evaluate("sessionStorage.presses = 0")


def presses(page: Page) -> int:
    return int(page.evaluate("sessionStorage.presses"))


def typed(page: Page, *texts: str) -> None:
    """Type into the field that the page has focused, and then into the fields after it."""
    expect(page.locator("input:focus, textarea:focus")).to_have_count(1)
    for number, text in enumerate(texts):
        if number:
            page.keyboard.press("Tab")
        page.keyboard.insert_text(text)


def test_a_busy_teachers_jobs(visit, site):
    page = visit("/")
    page.add_init_script(COUNTED)
    username = f"ogawa-{token_hex(4)}"

    # She creates an account and a class of 40 from a list on paper.
    start(page)
    page.get_by_role("link", name="Start with a new account").click()
    typed(page, username, "stones on a board")
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Create a class")
    typed(page, "\n".join(f"Student {chr(65 + n // 26)}{chr(97 + n % 26)}" for n in range(40)))
    page.get_by_label("or another name").fill("4-2")
    expect(page.locator("#preview tbody tr")).to_have_count(40)
    page.get_by_role("button", name="Create a class").click()
    expect(page.locator(".slip")).to_have_count(40)
    page.get_by_role("button", name="Print").click()
    expect(page.locator("body[data-printed]")).to_be_visible()
    assert presses(page) == 4

    # She generates ten boards with one solution each and assigns them to the class.
    start(page)
    page.get_by_role("link", name="Create a puzzle").click()
    page.get_by_role("link", name="Generate", exact=True).click()
    page.get_by_role("button", name="Generate").last.click()
    expect(page.locator("#board-10")).to_be_visible(timeout=90_000)
    expect(page.locator(".job-card")).to_have_attribute("data-state", "done", timeout=60_000)
    page.get_by_role("button", name="4-2").click()
    expect(page.locator(".basket-entry")).to_have_count(10)
    page.get_by_label("Title", exact=True).fill("Ten")
    page.get_by_role("button", name="Assign").last.click()
    expect(page.locator("#ledger thead a")).to_have_count(10)
    assert presses(page) <= 6
    assignment_url = page.url

    # The library shows what is known of the boards, in order.
    page.goto("/puzzles/")
    titles = page.locator(".puzzle-card h2").all_text_contents()
    assert [title.strip() for title in titles] == [f"Goishi Hiroi {n}" for n in range(1, 11)]
    expect(page.get_by_text("Solutions: 1", exact=True)).to_have_count(10)
    # She assigns the same puzzles once more.
    start(page)
    page.get_by_text("Assign to another class").first.click()
    page.locator(".menu[open]").get_by_role("button", name="4-2").click()
    expect(page.locator(".basket-entry")).to_have_count(10)
    assert presses(page) == 2

    # She uses the assignment as a template, too.
    page.goto(assignment_url)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Save as a template").click()
    expect(page.get_by_text("Saved as a template")).to_be_visible()
    start(page)
    page.get_by_text("Assign", exact=True).first.click()
    page.locator(".menu[open]").get_by_role("button", name="4-2").click()
    expect(page.locator(".basket-entry")).to_have_count(10)
    assert presses(page) == 2

    # She puts puzzles into the basket by keyboard and by dragging, and takes one out.
    first, second = page.locator(".option-title").all_text_contents()[:2]
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator(".basket-entry").nth(1).get_by_role("button", name="earlier").press("Enter")
    expect(page.locator(".option-title").first).to_have_text(second)
    page.locator("[data-handle]").nth(0).drag_to(page.locator("[data-handle]").nth(1))
    expect(page.locator(".option-title").first).to_have_text(first)
    page.locator(".basket-entry").first.get_by_role("button", name="Remove").click()
    expect(page.locator(".basket-entry")).to_have_count(9)
    page.get_by_role("searchbox").fill("Hiroi 10")
    expect(page.locator("#found .tile")).to_have_count(1)
    page.locator("[data-tile]").click()
    expect(page.locator("#in-library-10, .basket-entry")).not_to_have_count(9)
    page.get_by_role("button", name="Assign").last.click()
    expect(page.locator("#ledger")).to_be_visible()

    # She draws a board and has its solutions counted.
    start(page)
    page.get_by_role("link", name="Create a puzzle").click()
    stones = ("1,1", "1,2", "1,3")
    for move in stones:
        page.locator(f'#editor .spot[data-move="{move}"]').click()
    expect(page.locator(".lookahead-number")).to_contain_text("Solutions:", timeout=60_000)
    page.get_by_label("Title").fill("Row")
    page.locator("#editor").get_by_role("button", name="Save").last.click()
    expect(page.locator("#count .number")).to_be_visible()
    assert presses(page) <= 4 + len(stones)

    # She finds one of 216 puzzles by its kind and difficulty.
    site.manage(f"username = {username!r}\n{LIBRARY}")
    start(page)
    page.get_by_role("link", name="Puzzles", exact=True).first.click()
    expect(page.get_by_text("Puzzles: 216")).to_be_visible()
    page.locator(".search-form label").filter(has_text="Tonari Othello").click()
    page.locator('.search-form label[title="very hard"]').click()
    expect(page).to_have_url(re.compile("kind=tonari.*level=4"))
    expect(page.get_by_text("Puzzles: 12")).to_be_visible()
    assert presses(page) == 3

    # She prints six puzzles, found by a word that is typed, or adjacent to each other in the list.
    start(page)
    page.get_by_role("link", name="Puzzles", exact=True).first.click()
    page.wait_for_url("**/puzzles/")
    page.keyboard.type("set")
    expect(page.locator(".puzzle-card")).to_have_count(6)
    page.get_by_role("button", name="Select all shown").click()
    page.get_by_role("button", name="Worksheet").click()
    expect(page.locator(".sheet .boards > li")).to_have_count(6)
    page.get_by_role("button", name="Print or save as PDF").click()
    expect(page.locator("body[data-printed]")).to_be_visible()
    assert presses(page) == 4
    page.goto("/puzzles/")
    page.locator(".puzzle-card .thumb").nth(1).click()
    page.locator(".puzzle-card .thumb").nth(6).click(modifiers=["Shift"])
    expect(page.locator("[data-chosen-count]")).to_have_text("6")
