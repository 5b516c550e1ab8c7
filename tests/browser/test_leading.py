"""A teacher leads a lesson on a tablet, the projector shows it, and two students follow."""

import json
import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pressing import press
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

TABLET = {"width": 820, "height": 1180}

ANSWERS = """
SELECT answer, cell, words, is_late FROM lessons_answer
WHERE question_id = (SELECT max(id) FROM lessons_question)
"""
SECOND_STUDENT = """
import json
import re
from datetime import UTC, datetime
from django.test import Client
from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
student = User.objects.create_student("Ito Yui", "1234")
Classroom.objects.get(pk={classroom}).enrolments.create(student=student, number=2)
client = Client()
client.force_login(student)
print(json.dumps(client.cookies["sessionid"].value))
"""


@pytest.fixture
def lesson(site) -> Lesson:
    return give_lesson(site, [("goishi", "o./oo/../oo"), ("goishi", "ooo"), ("goishi", "oo/oo")])


@pytest.fixture
def second_session(site, lesson) -> str:
    """Return the session of a second student of the class."""
    return json.loads(site.manage(SECOND_STUDENT.format(classroom=lesson.keys["class"])))


def lead(page: Page, button: str, menu: str = "") -> None:
    """Press a button of the bar, in the menu whose button begins with these words."""
    controls = page.locator("#controls")
    # A press waits for the answer to the one before (static/submit-once.js).
    expect(controls.locator("[aria-busy]")).to_have_count(0)
    if menu:
        controls.locator("[popovertarget]").filter(has_text=re.compile(f"^{menu}")).click()
    controls.get_by_role("button", name=button, exact=True).click()


def say(page: Page, text: str) -> None:
    """Type a message to the class."""
    page.locator("[popovertarget=menu-message]").click()
    page.get_by_label("Message", exact=True).fill(text)


def side(page: Page, button: str) -> None:
    """Press a button at the side: of the question, or of the chosen student."""
    page.locator("#side-form").get_by_role("button", name=button, exact=True).click()


def test_a_pause_reaches_both_students_and_the_projector(visit, site, lesson, second_session):
    tablet = visit(f"{lesson.table}lesson/", TABLET, session=lesson.teacher)
    projector = visit("/screen/", session=lesson.teacher)
    students = [visit(lesson.boards[0], session=key) for key in (lesson.student, second_session)]
    press(students[0], "1,1")
    say(tablet, "Look at the board")
    lead(tablet, "Pause")
    for page in students:
        expect(page.locator("#lesson").get_by_text("Look at the board")).to_be_visible(timeout=2000)
        expect(page.locator(".play")).to_have_attribute("inert", "")
    expect(projector.locator("#screen").get_by_text("Look at the board")).to_be_visible()
    students[1].reload()
    expect(students[1].locator(".play")).to_have_attribute("inert", "")
    lead(tablet, "Resume")
    for page in students:
        expect(page.locator("#lesson").get_by_text("Look at the board")).to_have_count(0)
    press(students[0], "2,1")
    press(students[1], "1,1")


def test_a_press_that_the_pause_overtook_is_sent_when_the_lesson_goes_on(visit, site, lesson):
    tablet = visit(f"{lesson.table}lesson/", session=lesson.teacher)
    page = visit(lesson.boards[0], session=lesson.student)
    spot = page.locator("#board .spot[data-move='1,1']")
    expect(page.locator("#board[data-htmx-powered]")).to_be_visible()
    window = page.context
    window.set_offline(True)
    lead(tablet, "Pause")
    expect(tablet.get_by_role("button", name="Resume")).to_be_visible()
    spot.click()
    window.set_offline(False)
    # The first answer after the connection is back is either the pause or the refusal of the step.
    expect(page.locator(".play[inert]")).to_be_visible()
    expect(page.locator("#board input[name=step]")).to_have_value("0")
    lead(tablet, "Resume")
    expect(page.locator("#board input[name=step]")).to_have_value("1")
    rows = site.rows(
        "SELECT s.move FROM play_step s JOIN play_attempt a ON a.id = s.attempt_id"
        " WHERE a.puzzle_id = ?",
        lesson.keys["assigned"],
    )
    assert rows == [("1,1",)]


def test_everybody_goes_to_the_board_and_late_students_join(visit, lesson, second_session):
    tablet = visit(f"{lesson.table}lesson/", TABLET, session=lesson.teacher)
    page = visit(lesson.boards[0], session=lesson.student)
    lead(tablet, "Board 3", "Board")
    page.wait_for_url(f"**{lesson.boards[2]}")
    late = visit(lesson.boards[1], session=second_session)
    late.wait_for_url(f"**{lesson.boards[2]}")
    lead(tablet, "Free", "Board")
    expect(tablet.get_by_role("button", name="Board: free")).to_be_visible()
    late.goto(lesson.boards[1])
    expect(late.locator("#lesson[data-go]")).to_have_count(0)
    expect(late).to_have_url(f"{late.url.split('/play')[0]}{lesson.boards[1]}")


