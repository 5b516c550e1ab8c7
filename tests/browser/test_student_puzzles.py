"""A student writes a puzzle, the teacher approves it, a classmate solves it."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE
from tests.browser.pressing import press
from tests.integration.lessons import give_lesson

pytestmark = pytest.mark.browser

CLASSMATE = """
from django.test import Client
from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
classmate = User.objects.create_student("Ito Yui", "1234")
Classroom.objects.get(pk={key}).enrolments.create(student=classmate, number=2)
client = Client()
client.force_login(classmate)
print(client.cookies["sessionid"].value)
"""


@pytest.mark.journey
def test_a_student_writes_the_teacher_approves_a_classmate_solves(visit, site):
    lesson = give_lesson(site, [("goishi", "o./oo/../oo")])
    classmate = site.manage(CLASSMATE.format(key=lesson.keys["class"])).strip()
    teacher = visit(f"/classes/{lesson.keys['class']}/", session=lesson.teacher)
    teacher.get_by_role("link", name="Gallery").click()
    teacher.get_by_role("button", name="Open the gallery").click()
    expect(teacher.get_by_role("button", name="Close", exact=True)).to_be_visible()

    # A student draws a board. The editor says by itself in how many ways it can be solved.
    author = visit("/", session=lesson.student)
    author.get_by_role("link", name="Gallery").click()
    author.get_by_role("link", name="Goishi Hiroi").click()
    for point in ("1,1", "1,2", "1,3"):
        author.locator(f'#editor .spot[data-move="{point}"]').click()
    expect(author.locator("#editor input[name=draft]")).to_have_value("ooo..." + "/......" * 5)
    expect(author.locator(".lookahead.live")).to_be_visible()
    author.get_by_label("Title").fill("Three in a row")
    author.locator("#editor").get_by_role("button", name="Save").last.click()
    expect(author.get_by_role("heading", level=1)).to_have_text("Three in a row")
    # Its solutions are counted as soon as it is saved.
    expect(author.locator("#count .number")).to_have_text("2")
    author.get_by_role("button", name="Submit to the gallery").click()
    expect(author.get_by_text("Until then, nobody else can see it")).to_be_visible()

    # Nobody else sees the puzzle before the teacher has approved it.
    other = visit("/gallery/", session=classmate)
    expect(other.get_by_text("There is nothing here yet")).to_be_visible()
    teacher.reload()
    expect(teacher.get_by_role("heading", name="Three in a row")).to_be_visible()
    teacher.get_by_role("button", name="Show in the gallery").click()
    expect(teacher.get_by_role("button", name="Show in the gallery")).to_have_count(0)

    # Another student begins with the wrong stone and then solves it.
    other.reload()
    other.get_by_role("link", name="Three in a row").click()
    for move in ("1,1", "1,2", "1,3"):
        press(other, move)
    expect(other.locator(".play-told")).to_contain_text("Solution 1")
    author.reload()
    expect(author.get_by_text("Tried by 1, solved by 1.")).to_be_visible()


YOUNG = """
from puzzleclass.classes.models import Classroom
from puzzleclass.gallery.services import open_gallery
classroom = Classroom.objects.get(pk={key})
classroom.grade = 2
classroom.save()
open_gallery(classroom, classroom.teachers.get())
"""
DRAWN = ("1,1", "1,2", "1,3")
MOST_PRESSES = 13
"""Six to draw, four to solve and come back, three to save, hand in and begin."""


def test_a_child_finishes_a_puzzle_alone_on_a_telephone(visit, site):
    lesson = give_lesson(site, [("goishi", "o./oo/../oo")])
    key = lesson.keys["class"]
    classmate = site.manage(CLASSMATE.format(key=key)).strip()
    site.manage(YOUNG.format(key=key))
    page = visit("/", size=PHONE, session=lesson.student, telephone=True)
    pressed = []

    def tap(part) -> None:
        part.tap()
        pressed.append(part)

    tap(page.get_by_role("link", name="Gallery"))
    tap(page.get_by_role("link", name="Goishi Hiroi"))
    expect(page.get_by_text("Paste a board as text")).to_have_count(0)
    tap(page.get_by_role("button", name="3 × 3"))
    drawn = page.locator("#editor input[name=draft]")
    expect(drawn).to_have_value("/".join(["..."] * 3))
    for number, point in enumerate(DRAWN, 1):
        tap(page.locator(f'#editor .spot[data-move="{point}"]'))
        expect(drawn).to_have_value(f"{'o' * number:.<3}/.../...")
    save = page.locator("#editor").get_by_role("button", name="Save").last
    save.tap()
    # What is missing is said, and nothing is lost.
    expect(page.get_by_role("alert").filter(has_text="title")).to_be_visible()
    page.get_by_label("Title").fill("Three")
    tap(save)
    # The count is made without a press.
    expect(page.locator("#count .number")).to_have_text("2")
    tap(page.get_by_role("link", name="Try it"))
    for move in DRAWN:
        press(page, move)
        pressed.append(move)
    tap(page.locator(".solved").get_by_role("link", name="Back to my puzzle"))
    tap(page.get_by_role("button", name="Submit to the gallery"))
    expect(page.get_by_role("link", name="One more?")).to_be_visible()
    assert len(pressed) <= MOST_PRESSES
    page.get_by_role("link", name="One more?").tap()
    expect(page.locator("#write")).to_be_in_viewport()

    # A classmate solves it, says thank you, and is back in the gallery.
    teacher = visit(f"/classes/{key}/", session=lesson.teacher)
    teacher.get_by_role("link", name="Gallery").click()
    teacher.get_by_role("button", name="Show in the gallery").click()
    expect(teacher.get_by_role("button", name="Show in the gallery")).to_have_count(0)
    other = visit("/gallery/", size=PHONE, session=classmate, telephone=True)
    other.get_by_role("link", name="Three").tap()
    for move in DRAWN:
        press(other, move)
    other.locator(".thanks button").first.tap()
    expect(other.locator(".thanks [aria-pressed=true]")).to_have_count(1)
    other.locator(".solved").get_by_role("link", name="To the gallery").tap()
    expect(other).to_have_url(f"{site.address}/gallery/")
    page.goto("/")
    expect(page.get_by_text("× 1")).to_be_visible()
