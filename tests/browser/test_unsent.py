"""A form that cannot reach the server says so, keeps what was typed, and can be sent again.

The browser believes that it is online: only its requests fail.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

LOST = "This could not be sent. Press again when the connection is back."
ATTEMPT = """
from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.attempts import current_attempt, take_step
student = User.objects.get(pk={student})
assigned = AssignedPuzzle.objects.get(pk={assigned})
attempt = take_step(current_attempt(student, assigned), 0, "move", "2,1")
print(f"/attempts/{{attempt.key}}/replay/")
"""


@pytest.fixture
def lesson(site) -> Lesson:
    return give_lesson(site, [("goishi", "o./oo/../oo")])


def cut(page: Page) -> Callable[[], None]:
    """Let all requests fail from now on. Return the function that lets them through again."""
    page.route("**/*", lambda route: route.abort())
    return lambda: page.unroute("**/*")


def write_to_student(visit, lesson) -> Page:
    """Open the form for a message to the student of the lesson, and write one."""
    address = f"/classes/{lesson.keys['class']}/students/message/?only={lesson.keys['place']}"
    page = visit(address, session=lesson.teacher)
    page.get_by_label("Message").fill("Well played!")
    return page


def test_a_message_to_students_waits_on_its_page(visit, lesson):
    page = write_to_student(visit, lesson)
    mend = cut(page)
    send = page.get_by_role("button", name="Send")
    send.click()
    told = page.get_by_text(LOST)
    expect(told).to_be_visible()
    assert "/students/message/" in page.url
    expect(page.get_by_label("Message")).to_have_value("Well played!")
    mend()
    send.click()
    page.wait_for_url(f"**/classes/{lesson.keys['class']}/students/")
    expect(page.get_by_text(LOST)).to_be_hidden()


def test_presses_while_the_server_is_asked_send_the_form_once(visit, lesson):
    page = write_to_student(visit, lesson)
    sent: list[str] = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    waiting: list[Route] = []
    page.route("**/healthz", lambda route: waiting.append(route))
    send = page.get_by_role("button", name="Send")
    with page.expect_request("**/healthz"):
        send.click()
    send.click()
    assert len(waiting) == 1 and sent == []
    waiting[0].continue_()
    page.wait_for_url(f"**/classes/{lesson.keys['class']}/students/")
    assert len(waiting) == len(sent) == 1


def test_a_stamp_with_a_comment_waits_on_its_page(visit, site, lesson):
    page = visit(site.manage(ATTEMPT.format(**lesson.keys)).strip(), session=lesson.teacher)
    form = page.locator("form[action$='/feedback/']")
    form.locator("[name=stamp][value=flower]").check()
    form.locator("[name=comment]").fill("A good start")
    mend = cut(page)
    form.get_by_role("button").last.click()
    expect(page.get_by_text(LOST)).to_be_visible()
    expect(form.locator("[name=comment]")).to_have_value("A good start")
    mend()
    form.get_by_role("button").last.click()
    expect(page.locator("p.small").get_by_text("A good start")).to_be_visible()
    assert site.rows("SELECT stamp FROM play_feedback WHERE comment = 'A good start'") == [
        ("flower",)
    ]


def test_a_hint_is_not_taken_in_silence(visit, lesson):
    page = visit(lesson.boards[0], session=lesson.student)
    expect(page.locator("#board[data-htmx-powered]")).to_be_visible()
    mend = cut(page)
    hint = page.locator("#hint").get_by_role("button", name="Can it still be solved?")
    hint.click()
    expect(page.get_by_text(LOST)).to_be_visible()
    expect(page.locator("#hint")).to_contain_text("Hints left: 3")
    mend()
    hint.click()
    expect(page.get_by_text(LOST)).to_be_hidden()
    expect(page.locator("#hint .hint-said")).not_to_be_empty()
