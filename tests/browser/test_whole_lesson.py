"""A student comes into the lesson, the class looks at what it found, and everybody looks back."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pressing import press
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

SOLUTION = ("1,1", "2,1", "2,2", "4,2", "4,1")


@pytest.fixture
def lesson(site) -> Lesson:
    return give_lesson(site, [("goishi", "o./oo/../oo"), ("goishi", "ooo")])


def lead(page: Page, menu: str, button: str) -> None:
    """Press a button in a menu of the bar, once the press before has its answer."""
    expect(page.locator("#controls [aria-busy]")).to_have_count(0)
    page.locator(f"[popovertarget=menu-{menu}]").click()
    page.locator(f"#menu-{menu}").get_by_role("button", name=button, exact=True).click()


def test_a_student_at_home_comes_into_the_lesson_that_has_begun(visit, lesson):
    student = visit("/", session=lesson.student)
    expect(student.get_by_role("link", name="Lesson now: come in")).to_have_count(0)
    teacher = visit(f"{lesson.table}lesson/", session=lesson.teacher)
    expect(teacher.locator("#controls[data-htmx-powered]")).to_be_visible()
    teacher.get_by_role("button", name="Begin the lesson").click()
    expect(teacher.locator("[popovertarget=menu-end]")).to_be_visible()
    student.reload()
    student.get_by_role("link", name="Lesson now: come in").click()
    student.wait_for_url(f"**{lesson.boards[0]}")
    # A board that the whole class is led to reaches the student without a press.
    lead(teacher, "board", "Board 2")
    student.wait_for_url(f"**{lesson.boards[1]}")


def test_what_is_ticked_goes_to_the_projector_and_becomes_slides(visit, lesson):
    student = visit(lesson.boards[0], session=lesson.student)
    for move in SOLUTION:
        press(student, move)
    student.locator(".solved").wait_for()
    address = f"/assigned/{lesson.keys['assigned']}/found/"
    teacher = visit(address, session=lesson.teacher)
    slides = teacher.locator("#slides-form[data-htmx-powered]")
    expect(slides).to_be_visible()
    tick = teacher.locator("#found-view [name=tick]").first
    tick.check()
    slides.get_by_role("button", name="Keep as slides").click()
    expect(slides.locator(".slide-entry")).to_have_count(1)
    projector = visit("/screen/", session=lesson.teacher)
    slides.get_by_role("button", name="Show slide 1 on the projector").click()
    expect(projector.locator(".picture")).to_have_count(1)
    expect(projector.locator("body")).not_to_contain_text("Abe")


@pytest.mark.journey
def test_the_class_looks_back_and_the_lesson_ends(visit, lesson):
    student = visit(lesson.boards[0], session=lesson.student)
    teacher = visit(f"{lesson.table}lesson/", session=lesson.teacher)
    expect(teacher.locator("#controls[data-htmx-powered]")).to_be_visible()
    teacher.get_by_role("button", name="Begin the lesson").click()
    lead(teacher, "ask", "Look back, then play this board")
    student.wait_for_url("**/look-back/")
    teacher.locator("[popovertarget=menu-end]").click()
    expect(teacher.locator("#lesson-silent")).to_contain_text("1 Abe Haruto")
    student.get_by_label("One sentence").fill("The corner stones come first.")
    student.locator("button.face").first.click()
    expect(student.get_by_text("Sent to your teacher.")).to_be_visible()
    expect(teacher.locator("#lesson-silent")).not_to_contain_text("Abe Haruto")
    # The board at the end comes only now, even for a student who was on it before.
    student.get_by_role("link", name=re.compile("Now board 1")).click()
    student.wait_for_url(f"**{lesson.boards[0]}")
    press(student, SOLUTION[0])
    teacher.get_by_role("button", name="End the lesson", exact=True).click()
    # The teacher reads at once what was said.
    teacher.wait_for_url("**/reflections/")
    expect(student.locator("#lesson[data-running]")).to_have_count(0)
    row = teacher.get_by_role("row").filter(has_text="Abe Haruto")
    expect(row).to_contain_text("The corner stones come first.")


def test_a_student_with_a_question_is_told_that_the_lesson_is_over(visit, lesson):
    student = visit(lesson.boards[0], session=lesson.student)
    teacher = visit(f"{lesson.table}lesson/", session=lesson.teacher)
    expect(teacher.locator("#controls[data-htmx-powered]")).to_be_visible()
    teacher.get_by_role("button", name="Begin the lesson").click()
    lead(teacher, "ask", "Can this still be solved?")
    student.wait_for_url("**/questions/*/")
    lead(teacher, "end", "End the lesson")
    expect(student.get_by_role("heading", name="The lesson is over.")).to_be_visible()
    student.get_by_role("link", name="Play board 1").click()
    student.wait_for_url(f"**{lesson.boards[0]}")
