"""A teacher makes the kind “Jumping stars” in Japanese on a tablet, and a class solves it in a led
lesson. The presses are counted."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pressing import press

pytestmark = pytest.mark.browser

TABLET = {"width": 820, "height": 1180}
STUDENTS = 8
SOLVER = 120_000
"""Milliseconds within which a solver answers on a machine that does much else."""
MAX_PRESSES = {"make the kind": 12, "assign a board": 3, "lead the lesson": 7, "print": 2}

CLASS = """
import json
from secrets import token_hex
from django.test import Client
from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom

def session_of(user):
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value

teacher = User.objects.create_teacher(f"ono-{{token_hex(4)}}", "小野 恵美", "stones")
classroom = Classroom.objects.create(name="5-1", grade=5)
classroom.teachers.add(teacher)
students = []
for number in range(1, {students} + 1):
    student = User.objects.create_student(f"生徒 {{number}}", "1234")
    classroom.enrolments.create(student=student, number=number)
    students.append(session_of(student))
print(json.dumps([session_of(teacher), students]))
"""
BOARDS = """
import json
from puzzleclass.assignments.models import AssignedPuzzle
from solvers.question import finish
puzzle = AssignedPuzzle.objects.filter(assignment={assignment}).get()
answer = finish(puzzle.kind.questions["count"].ask(puzzle.kind, puzzle.start))
rules = [[rule.where, rule.relation, rule.number] for rule in puzzle.kind.table.rules]
print(json.dumps([puzzle.pk, int(answer.value), answer.moves, rules, puzzle.kind.title]))
"""


class Finger:
    """Taps, and counts the taps for each thing that is done."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = dict.fromkeys(MAX_PRESSES, 0)
        self.doing = ""

    def tap(self, what: Locator) -> None:
        what.tap()
        self.taps[self.doing] += 1

    def button(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        place = within or self.page.locator("main")
        self.tap(place.get_by_role("button", name=name).and_(self.page.locator(":visible")).first)

    def link(self, name: str | re.Pattern[str]) -> None:
        links = self.page.get_by_role("link", name=name).and_(self.page.locator(":visible"))
        self.tap(links.first)


@pytest.fixture
def school(site) -> tuple[str, list[str]]:
    """Return the sessions of a teacher and of the students of her class."""
    teacher, students = json.loads(site.manage(CLASS.format(students=STUDENTS)))
    return teacher, students


def make_jumping_stars(finger: Finger) -> None:
    """Make the kind, save it, and put a board with one solution into the library."""
    page, number = finger.page, finger.page.locator(".workshop-number")
    finger.doing = "make the kind"
    finger.link("自作のパズル")
    finger.button(re.compile("スターバトル"))
    rule = page.locator(".workshop-rule").nth(2)
    finger.tap(rule.locator(".word", has_text="となりあいません"))
    shown = page.locator(".workshop-list:popover-open")
    finger.tap(shown.get_by_role("button", name="星どうしは、けいまとびの位置に入りません。"))
    expect(rule).to_contain_text("けいまとび")
    expect(shown).to_have_count(0)
    page.get_by_label("パズルの名前").fill("とび星")
    finger.tap(page.get_by_text("3 答え"))
    expect(number).to_be_visible(timeout=SOLVER)
    # The board was made for other rules. If it has several solutions now, one press leaves one.
    while number.inner_text() != "1":
        one = page.get_by_role("button", name="答えを1つにする")
        if number.inner_text() == "0":
            finger.tap(page.get_by_text("2 盤"))
            finger.button("盤を作り直す")
            finger.tap(page.get_by_text("3 答え"))
        else:
            revision = page.locator("#workshop [name=revision]").input_value()
            finger.tap(one)
            changed = page.locator(f"#workshop [name=revision]:not([value='{revision}'])")
            expect(changed).to_have_count(1, timeout=SOLVER)
        expect(number).to_be_visible(timeout=SOLVER)
    finger.button("パズルとして保存")
    expect(page.locator("main")).to_contain_text("このパズルが使えます")
    finger.button("この盤を問題にする")
    page.wait_for_url("**/puzzles/*/")


def assign(finger: Finger) -> int:
    """Assign the board to the class; return the key of the assignment."""
    finger.doing = "assign a board"
    finger.link("5-1")
    finger.button("課題に出す")
    finger.page.wait_for_url(re.compile(r"/assignments/\d+/"))
    return int(re.search(r"/assignments/(\d+)/", finger.page.url)[1])


def test_jumping_stars_from_an_idea_to_a_lesson(visit, site, school):
    teacher, students = school
    tablet = visit("/puzzles/", TABLET, language="ja", session=teacher, telephone=True)
    finger = Finger(tablet)
    make_jumping_stars(finger)
    assignment = assign(finger)
    pk, solutions, moves, rules, title = json.loads(
        site.manage(BOARDS.format(assignment=assignment))
    )
    assert (solutions, title) == (1, "とび星")
    assert rules == [["line", "exactly", 1], ["room", "exactly", 1], ["knight", "most", 0]]
    board = f"/play/{pk}/"

    # The lesson begins, and students come to the board.
    finger.doing = "lead the lesson"
    finger.link("授業を進める")
    tablet.wait_for_url("**/lesson/")
    pages = [visit("/", language="ja", session=key) for key in students]
    finger.button("授業を始める")
    expect(tablet.locator("[popovertarget=menu-end]")).to_be_visible()
    for page in pages:
        page.goto(board)
        expect(page.locator("#board")).to_be_visible()

    # One student takes a hint.
    hint = pages[0].locator("#hint")
    hint.get_by_role("button", name="次の一手").click()
    expect(hint).to_contain_text("次のよい手", timeout=SOLVER)

    # The teacher asks which star is next; all answer.
    finger.tap(tablet.locator("#controls [popovertarget=menu-ask]"))
    finger.button("次の手はどれ？", tablet.locator("#menu-ask"))
    for page in pages:
        page.wait_for_url("**/questions/*/")
        page.locator("[data-presses=answer] .spot").first.click()
        expect(page.get_by_text("あなたの答え")).to_be_visible()
    expect(tablet.locator("#side")).to_contain_text(str(STUDENTS))
    finger.button("しめきる", tablet.locator("#side-form"))
    finger.button("答えを見せる", tablet.locator("#side-form"))
    finger.button("終わる", tablet.locator("#side-form"))
    expect(tablet.locator("#side")).not_to_contain_text("次の手はどれ？")

    for page in pages:
        page.goto(board)
        for move in moves:
            press(page, move)
        expect(page.locator("main")).to_contain_text("解けました")
    solved = "SELECT count(*) FROM play_attempt WHERE puzzle_id = ? AND has_solved"
    assert site.rows(solved, pk) == [(STUDENTS,)]

    # The worksheet.
    finger.doing = "print"
    tablet.goto(f"/assignments/{assignment}/")
    finger.button("メニュー")
    finger.link("プリント")
    expect(tablet.locator(".sheet .picture").first).to_be_visible()
    assert tablet.locator(".sheet").first.inner_text().count("とび星")

    over = {name: taps for name, taps in finger.taps.items() if taps > MAX_PRESSES[name]}
    assert not over, finger.taps
    print(finger.taps)
