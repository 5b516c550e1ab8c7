"""A puzzle with a score, from the teacher's goal to the class's record board."""

import re
from secrets import token_hex

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.pressing import press

pytestmark = pytest.mark.browser

FIVE = ("o 1,2", "o 2,1", "x 2,2", "o 2,3", "x 3,1")
SIXTH = "x 3,3"


@pytest.fixture(scope="module")
def people(site) -> dict[str, str]:
    """Provide the session keys of a teacher and of two students of one class."""
    return dict(
        line.split(" ", 1)
        for line in site.manage(
            "from django.test import Client\n"
            "from puzzleclass.accounts.models import User\n"
            "from puzzleclass.classes.models import Classroom\n"
            f"teacher = User.objects.create_teacher('kudo-{token_hex(3)}', 'Ogawa Emi', 'stones')\n"
            "students = [User.objects.create_student(n, '1234') for n in ('Abe Ren', 'Ito Yui')]\n"
            "classroom = Classroom.objects.create(name='5-1')\n"
            "classroom.teachers.add(teacher)\n"
            "for number, student in enumerate(students, 1):\n"
            "    classroom.enrolments.create(student=student, number=number)\n"
            "people = zip(('teacher', 'abe', 'ito'), (teacher, *students))\n"
            "for name, user in people:\n"
            "    client = Client()\n"
            "    client.force_login(user)\n"
            "    print(name, client.cookies['sessionid'].value)\n"
        ).splitlines()
    )


def told(page: Page, name: str):
    """Return the number beside a name on the card of scores."""
    line = page.locator(".play-score-figures > div").filter(
        has=page.locator("dt", has_text=re.compile(f"^{name}$"))
    )
    return line.locator("dd")


def play(page: Page, *moves: str) -> None:
    """Set stones of either colour, with the tool of that colour."""
    for move in moves:
        press(page, f"take {move[0]}")
        press(page, move)


def test_a_goal_a_game_and_a_record(visit, people):
    teacher = visit("/", session=people["teacher"])
    teacher.goto("/puzzles/new/maxstrings/")
    teacher.get_by_label("Paste a board as text").fill("3x3")
    teacher.get_by_role("button", name="Put on the board").click()
    goal = teacher.get_by_label("Goal: the score that solves the puzzle")
    expect(goal).to_have_attribute("placeholder", "6")
    # For a goal out of reach, the page names the optimum, else how far below it the goal is.
    goal.fill("7")
    goal.press("Tab")
    expect(teacher.locator("#editor .notice.warn")).to_contain_text("holds 6 at most")
    goal.fill("5")
    goal.press("Tab")
    expect(teacher.locator("#editor")).to_contain_text("Below the best possible score by 1")
    teacher.get_by_label("Title").fill("Three lines")
    teacher.get_by_role("button", name="Save", exact=True).last.click()
    expect(teacher.locator("#goal-card")).to_contain_text("Solved by a score of 5")
    teacher.get_by_role("link", name="5-1").click()
    teacher.get_by_label("Title", exact=True).fill("Records")
    teacher.get_by_text("More settings").click()
    teacher.get_by_label("best possible score").uncheck()
    teacher.get_by_role("button", name="Assign").click()
    expect(teacher.locator("#ledger")).to_contain_text("best –, goal 5, possible 6")

    # A student reaches the goal and goes on. The optimum is not shown.
    abe = visit("/", size=PHONE, session=people["abe"])
    abe.get_by_role("link", name="Begin").click()
    expect(told(abe, "Goal")).to_have_text("5")
    expect(abe.locator(".play-score")).not_to_contain_text("Best possible")
    play(abe, *FIVE[:4])
    expect(told(abe, "Your best")).to_have_text("4")
    expect(abe.locator("#play")).not_to_contain_text("The goal is reached!")
    play(abe, FIVE[4])
    expect(abe.locator("#play")).to_contain_text("The goal is reached!")
    expect(abe.locator("#found")).to_contain_text("Your solutions: 1")

    # The other student sees the score to beat, but no board and no name.
    ito = visit("/", session=people["ito"])
    ito.get_by_role("link", name="Begin").click()
    expect(told(ito, "Best of the class")).to_contain_text("5")
    play(ito, *FIVE[:2])
    expect(ito.locator("body")).not_to_contain_text("The class's record board")
    expect(ito.locator("body")).not_to_contain_text("Abe")

    play(abe, SIXTH)
    expect(abe.locator("#play")).to_contain_text("Solved!")
    expect(abe.locator("#found")).to_contain_text("The class's record board")

    expect(teacher.locator("#ledger")).to_contain_text("best 6, goal 5, possible 6")
    teacher.locator("#ledger thead a").click()
    record = teacher.locator("section").filter(has_text="The class's record")
    expect(record).to_contain_text("Abe Ren")


def test_puzzles_of_a_size_to_order(visit, people):
    page = visit("/", session=people["teacher"])
    page.goto("/puzzles/generate/maxstrings/")
    page.get_by_label("Rows").fill("4")
    page.get_by_label("Columns").fill("5")
    page.get_by_label("Columns").press("Tab")
    expect(page.locator(".drawing .spot")).to_have_count(20)
    page.get_by_label("Number of puzzles").fill("2")
    page.get_by_role("button", name="Generate").click()
    page.get_by_label("Choose board 1", exact=True).check()
    page.get_by_label("Title").fill("Made #")
    page.get_by_role("button", name="Save the selected puzzles").click()
    expect(page.get_by_role("status").first).to_have_text("Saved in “My puzzles”: Made 1")
    page.get_by_role("link", name="Puzzles", exact=True).first.click()
    page.get_by_role("link", name="Made 1").click()
    expect(page.locator("#goal-card")).to_contain_text("The goal is the best possible score")
    page.get_by_role("button", name=re.compile("^(Count|Show the moves) ")).click()
    expect(page.locator("#count")).to_contain_text("There is exactly one solution.")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_lemmas_move_only_where_that_is_welcome(visit, motion):
    page = visit("/learn/max-strings/")
    page.emulate_media(reduced_motion=motion)
    button = page.locator("[data-stepper]:has(#lemma-1) [data-run]")
    first = page.locator("#lemma-1")
    expect(first).to_be_checked()
    if motion == "reduce":
        expect(button).to_be_hidden()
        page.locator('label[for="lemma-3"]').click()
        expect(page.locator("#lemma-3")).to_be_checked()
        return
    button.click()
    expect(page.locator("#lemma-2")).to_be_checked()
    expect(page.locator("#lemma-3")).to_be_checked()
