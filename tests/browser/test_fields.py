"""Fields speak the language of the page, also in a browser with another one."""

import pytest
from playwright.sync_api import expect

from tests.integration.lessons import give_lesson

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lesson(site):
    return give_lesson(site, [("goishi", "oo./.oo")])


@pytest.fixture
def page(visit, lesson):
    """Provide a Japanese page in an English browser."""
    page = visit("/classes/", session=lesson.teacher, language="en")
    page.context.add_cookies([{"name": "django_language", "value": "ja", "url": page.url}])
    return page


def test_a_file_is_chosen_by_a_button_with_words_of_ours(page, lesson, tmp_path):
    page.goto(f"/classes/{lesson.keys['class']}/students/new/")
    expect(page.get_by_text("まだ選んでいません")).to_be_visible()
    students = tmp_path / "名簿.csv"
    students.write_text("21,佐藤 蓮\n")
    with page.expect_file_chooser() as opened:
        page.get_by_role("button", name="ファイルを選ぶ").click()
    opened.value.set_files(students)
    expect(page.locator("#preview")).to_contain_text("佐藤 蓮")


def test_a_date_stands_in_words_and_an_empty_field_says_what_it_needs(page, lesson):
    page.goto(f"/classes/{lesson.keys['class']}/assignments/new/")
    page.locator("[name=due_at]").first.fill("2027-01-15T09:30")
    expect(page.get_by_text("2027年1月15日金曜日 9:30")).to_be_attached()
    page.goto(f"/classes/{lesson.keys['class']}/edit/")
    name = page.locator("[name=name]")
    name.fill("")
    assert name.evaluate("field => field.reportValidity()") is False
    assert name.evaluate("field => field.validationMessage") == "入力してください。"
    name.fill("5-2")
    assert name.evaluate("field => field.reportValidity()") is True