def test_one_student_reads_a_message_and_all_see_the_clock(visit, lesson, second_session):
    tablet = visit(f"{lesson.table}lesson/", TABLET, session=lesson.teacher)
    one, other = (visit(lesson.boards[0], session=key) for key in (lesson.student, second_session))
    lead(tablet, "5 min", "Clock")
    for page in (one, other):
        expect(page.locator(".lesson-clock")).to_contain_text("4:5")
    tablet.get_by_role("link", name="1 Abe Haruto").first.click()
    written = tablet.get_by_label("Message to this student")
    written.fill("Try the corner")
    side(tablet, "Send")
    expect(one.get_by_text("Try the corner")).to_be_visible()
    expect(tablet.locator("#side").get_by_role("status")).to_contain_text("Sent")
    expect(written).to_have_value("")
    expect(other.get_by_text("Try the corner")).to_have_count(0)


def test_closing_ends_the_boards(visit, lesson):
    tablet = visit(f"{lesson.table}lesson/", TABLET, session=lesson.teacher)
    page = visit(lesson.boards[0], session=lesson.student)
    expect(page.locator("form#board")).to_be_visible()
    lead(tablet, "Pause")
    lead(tablet, "End it and close the assignment", "End")
    expect(tablet.get_by_text("This assignment is closed.")).to_be_visible()
    expect(page.locator("form#board")).to_have_count(0)
    expect(page.get_by_text("The due date has passed.")).to_be_visible()


def answer(page: Page, move: str) -> None:
    page.locator(f"[data-presses=answer] .spot[data-move='{move}']").click()
    expect(page.get_by_text("Your answer:")).to_be_visible()


def closed(tablet: Page) -> None:
    """Close the question and wait for the last second."""
    side(tablet, "Close")
    expect(tablet.get_by_role("button", name="Show the answer")).to_be_visible(timeout=15_000)


@pytest.mark.journey
def test_a_class_answers_twice_with_a_reason_and_sees_the_truth(
    visit, site, lesson, second_session
):
    pages = [visit(lesson.boards[0], session=key) for key in (lesson.student, second_session)]
    tablet = visit(f"{lesson.table}lesson/", TABLET, session=lesson.teacher)
    projector = visit("/screen/", session=lesson.teacher)
    tablet.locator("[popovertarget=menu-ask]").click()
    tablet.locator("#menu-ask").get_by_label("Answer twice").check()
    tablet.locator("#menu-ask").get_by_role("button", name="Which move next?").click()
    stage = tablet.locator("#side")
    for page in pages:
        page.wait_for_url("**/questions/*/")
    answer(pages[0], "1,1")
    answer(pages[1], "4,2")
    # A reason is one press on the board, or a sentence.
    pages[0].locator("[data-presses=cell] .spot[data-move='2,1']").click()
    expect(pages[0].get_by_text("Your reason is marked on the board.")).to_be_visible()
    pages[1].get_by_label("Your reason").fill("The corner is alone")
    pages[1].get_by_role("button", name="Send").click()
    expect(pages[1].get_by_text("Your reason has arrived.")).to_be_visible()
    assert site.rows(ANSWERS) == [("1,1", "2,1", "", 0), ("4,2", "", "The corner is alone", 0)]
    for screen in (tablet, projector):
        expect(screen.get_by_text("Answers: 2 of 2")).to_be_visible()
    closed(tablet)
    for page in pages:
        expect(page.get_by_text("Talk with your neighbour.")).to_be_visible()
        expect(page.locator(".spot")).to_have_count(0)
    # The teacher chooses a reason, which the class sees without a name and before the truth.
    stage.get_by_text("Look at the answers").click()
    stage.locator("li", has_text="The corner is alone").get_by_role("button").click()
    side(tablet, "Show the reasons only")
    for page in (projector, *pages):
        expect(page.locator("q", has_text="The corner is alone")).to_be_visible()
        assert (
            "Solutions" not in page.content() and "Ito Yui" not in page.locator("main").inner_text()
        )
    side(tablet, "Answer again")
    for page in pages:
        expect(page.locator("[data-presses=answer]")).to_be_visible()
        answer(page, "1,1")
    expect(stage.get_by_text("2 of 2")).to_be_visible()
    closed(tablet)
    side(tablet, "Show the answer")
    for shown in (stage, projector.locator("#screen"), pages[0].locator("#question")):
        expect(shown.get_by_text("no solution").first).to_be_visible()
        expect(shown).to_contain_text(
            "Right answers of the 2 who answered twice: 50% before talking, 100% after."
        )
        expect(shown).to_contain_text("The corner is alone")
    side(tablet, "Done")
    for page in pages:
        page.wait_for_url(f"**{lesson.boards[0]}")


