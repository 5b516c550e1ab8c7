"""A busy teacher's jobs, and how many presses each takes from the home page."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

COUNTED = """
addEventListener("pointerdown", () => {
  sessionStorage.presses = Number(sessionStorage.presses || 0) + 1;
}, true);
"""


@pytest.fixture
def teacher(visit, sign_up):
    """A teacher with a class, whose presses are counted."""
    page = visit("/")
    page.add_init_script(COUNTED)
    sign_up(page, "ogawa")
    page.goto("/classes/new/")
    page.get_by_label("Name of the class").fill("4-2")
    page.get_by_label("List of students").fill("Abe Haruto")
    expect(page.locator("#preview tbody tr")).to_have_count(1)
    page.get_by_role("button", name="Make the class").click()
    expect(page).not_to_have_url(re.compile("classes/new"))
    return page


def start(page: Page) -> None:
    page.goto("/")
    page.evaluate("sessionStorage.presses = 0")


def presses(page: Page) -> int:
    return int(page.evaluate("sessionStorage.presses"))


def test_a_busy_teachers_jobs(teacher):
    page = teacher

    # Ten boards with one solution each, from nothing into the class.
    start(page)
    page.get_by_role("link", name="New puzzles").click()
    goishi = page.locator("article").filter(has_text="Goishi Hiroi")
    goishi.get_by_role("link", name="Generate").click()
    page.get_by_role("button", name="Generate").last.click()
    expect(page.locator("#board-10")).to_be_visible(timeout=90_000)
    expect(page.locator(".job-card")).to_have_attribute("data-state", "done", timeout=60_000)
    page.get_by_role("button", name="4-2").click()
    expect(page.locator(".basket-entry")).to_have_count(10)
    page.get_by_label("Title", exact=True).fill("Ten")
    page.get_by_role("button", name="Give to the class").last.click()
    expect(page.locator("#class-table thead a")).to_have_count(10)
    assert presses(page) <= 6

    # The library says what is known of them, in order; one is found by kind and difficulty.
    page.goto("/puzzles/")
    titles = page.locator(".puzzle-card h2").all_text_contents()
    assert [title.strip() for title in titles] == [f"Goishi Hiroi {n}" for n in range(1, 11)]
    expect(page.get_by_text("Solutions: 1", exact=True)).to_have_count(10)
    band = page.locator(".puzzle-card .badge:has(.band)").first.text_content().strip()
    start(page)
    page.get_by_role("link", name="Puzzles", exact=True).first.click()
    page.locator(".search-form label").filter(has_text="Goishi Hiroi").click()
    page.locator(".search-form label").filter(has_text=re.compile(rf"^\s*{band}\s*$")).click()
    expect(page).to_have_url(re.compile("kind=goishi.*level=[1-4]"))
    expect(page.locator(".puzzle-card").first).to_contain_text(band)
    assert presses(page) <= 3

    # What was given is given once more.
    start(page)
    page.get_by_text("Copy to a class").first.click()
    page.locator(".menu[open]").get_by_role("button", name="4-2").click()
    expect(page.locator(".basket-entry")).to_have_count(10)
    assert presses(page) == 2

    # The basket: by the keyboard, by dragging, and out of it.
    first, second = page.locator(".option-title").all_text_contents()[:2]
    page.locator(".basket-entry").nth(1).get_by_role("button", name="earlier").press("Enter")
    expect(page.locator(".option-title").first).to_have_text(second)
    page.locator("[data-handle]").nth(0).drag_to(page.locator("[data-handle]").nth(1))
    expect(page.locator(".option-title").first).to_have_text(first)
    page.locator(".basket-entry").first.get_by_role("button", name="Take").click()
    expect(page.locator(".basket-entry")).to_have_count(9)
    page.get_by_role("searchbox").fill("Hiroi 10")
    expect(page.locator("#found .card")).to_have_count(1)
    page.get_by_role("button", name="Add Goishi Hiroi 10").click()
    expect(page.locator("#in-library-10, .basket-entry")).not_to_have_count(9)
    page.get_by_role("button", name="Save").last.click()
    expect(page.locator("#class-table")).to_be_visible()

    # A board drawn and counted.
    start(page)
    page.get_by_role("link", name="New puzzles").click()
    goishi.get_by_role("link", name="Draw it").click()
    stones = ("1,1", "1,2", "1,3")
    for move in stones:
        page.locator(f'#editor .spot[data-move="{move}"]').click()
    expect(page.locator(".lookahead-number")).to_contain_text("Solutions:", timeout=60_000)
    page.get_by_label("Title").fill("Row")
    page.locator("#editor").get_by_role("button", name="Save").last.click()
    expect(page.locator("#count .number")).to_be_visible()
    assert presses(page) <= 4 + len(stones)
