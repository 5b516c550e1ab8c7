"""The pages of a teacher's day, for a class of 40: they fit on two screens of a Chromebook, and
students are printed on one sheet each."""

import json
import re
from typing import Any

import pypdfium2
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, PHONE

pytestmark = pytest.mark.browser

TWO_SCREENS = 2 * DESKTOP["height"]
SIZE = """() => {
    const { scrollHeight, scrollWidth } = document.documentElement;
    const students = document.querySelector("#ledger tbody");
    const last = students && students.getBoundingClientRect().bottom + scrollY;
    return [last ?? scrollHeight, scrollWidth];
}"""
"""The height and the width of a page; of a grade book as far as its last student."""

CLASS_OF_40 = """
import json
from datetime import timedelta
from django.test import Client
from django.utils import timezone
from puzzleclass.accounts.models import User
from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.classes.roster import Entry
from puzzleclass.classes.services import create_classroom
from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.models import Feedback
from puzzleclass.puzzles.models import Puzzle

teacher = User.objects.create_teacher(f"mori{User.objects.count()}", "Mori", "stones")
names = [Entry(n, n, f"森山 ひなた{n}", "もりやま ひなた") for n in range(1, 41)]
classroom, _pins = create_classroom(teacher, "5-3", names)
boards = [("goishi", "o./oo/../oo", "1,1 2,1 2,2 4,2 4,1")] * 8
boards += [("maxstrings", ".../.../...", "x 1,1 o 1,2"), ("kikazu", "S2/3/3 RGP", "G 2,1")]
puzzles = [
    Puzzle.objects.create(owner=teacher, kind_slug=kind, title=f"二つの道 {n}", position=position)
    for n, (kind, position, _line) in enumerate(boards, 1)
]
now = timezone.now()
table = assign_puzzles(classroom, teacher, "Ten boards", now + timedelta(days=1), puzzles)
for n in range(12):
    assign_puzzles(classroom, teacher, f"Lesson {n}", now - timedelta(days=n + 1), puzzles[:1])
for n in range(15):
    kind, position, _line = boards[-(n % 2) - 1]
    Puzzle.objects.create(owner=teacher, kind_slug=kind, title=f"板 {n}", position=position)
for n in range(3):
    teacher.saved_searches.create(name=f"やさしい問題 {n}", query="kind=goishi")
for student in classroom.students.all()[:30]:
    for puzzle, (_kind, _position, line) in zip(table.puzzles.order_by("number"), boards):
        moves = line.split(" ")
        attempt = current_attempt(student, puzzle)
        if _kind == "goishi":
            for move in moves[: 5 if student.pk % 3 else 2]:
                attempt = take_step(attempt, attempt.next_step, "move", move)
first = classroom.students.order_by("enrolments__number").first()
attempts = first.attempts.order_by("pk")[:4]
for attempt in attempts:
    said = "よく考えて、さいごまであきらめずに取り組みました。" * 12
    Feedback.objects.create(attempt=attempt, teacher=teacher, stamp="well done", comment=said[:300])
client = Client()
client.force_login(teacher)
print(json.dumps({
    "session": client.cookies["sessionid"].value,
    "pages": {
        "home": "/",
        "classes": "/classes/",
        "next year": "/classes/next-year/",
        "class": f"/classes/{classroom.pk}/",
        "assignment form": f"/classes/{classroom.pk}/assignments/new/",
        "lesson": f"/assignments/{table.pk}/lesson/",
        "feedback": f"/assigned/{table.puzzles.first().pk}/feedback/",
        "library": "/puzzles/",
        "puzzle": f"/puzzles/{puzzles[0].pk}/",
        "editor": f"/puzzles/{puzzles[0].pk}/edit/",
        "collection": "/puzzles/collection/goishi/1/",
        "generator": "/puzzles/generate/goishi/",
        "replay": f"/attempts/{attempts[0].key}/replay/",
        "map": f"/assigned/{table.puzzles.first().pk}/found/?view=map",
        "help": "/help/",
        "account": "/account/",
        "table": f"/assignments/{table.pk}/",
        "grades": f"/assignments/{table.pk}/grades/",
        "seats": f"/classes/{classroom.pk}/seats/",
        "student": f"/students/{first.pk}/",
    },
}))
"""


@pytest.fixture(scope="module")
def made(site) -> dict[str, Any]:
    """Provide the addresses of the pages of a class of 40 with an assignment of ten puzzles, and a
    session of its teacher."""
    return json.loads(site.manage(CLASS_OF_40))


@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_page_of_a_day_fits_on_two_screens(visit, made, language):
    page = visit("/help/", session=made["session"], language=language)
    sizes = {}
    for name, path in made["pages"].items():
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        sizes[name] = page.evaluate(SIZE)
    too_large = {
        name: size
        for name, size in sizes.items()
        if size[0] > TWO_SCREENS or size[1] > DESKTOP["width"]
    }
    assert too_large == {}


LEFT = """() => [".brand", ".crumbs", "h1", ".tabs"].map((part) => {
    const found = document.querySelector(part);
    return found && [part, Math.round(found.getBoundingClientRect().left)];
}).filter(Boolean)"""
TABS_OF_A_CLASS = ("", "students/", "grades/", "gallery/", "edit/")
WITHOUT_FRAME = ("lesson", "feedback", "replay")
"""Pages on which a board or a class fills the window."""