def test_a_student_without_a_connection_answers_when_it_is_back(visit, site, lesson):
    page = visit(lesson.boards[0], session=lesson.student)
    expect(page.locator("#board[data-htmx-powered]")).to_be_visible()
    tablet = visit(f"{lesson.table}lesson/", TABLET, session=lesson.teacher)
    page.context.set_offline(True)
    lead(tablet, "Board 1", "Board")
    lead(tablet, "Which move next?", "Ask")
    expect(tablet.locator("#side")).to_contain_text("0 of 0")
    page.context.set_offline(False)
    page.wait_for_url("**/questions/*/")
    page.context.set_offline(True)
    page.locator("[data-question] .spot[data-move='1,1']").click()
    told = page.get_by_text("Not sent yet. It will be sent when the connection is back.")
    expect(told).to_be_visible()
    # The latest press counts, and it counts although the question is closed meanwhile.
    page.locator("[data-question] .spot[data-move='4,2']").click()
    expect(page.get_by_text("Your answer:")).to_have_count(0)
    closed(tablet)
    page.context.set_offline(False)
    expect(tablet.locator("#side")).to_contain_text("1 of 1")
    expect(told).to_be_hidden()
    assert site.rows(ANSWERS) == [("4,2", "", "", 0)]


def test_an_answer_without_a_connection_that_comes_too_late_is_told_so(visit, site, lesson):
    page = visit(lesson.boards[0], session=lesson.student, language="ja")
    page.get_by_role("button", name="ふりがな").click()
    tablet = visit(f"{lesson.table}lesson/", TABLET, session=lesson.teacher)
    lead(tablet, "Board 1", "Board")
    lead(tablet, "Can this still be solved?", "Ask")
    page.wait_for_url("**/questions/*/")
    page.context.set_offline(True)
    page.locator("[value=yes]").click()
    expect(page.locator("[data-said=waits]")).to_be_visible()
    closed(tablet)
    side(tablet, "Show the answer")
    expect(tablet.get_by_role("button", name="Show the answer")).to_have_count(0)
    page.context.set_offline(False)
    # The page is loaded again for the answer, and still says it.
    expect(page.locator("#question[data-stage*='.revealed']")).to_be_visible()
    expect(page.locator("[data-said=late]")).to_have_text(
        "答えは間に合わなかったので、数えられません。先生のほうを見てください。"
    )
    assert site.rows(ANSWERS) == [("yes", "", "", 1)]


def test_a_teachers_press_without_a_connection_is_told_and_not_sent_later(visit, lesson):
    tablet = visit(f"{lesson.table}lesson/", TABLET, session=lesson.teacher)
    expect(tablet.locator("#controls[data-htmx-powered]")).to_be_visible()
    tablet.context.set_offline(True)
    say(tablet, "Look at the board")
    lead(tablet, "Send")
    told = tablet.get_by_text("This could not be sent. Press again when the connection is back.")
    expect(told).to_be_visible()
    tablet.context.set_offline(False)
    lead(tablet, "Send", "Message")
    expect(tablet.get_by_text("To everybody: Look at the board")).to_be_visible()
    expect(told).to_be_hidden()
    # An ordinary form keeps its page, too.
    tablet.goto(lesson.table)
    tablet.context.set_offline(True)
    tablet.get_by_role("button", name="Sign out").click()
    expect(told).to_be_visible()
    assert tablet.url.endswith(lesson.table)


WRONG_CLOCK = """
const right = Date.now.bind(Date);
window.rightNow = right;
Date.now = () => right() + 3600000;
"""
WATCH = """() => {
  const look = () => {
    if (document.querySelector(".play.is-waiting")) return;
    clearInterval(watching);
    document.querySelector(".play").dataset.shownAt = String(window.rightNow());
  };
  const watching = setInterval(look, 10);
}"""


def test_everybody_begins_at_the_same_second(visit, site, lesson, second_session):
    """The clocks of the students' computers are wrong by an hour."""
    tablet = visit(f"{lesson.table}lesson/", TABLET, session=lesson.teacher)
    one, other = (visit(lesson.boards[0], session=key) for key in (lesson.student, second_session))
    press(one, "1,1")
    for page in (one, other):
        page.context.add_init_script(WRONG_CLOCK)
    lead(tablet, "Solve together: everybody begins at the same second", "Ask")
    for page in (one, other):
        expect(page.locator(".play.is-waiting")).to_be_attached()
        expect(page.locator("[data-countdown]")).to_be_visible()
        page.evaluate(WATCH)
    [(starts_at,)] = site.rows(
        "SELECT starts_at FROM lessons_question WHERE assignment_id = ?", lesson.keys["assignment"]
    )
    begins = datetime.fromisoformat(starts_at).replace(tzinfo=UTC).timestamp() * 1000
    shown = []
    for page in (one, other):
        expect(page.locator(".play[data-shown-at]")).to_be_visible(timeout=20_000)
        shown.append(float(page.locator(".play").get_attribute("data-shown-at")))
    assert all(abs(at - begins) < 1000 for at in shown), (begins, shown)
    expect(one.locator("#board input[name=step]")).to_have_value("0")
    window = one.context
    window.set_offline(True)
    for move in ("1,1", "2,1"):
        one.locator(f"#board .spot[data-move='{move}']").click()
    window.set_offline(False)
    expect(one.locator(".play-status")).to_contain_text("Move 2", timeout=20_000)
    for move in ("1,1", "2,1", "2,2", "4,2", "4,1"):
        press(other, move)
    expect(tablet.get_by_text("Solved: 1 of 2")).to_be_visible()
