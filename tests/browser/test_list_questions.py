"""A list that was not understood is asked about, with the lines in question in view."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE

pytestmark = pytest.mark.browser

TEACHER = """
from django.test import Client
from puzzleclass.accounts.models import User
owner = User.objects.create_teacher(f"mori{User.objects.count()}", "Mori", "stones")
client = Client()
client.force_login(owner)
print(client.cookies["sessionid"].value)
"""
TWO_CLASSES = """提出は金曜まで！
番号,氏名
1,阿部 陽斗
2,伊藤 結衣
3,
番号,氏名
1,上田 凛
2,小野 海"""
DATES = "クラス,番号,氏名\n4月1日,1,阿部 陽斗\n4月1日,2,伊藤 結衣\n4月2日,1,上田 凛"
PLAIN = "番号,氏名\n1,阿部 陽斗\n2,伊藤 結衣"


@pytest.fixture(scope="module")
def session(site) -> str:
    """Provide a teacher's session."""
    return site.manage(TEACHER)


def paste(page: Page, text: str) -> None:
    page.get_by_label("List of students", exact=True).fill(text)


def test_a_teacher_answers_and_the_list_is_saved_as_it_was_meant(session, visit):
    page = visit("/classes/new/", session=session)
    page.locator("[name=name]").fill("4-1")
    paste(page, TWO_CLASSES)
    lists = page.get_by_role("group", name="There are 2 lists. Which are meant?")
    lists.get_by_role("radio", name="Only this one: list 1").check()
    # Another question comes up, about the list that was chosen.
    empty = page.get_by_role("group", name="Line 5 has a number but no name.")
    expect(empty.get_by_role("rowheader", name="5", exact=True)).to_be_visible()
    expect(page.get_by_text("1 question about this list is open.")).to_be_visible()
    page.get_by_role("button", name="Create a class").click()
    # Nothing was saved, and nothing that was typed or answered is lost.
    expect(lists.get_by_role("radio", name="Only this one: list 1")).to_be_checked()
    empty.get_by_role("radio", name="No, an empty line").check()
    expect(page.get_by_text("question about this list is open")).to_have_count(0)
    page.get_by_role("button", name="Create a class").click()
    expect(page.locator(".slip")).to_have_count(2)


def test_a_plain_list_is_saved_without_another_press(session, visit):
    page = visit("/classes/new/", session=session)
    page.locator("[name=name]").fill("4-2")
    paste(page, PLAIN)
    expect(page.get_by_text("Students: 2")).to_be_visible()
    expect(page.locator("#preview").get_by_role("radio")).to_have_count(0)
    page.get_by_role("button", name="Create a class").click()
    expect(page.locator(".slip")).to_have_count(2)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "telephone"])
def test_the_questions_fit_the_window(session, visit, language, size):
    page = visit("/classes/new/", size, language, session)
    page.locator("textarea").fill(DATES)
    radio = page.locator("#preview").get_by_role("radio")
    expect(radio).to_have_count(3)
    radio.first.check()
    expect(radio.first).to_be_checked()
    expect(page.locator("#preview")).to_contain_text("4-1, 4-2")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
