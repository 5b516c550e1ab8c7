"""Further questions about a puzzle: one that is stopped, and one answered while the page waits."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE

pytestmark = pytest.mark.browser


def test_a_curious_teacher(visit, sign_up):
    page = visit("/")
    sign_up(page, "hara")
    page.goto("/puzzles/new/tonari/")
    page.get_by_label("Paste a board as text").fill("Bbbb/bbbb/bbbb/bbbb")
    page.get_by_label("Title").fill("Four by four")
    page.locator("#editor").get_by_role("button", name="Save").last.click()

    # The study's complete search of this board takes hours.
    page.get_by_role("heading", name="Tools").click()
    page.get_by_role("link", name="How long does the study's own search take?").click()
    page.get_by_label("How many of its prunings").fill("6")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".errorlist")).to_have_text("“6” is not a whole number from 0 to 5.")
    page.get_by_label("How many of its prunings").fill("0")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".job-card")).to_have_attribute("data-state", "running")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".job-card")).to_have_attribute("data-state", "stopped")
    expect(page.get_by_role("button", name="Calculate again")).to_be_visible()

    # The answer replaces the card by itself, and its line of moves can be played.
    page.set_viewport_size(PHONE)
    page.get_by_role("link", name="Four by four").first.click()
    page.get_by_role("heading", name="Tools").click()
    page.get_by_role("link", name="How many orders, whatever they end in?").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#findings .number")).not_to_be_empty()
    page.locator('[data-turn="last"]').click()
    expect(page.locator("[data-player]")).to_contain_text("Move 15 of 15")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # The address leads back to the answer, and the puzzle's page has the number.
    number = page.locator("#findings .number").inner_text()
    page.reload()
    expect(page.locator("#findings .number")).to_have_text(number)
    page.get_by_role("link", name="Four by four").first.click()
    expect(page.locator(".questions li").first).to_contain_text(number)
