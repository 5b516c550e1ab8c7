"""The class list is searched and selected from in the browser; its cards are printed."""

import pypdfium2
import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

CLASS = """
from django.test import Client
from puzzleclass.accounts.models import User
from puzzleclass.classes.roster import Entry
from puzzleclass.classes.services import create_classroom
owner = User.objects.create_teacher(f"ueda{User.objects.count()}", "Ueda", "stones")
names = [("伊藤 結衣", "いとう ゆい"), ("加藤 蓮", "カトウ レン"), ("Abe Haruto", "")]
students = [Entry(n, n, name, reading) for n, (name, reading) in enumerate(names, 1)]
classroom, pins = create_classroom(owner, "4-2", students)
client = Client()
client.force_login(owner)
print(classroom.pk, client.cookies["sessionid"].value)
"""


@pytest.fixture(scope="module")
def made(site) -> str:
    """Provide the key of a class of three students, and a session of its teacher."""
    return site.manage(CLASS)


@pytest.fixture
def page(made, visit) -> Page:
    """Provide the page of the class."""
    key, session = made.split()
    return visit(f"/classes/{key}/students/", session=session)


def shown(page: Page) -> list[str]:
    rows = page.locator("[data-student]:visible .person")
    return [text.strip() for text in rows.all_inner_texts()]


def test_students_are_found_by_name_reading_and_number(page):
    search = page.get_by_role("searchbox")
    for word, found in (
        ("いとう", ["伊藤 結衣"]),
        ("かとうれん", ["加藤 蓮"]),
        ("ABE", ["Abe Haruto"]),
        ("2", ["加藤 蓮"]),
        ("", ["伊藤 結衣", "加藤 蓮", "Abe Haruto"]),
    ):
        search.fill(word)
        assert shown(page) == found
    search.fill("x")
    expect(page.get_by_text("No student matches.")).to_be_visible()


def test_a_selection_outlasts_a_search_and_is_taken_to_the_cards(page):
    page.get_by_label("1 伊藤 結衣", exact=True).check()
    page.get_by_role("searchbox").fill("かとう")
    assert shown(page) == ["伊藤 結衣", "加藤 蓮"]
    page.get_by_label("Select all", exact=True).check()
    expect(page.locator("[data-roster-count]")).to_have_text("2")
    page.get_by_role("button", name="Cards", exact=True).click()
    expect(page.locator(".slip")).to_have_count(2)


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("a_sheet", [8, 10])
def test_cards_have_the_code_and_the_address_on_one_line_each(page, paper, a_sheet):
    page.goto(f"{page.url}../pins/?sheet={a_sheet}")
    code = page.locator(".slip-line").first.inner_text()
    address = page.locator(".slip-address").first.inner_text()
    [sheet] = pypdfium2.PdfDocument(page.pdf(format=paper))
    lines = [line.strip() for line in sheet.get_textpage().get_text_range().splitlines()]
    assert [lines.count(code), lines.count(address)] == [3, 3], lines
