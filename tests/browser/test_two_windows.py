"""A button that waits for its answer, and two windows that change the same assignment."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser

TEACHERS = """
from django.test import Client
from puzzleclass.accounts.models import User
from puzzleclass.assignments.forms import usual_due_date
from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.classes.models import Classroom, Teaching
from puzzleclass.puzzles.models import Puzzle
number = User.objects.count()
people = [User.objects.create_teacher(f"{name}{number}", name, "p") for name in ("Endo", "Hara")]
classroom = Classroom.objects.create(name="6-3")
puzzles = [
    Puzzle.objects.create(owner=people[0], kind_slug="goishi", position=board, title=title)
    for board, title in (("oo/oo", "Four"), ("ooo", "Three"))
]
sessions = []
for person in people:
    Teaching.objects.create(classroom=classroom, teacher=person, role="owner")
    client = Client()
    client.force_login(person)
    sessions.append(client.cookies["sessionid"].value)
made = assign_puzzles(classroom, people[0], "Homework", usual_due_date(classroom), puzzles)
print(*sessions, classroom.pk, made.pk, puzzles[0].pk)
"""


@pytest.fixture
def teachers(site) -> list[str]:
    """Return the sessions of two teachers, and the keys of a class, an assignment and a puzzle."""
    return site.manage(TEACHERS).split()[-5:]


def test_a_button_waits_for_the_answer_and_a_second_press_sends_nothing(visit, teachers):
    session, _other, classroom, _made, puzzle = teachers
    page = visit(f"/classes/{classroom}/assignments/new/?puzzle={puzzle}", session=session)
    held: list[Route] = []
    page.route("**/assignments/new/**", lambda route: held.append(route))
    button = page.get_by_role("button", name="Assign").last
    press = "button => { button.click(); button.click(); return button.ariaBusy; }"
    assert button.evaluate(press) == "true"
    while not held:
        page.wait_for_timeout(50)
    [route] = held
    assert "once=" in (route.request.post_data or "")
    route.continue_()
    page.wait_for_url(re.compile(r"/assignments/\d+/$"))
    page.goto(f"/classes/{classroom}/")
    expect(page.get_by_role("link", name="Four")).to_have_count(1)


def edit(page: Page, field: str, value: str) -> None:
    page.get_by_label(field, exact=True).fill(value)
    page.get_by_role("button", name="Save").last.click()


def test_two_teachers_change_one_assignment_and_nothing_is_lost(visit, teachers):
    session, other, _classroom, made, _puzzle = teachers
    address = f"/assignments/{made}/edit/"
    mine, theirs = visit(address, session=session), visit(address, session=other)
    theirs.get_by_label("Hints").fill("9")
    edit(theirs, "Title", "Theirs")
    theirs.wait_for_url(f"**/assignments/{made}/")
    edit(mine, "Title", "Mine")
    expect(mine.get_by_role("alert")).to_contain_text("Hara saved it, too")
    expect(mine.get_by_label("Title", exact=True)).to_have_value("Mine")
    expect(mine.get_by_label("Hints")).to_have_value("9")
    mine.get_by_label("What is stored now Theirs").check()
    mine.get_by_role("button", name="Save").last.click()
    mine.wait_for_url(f"**/assignments/{made}/")
    expect(mine.get_by_role("heading", level=1)).to_have_text("Theirs")


def test_what_was_kept_in_the_browser_brings_no_old_value_back(visit, teachers):
    session, other, _classroom, made, _puzzle = teachers
    address = f"/assignments/{made}/edit/"
    mine = visit(address, session=session)
    mine.get_by_label("Title", exact=True).fill("Mine")
    mine.goto("/")
    theirs = visit(address, session=other)
    edit(theirs, "Hints", "9")
    theirs.wait_for_url(f"**/assignments/{made}/")
    mine.goto(address)
    expect(mine.get_by_text("What you entered is here again.")).to_be_visible()
    mine.get_by_role("button", name="Save").last.click()
    mine.wait_for_url(f"**/assignments/{made}/")
    mine.goto(address)
    expect(mine.get_by_label("Hints")).to_have_value("9")
    expect(mine.get_by_label("Title", exact=True)).to_have_value("Mine")
