"""An idle user of a shared computer is warned, signed out, and asked only for the PIN. One can go
back from the page that asks for it."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

IDLE_MINUTES = 10
DIALOG = "alertdialog"


@pytest.fixture
def lesson(site) -> Lesson:
    lesson = give_lesson(site, [("maxstrings", ".../.../... 3")])
    site.manage(
        "from puzzleclass.classes.models import Classroom; "
        f"Classroom.objects.filter(pk={lesson.keys['class']}).update(idle_minutes={IDLE_MINUTES})"
    )
    return lesson


@pytest.fixture
def numbers(site, lesson) -> str:
    """Return the path of the page on which the students of the class choose their numbers."""
    ((code,),) = site.rows(f"SELECT code FROM classes_classroom WHERE id = {lesson.keys['class']}")
    return f"/join/{code}/"


@pytest.fixture
def signed_in(visit, lesson, numbers) -> Page:
    """Provide the board of a student who has signed in with the PIN, with a clock of its own."""
    page = visit(f"{numbers}1/?next={lesson.boards[0]}")
    type_pin(page)
    expect(page.locator("#board")).to_be_visible()
    page.clock.install()
    # The page asks for news of the lesson, for which no time passes here.
    page.route(re.compile("/now/"), lambda route: route.fulfill(status=204))
    page.reload()
    # A request that is on its way when the clock jumps would take too long.
    page.wait_for_load_state("networkidle")
    return page


def type_pin(page: Page) -> None:
    page.get_by_label("Your PIN").fill("1234")


def test_an_idle_student_is_warned_and_can_stay(signed_in):
    page = signed_in
    dialog = page.get_by_role(DIALOG, name="Are you still there?")
    page.clock.fast_forward(7 * 60_000)
    expect(dialog).to_be_hidden()
    page.clock.fast_forward(65_000)
    expect(dialog).to_be_visible()
    expect(page.locator("[data-left]")).to_have_text("55 s")
    expect(page.get_by_role("button", name="Stay signed in")).to_be_focused()
    with page.expect_response("**/stay/") as told:
        page.keyboard.press("Enter")
    assert told.value.status == 204
    expect(dialog).to_be_hidden()
    page.clock.fast_forward(5 * 60_000)
    page.locator("#board .spot").first.click()
    expect(page.locator("#board input[name=step]")).to_have_value("1")


def test_after_the_idle_time_the_pin_leads_back_to_the_board(signed_in):
    page = signed_in
    board = page.url
    page.clock.fast_forward(9 * 60_000 + 5_000)
    expect(page.get_by_text("nothing was pressed for a while")).to_be_visible()
    expect(page.get_by_role("link", name="That's not me")).to_be_visible()
    type_pin(page)
    page.wait_for_url(board)
    expect(page.locator("#board")).to_be_visible()


def test_a_pin_that_is_typed_while_the_page_loads_is_sent(visit, lesson, numbers):
    page = visit()
    page.route("**/pin.*.js", lambda route: (type_pin(page), route.continue_()))
    page.goto(f"{numbers}1/?next={lesson.boards[0]}", wait_until="commit")
    expect(page.locator("#board")).to_be_visible()


WITH_PICTURES = """
from puzzleclass.classes.models import Classroom
Classroom.objects.filter(pk={class}).update(picture_pins=True)
"""
WRONG_PINS = """
from puzzleclass.accounts.models import User
print(User.objects.get(pk={student}).pin_lock().wrong_tries)
"""


@pytest.mark.parametrize("asked", ["Your PIN", "Press your four pictures"])
def test_back_from_the_pin_leads_to_the_numbers_and_counts_nothing(
    visit, site, lesson, numbers, asked
):
    if "pictures" in asked:
        site.manage(WITH_PICTURES.format(**lesson.keys))
    page = visit(numbers)
    number, pin = page.get_by_role("link", name="1", exact=True), page.get_by_label(asked)

    def press(digits: str) -> None:
        for digit in digits:
            page.locator(f'[data-digit="{digit}"]').click()

    number.click()
    press("999")
    page.go_back()
    expect(page).to_have_url(site.address + numbers)
    # If the page had kept the digits, it would send them with the next one.
    page.go_forward()
    press("9")
    expect(pin).to_have_value("9")
    page.get_by_role("link", name="That's not me").click()
    expect(page).to_have_url(site.address + numbers)
    number.click()
    press("123")
    expect(pin).to_have_value("123")
    assert site.manage(WRONG_PINS.format(**lesson.keys)) == "0"
    press("4")
    expect(page).to_have_url(f"{site.address}/")


END = """
from puzzleclass.accounts.models import Session
from puzzleclass.accounts.sessions import SessionStore
for key in Session.objects.values_list("pk", flat=True):
    session = SessionStore(key)
    if session.get("_auth_user_id") == "{student}":
        session["seen_at"] = 0
        session.save()
"""


def test_a_move_that_was_not_sent_outlives_the_idle_time(signed_in, site, lesson):
    page = signed_in
    board = page.url
    page.route("**/steps/", lambda route: route.abort())
    page.locator("#board .spot").first.click()
    expect(page.locator("[data-offline]")).to_be_visible()
    page.clock.fast_forward(11 * 60_000)
    site.manage(END.format(student=lesson.keys["student"]))
    page.unroute("**/steps/")
    page.clock.fast_forward(5_000)
    type_pin(page)
    page.wait_for_url(board)
    expect(page.locator("#board input[name=step]")).to_have_value("1")
