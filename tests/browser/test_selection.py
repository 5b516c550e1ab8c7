"""The puzzles selected in the library stay selected, whatever is shown, and no others are."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

LIBRARY = """
from django.test import Client
from puzzleclass.accounts.models import User
from puzzleclass.puzzles.models import Puzzle
name = f"okada{User.objects.count()}"
owner = User.objects.create_user(role="teacher", username=name, name="Okada", password="p")
for number in range(30):
    for kind, position in (("goishi", "oo/oo"), ("tonari", "Bb/bb")):
        Puzzle.objects.create(
            owner=owner, kind_slug=kind, position=position, title=f"{kind} {number}"
        )
client = Client()
client.force_login(owner)
print(client.cookies["sessionid"].value)
"""


@pytest.fixture(scope="module")
def teacher(site) -> str:
    """Provide a session of a teacher who has thirty puzzles of each of two kinds."""
    return site.manage(LIBRARY).strip()


def show(page: Page, kind: str) -> None:
    page.locator(".search-form label").filter(has_text=kind).click()
    expect(page.locator(".puzzle-card h2").first).to_contain_text(kind.split()[0].lower())


def ticked(page: Page) -> list[str]:
    boxes = page.locator("[name=puzzle]:checked")
    return boxes.evaluate_all("boxes => boxes.map((box) => box.dataset.title)")


def test_a_selection_survives_filters_pages_and_searches_until_its_deletion_which_is_undone(
    visit, teacher
):
    page = visit("/puzzles/?kind=goishi", session=teacher)
    for title in ("goishi 29", "goishi 28"):
        page.get_by_label(f"Choose {title}", exact=True).check()
    number = page.locator("[data-chosen-count]")
    expect(page.locator("#chosen-elsewhere")).to_be_hidden()
    expect(number).to_have_text("2")

    show(page, "Tonari Othello")
    expect(number).to_have_text("2")
    assert page.locator(".card-tick:checked").count() == 0
    page.get_by_label("Choose tonari 29", exact=True).check()
    page.get_by_role("link", name="Next page").click()
    expect(page.get_by_text("Page 2 of 2")).to_be_visible()
    expect(number).to_have_text("3")
    assert sorted(ticked(page)) == ["goishi 28", "goishi 29", "tonari 29"]
    page.get_by_role("searchbox").fill("no such puzzle")
    expect(page.get_by_text("No puzzles match.")).to_be_visible()
    expect(number).to_have_text("3")
    page.get_by_role("button", name="Not on this page").click()
    page.get_by_label("tonari 29", exact=True).uncheck()
    expect(number).to_have_text("2")
    page.keyboard.press("Escape")

    page.locator(".bulk").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Deleted: 2")).to_be_visible()
    page.goto("/puzzles/?kind=goishi")
    expect(page.get_by_text("Puzzles: 28")).to_be_visible()
    expect(page.get_by_text("goishi 29", exact=True)).to_have_count(0)
    assert ticked(page) == []
    page.goto("/bin/")
    page.get_by_role("button", name="Restore “goishi 29”").click()
    expect(page.get_by_text("Restored: 1")).to_be_visible()
    page.goto("/puzzles/?kind=goishi")
    expect(page.get_by_text("Puzzles: 29")).to_be_visible()
    card = page.locator(".puzzle-card").filter(has_text="goishi 29")
    card.get_by_role("button", name="Delete").click()
    expect(card).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(card).to_have_count(1)


def test_all_that_one_search_found_is_not_chosen_after_another(visit, teacher):
    page = visit("/puzzles/?kind=tonari", session=teacher)
    page.get_by_label("Choose tonari 29", exact=True).check()
    page.get_by_label("All 30 found").check()
    number = page.locator("[data-chosen-count]")
    expect(number).to_have_text("30")
    page.locator(".search-form label").filter(has_text="All kinds").click()
    expect(number).to_have_text("1")
    expect(page.locator("[name=all]")).not_to_be_checked()


def test_a_selection_ends_where_a_worksheet_takes_it(visit, teacher):
    page = visit("/puzzles/?kind=tonari", session=teacher)
    page.get_by_label("Choose tonari 29", exact=True).check()
    page.get_by_role("button", name="Worksheet").click()
    expect(page.locator(".sheet .boards > li")).to_have_count(1)
    page.goto("/puzzles/?kind=tonari")
    expect(page.get_by_label("Choose tonari 29", exact=True)).not_to_be_checked()


def test_a_worksheet_with_answers_takes_six_presses(visit, teacher):
    page = visit("/", session=teacher)
    page.evaluate("sessionStorage.clear()")
    page.locator(".masthead").get_by_role("link", name="Puzzles").click()
    ticks = page.locator(".card-tick")
    ticks.nth(0).click()
    ticks.nth(3).click(modifiers=["Shift"])
    page.get_by_role("button", name="Worksheet").click()
    page.get_by_label("Puzzles, then answers").check()
    expect(page.locator(".sheet")).to_have_count(2)
    expect(page.locator(".sheet").first.locator(".boards > li")).to_have_count(4)
    page.evaluate("window.print = () => (document.title = 'printed')")
    page.get_by_role("button", name="Print or save as PDF").click()
    expect(page).to_have_title("printed")