def test_titles_and_tabs_stand_at_one_place_on_every_page(visit, made):
    page = visit("/help/", session=made["session"])
    room = made["pages"]["class"]
    for path in [*made["pages"].values(), *(f"{room}{tab}" for tab in TABS_OF_A_CLASS)]:
        if path not in map(made["pages"].get, WITHOUT_FRAME):
            page.goto(path)
            assert len({left for _part, left in page.evaluate(LEFT)}) == 1, path
    places = set()
    for tab in TABS_OF_A_CLASS:
        page.goto(f"{room}{tab}")
        places.add(tuple(page.locator(".tabs").bounding_box().values())[:2])
    assert len(places) == 1


STICKY_BARS = ("generator", "assignment form", "library", "collection", "table", "next year")
COVERED = """() => {
    const field = document.activeElement;
    if (field === document.body || field.dataset.reached) return null;
    field.dataset.reached = "yes";
    const { left, right, top, bottom } = field.getBoundingClientRect();
    const covers = (bar) => {
        const edges = bar.getBoundingClientRect();
        return Math.min(right, edges.right) - Math.max(left, edges.left) > 1
            && Math.min(bottom, edges.bottom) - Math.max(top, edges.top) > 1;
    };
    const bars = [...document.querySelectorAll(".form-end, .bulk")];
    return bars.some((bar) => !bar.contains(field) && covers(bar)) ? field.outerHTML : "";
}"""
"""The field with the focus if a bar that stays in view covers it, or null at the end of a page."""
MAX_FIELDS = 150


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_no_bar_covers_a_field_that_the_tab_key_reaches(visit, made, size):
    page = visit("/help/", session=made["session"], size=size)
    covered = []
    for name in STICKY_BARS:
        page.goto(made["pages"][name])
        if (tick := page.locator("main input[type=checkbox]:visible")).count():
            tick.first.check()
        for _ in range(MAX_FIELDS):
            page.keyboard.press("Tab")
            if (field := page.evaluate(COVERED)) is None:
                break
            covered += [(name, field)] if field else []
    assert covered == []


def test_heads_and_names_stay_in_view_in_the_class_table(visit, made):
    page = visit(made["pages"]["table"], session=made["session"])
    box = page.locator(".ledger")
    box.evaluate("box => { box.scrollIntoView(); box.scrollTo(10_000, 10_000); }")
    last = page.locator("#ledger tbody tr").last
    last.locator("td").last.scroll_into_view_if_needed()
    for seen in (last.get_by_role("rowheader"), page.locator("#ledger thead th").last):
        expect(seen).to_be_in_viewport(ratio=0.9)


def test_the_arrow_keys_lead_through_the_class_table(visit, made):
    page = visit(made["pages"]["table"], session=made["session"])
    rows = page.locator("#ledger tbody tr")
    rows.nth(2).locator("td a").nth(4).focus()
    for key, row, cell in (("Down", 3, 4), ("Right", 3, 5), ("Up", 2, 5), ("Left", 2, 4)):
        page.keyboard.press(f"Arrow{key}")
        expect(rows.nth(row).locator("td a").nth(cell)).to_be_focused()
    # The table replaces itself every few seconds, and the focus stays where it is.
    with page.expect_response(re.compile(r"/assignments/\d+/")):
        pass
    expect(rows.nth(2).locator("td a").nth(4)).to_be_focused()


def test_a_phone_shows_the_symbols_of_four_puzzles(visit, made):
    page = visit(made["pages"]["table"], session=made["session"], size=PHONE)
    cells = page.locator("#ledger tbody tr").first.locator("[data-column]")
    cells.first.evaluate("cell => cell.scrollIntoView()")
    expect(cells.nth(3)).to_be_in_viewport(ratio=0.9)
    expect(cells.first.locator("b")).to_be_visible()


def test_older_assignments_are_folded_on_the_page_of_the_class(visit, made):
    page = visit(made["pages"]["class"], session=made["session"])
    expect(page.get_by_role("link", name="Ten boards")).to_be_visible()
    expect(page.get_by_role("link", name="Lesson 11")).to_be_hidden()
    page.get_by_text("Older assignments: 7").click()
    expect(page.get_by_role("link", name="Lesson 11")).to_be_visible()


def test_one_menu_holds_what_is_done_with_an_assignment(visit, made):
    page = visit(made["pages"]["table"], session=made["session"])
    page.get_by_role("button", name="Menu").press("Enter")
    for name in ("Worksheet", "Try it as a student", "Change"):
        expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Delete", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Worksheet")).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Worksheet").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Worksheet")


@pytest.mark.parametrize("language", ["ja", "en"])
def test_a_student_is_printed_on_one_sheet(visit, made, language):
    page = visit(made["pages"]["student"], session=made["session"], language=language)
    page.locator("details summary").first.click()
    [sheet] = pypdfium2.PdfDocument(page.pdf(format="A4", prefer_css_page_size=True))
    text = sheet.get_textpage().get_text_range()
    for said in (
        "森山 ひなた1",
        "二つの道",
        "よく考えて",
        {"ja": "先生から", "en": "From the teacher"}[language],
    ):
        assert said in text
    for hidden in ("Save note", "メモを保存", "Print", "Older assignments"):
        assert hidden not in text


@pytest.mark.parametrize("language", ["ja", "en"])
def test_a_class_is_printed_on_one_sheet_for_each_student(visit, made, language):
    page = visit(f"{made['pages']['class']}sheets/", session=made["session"], language=language)
    sheets = pypdfium2.PdfDocument(page.pdf(format="A4", prefer_css_page_size=True))
    assert len(sheets) == 40
    for number, sheet in enumerate(sheets, 1):
        assert f"森山 ひなた{number} " in sheet.get_textpage().get_text_range()
