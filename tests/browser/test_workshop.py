"""The first fifteen minutes of a teacher in the workshop, with the presses counted."""

from secrets import token_hex

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

MAX_PRESSES = 30


class Finger:
    """Presses buttons and counts the presses."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses = 0

    def press(self, what: str | Locator) -> None:
        button = self.page.locator(what) if isinstance(what, str) else what
        button.click()
        self.presses += 1

    def choose(self, rule: int, word: int, text: str) -> None:
        """Press a word of a rule and an entry of the list that opens."""
        self.press(self.page.locator(".workshop-rule").nth(rule - 1).locator(".word").nth(word))
        shown = self.page.locator(".workshop-list:popover-open")
        self.press(shown.get_by_role("button", name=text, exact=True).first)


def test_the_first_fifteen_minutes(visit, sign_up):
    page = visit("/")
    sign_up(page, f"author{token_hex(3)}")
    finger = Finger(page)
    live, number = page.locator("#live"), page.locator(".workshop-number")

    page.get_by_role("link", name="Puzzles", exact=True).first.click()
    finger.press(page.get_by_role("link", name="My kinds"))
    finger.press(page.get_by_role("button", name="Star Battle"))
    rules = page.locator(".workshop-rule")
    expect(rules).to_have_count(3)

    # The answer comes by itself, and a press on a square says what forbids a star there.
    expect(number).to_have_text("1", timeout=60_000)
    finger.press(page.locator('#workshop .spot[data-move="1,2"]'))
    expect(live).to_contain_text("Star: never", timeout=60_000)

    # Other words make other rules; two of them contradict each other, and one press mends it.
    finger.choose(1, 0, "Every row has exactly 1 star.")
    expect(number).to_have_text("63", timeout=60_000)
    finger.choose(1, 2, "4")
    expect(live).to_contain_text("These contradict each other", timeout=60_000)
    finger.press(live.get_by_role("button", name="Leave this out").first)
    expect(live).not_to_contain_text("These contradict each other", timeout=60_000)
    for _ in range(3):
        finger.press(page.get_by_role("button", name="Undo"))
    expect(number).to_have_text("1", timeout=60_000)
    expect(rules).to_have_count(3)

    # A neighbourhood is painted, and the board is drawn anew.
    finger.press(rules.nth(2).locator(".neighbourhood button").nth(0))
    expect(rules.nth(2)).to_contain_text("drawn area")
    finger.press(page.get_by_role("button", name="Another board"))
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()

    # Rules are added and read numbers; the board becomes a puzzle by one press.
    finger.press(page.get_by_role("button", name="+ Rule"))
    shown = page.locator(".workshop-list:popover-open")
    finger.press(shown.get_by_role("button", name="A number tells how many stars").first)
    expect(rules).to_have_count(4)
    finger.press(page.get_by_role("button", name="Save as a kind"))
    expect(page.get_by_role("status").first).to_contain_text("Your classes see this kind now")
    finger.press(page.get_by_role("button", name="This board as a puzzle"))
    page.wait_for_url("**/puzzles/*/")
    assert finger.presses <= MAX_PRESSES
