"""Worksheets as PDF on both paper sizes, for all kinds."""

import pypdfium2
import pytest

from solvers.registry import examples, kinds
from tests.integration.lessons import give_lesson

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lesson(site):
    boards = [(kind.slug, examples(kind)[0].position) for kind in kinds().values()]
    return give_lesson(site, boards)


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize(("a_page", "pages"), [(1, 4), (2, 2), (4, 1), (6, 1)])
def test_each_sheet_is_one_page(visit, lesson, paper, a_page, pages):
    page = visit(f"{lesson.table}worksheet/", session=lesson.teacher, language="ja")
    page.goto(f"{page.url}?part=puzzles&a_page={a_page}&rules=on&codes=on&title=石のプリント")
    printed = pypdfium2.PdfDocument(page.pdf(format=paper))
    assert len(printed) == pages
    columns = 1 if a_page < 4 else 2
    sheet, place = (page.locator(path).first.bounding_box() for path in (".sheet", ".boards > li"))
    assert place["width"] > 0.8 * sheet["width"] / columns
    texts = [sheet.get_textpage().get_text_range() for sheet in printed]
    assert all("石のプリント" in text and "名前" in text for text in texts)
    assert all(f"{number} / {pages}" in text for number, text in enumerate(texts, 1))


def test_options_change_the_sheets_at_once(visit, lesson):
    page = visit(f"{lesson.table}worksheet/", session=lesson.teacher)
    page.get_by_role("group", name="Boards on a page").get_by_label("1").check()
    page.locator(".sheet").nth(3).wait_for()
    page.get_by_label("Puzzles, then answers").check()
    page.locator(".sheet .answers").first.wait_for()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_other_pages_are_whole_without_buttons_and_without_the_solution(visit, lesson, paper):
    goishi = f"/puzzles/{lesson.keys['puzzle']}/"
    page = visit(goishi, session=lesson.teacher)
    page.locator("[data-player]").wait_for()
    for address, says in (
        (goishi, "Write 1, 2, 3"),
        (lesson.table, "Student"),
        (f"{lesson.table}grades/", "Hints"),
    ):
        page.goto(address)
        printed = pypdfium2.PdfDocument(page.pdf(format=paper, prefer_css_page_size=True))
        sheets = [(sheet.get_width(), sheet.get_textpage()) for sheet in printed]
        texts = "".join(text.get_text_range() for _, text in sheets)
        assert says in texts
        for pressed in ("Delete", "Move by move", "Move 0", "Excel file", "Live wall"):
            assert pressed not in texts, address
        rights = [
            (width, text.get_charbox(n)[2])
            for width, text in sheets
            for n in range(text.count_chars())
        ]
        assert all(right < width for width, right in rights)


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("shows", ["all", "none"])
def test_the_largest_tree_of_cases_is_one_page(visit, site, paper, shows):
    # 54 cases, up to seven moves each: nearly as many as a tree can have.
    lesson = give_lesson(site, [("maxstrings", ".../.../...")])
    page = visit(
        f"/assigned/{lesson.keys['assigned']}/found/?view=tree&missing=1&shows={shows}",
        session=lesson.teacher,
    )
    printed = pypdfium2.PdfDocument(page.pdf(format=paper, prefer_css_page_size=True))
    assert len(printed) == 1
    text = printed[0].get_textpage().get_text_range()
    assert printed[0].get_height() > printed[0].get_width()
    assert ("Name" in text) == (shows == "none")
    assert "dead end" in text and "Print" not in text
