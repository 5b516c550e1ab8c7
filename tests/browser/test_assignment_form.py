"""The form of an assignment: how few presses it takes, and that nothing entered is lost."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PHONE

pytestmark = pytest.mark.browser

TEACHER = """
from django.test import Client
from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
from puzzleclass.puzzles.models import Puzzle
teacher = User.objects.create_teacher(f"fujita{User.objects.count()}", "Fujita", "p")
classroom = Classroom.objects.create(name="6-3")
classroom.teachers.add(teacher)
reds = classroom.groups.create(name="Reds")
for number in range(1, 5):
    student = User.objects.create_student(f"Student {number}", "1234")
    enrolment = classroom.enrolments.create(student=student, number=number)
    if number < 3:
        reds.members.add(enrolment)
kinds = [("goishi", "oo/oo"), ("tonari", "Bb/bb"), ("kikazu", "3/3/3 2K")]
for number in range(1, 31):
    kind, position = kinds[number % 3]
    Puzzle.objects.create(owner=teacher, kind_slug=kind, position=position, title=f"P {number}")
client = Client()
client.force_login(teacher)
print(client.cookies["sessionid"].value, classroom.pk)
"""

COUNTED = """
addEventListener("pointerdown", () => {
  sessionStorage.presses = Number(sessionStorage.presses || 0) + 1;
}, true);
"""


@pytest.fixture
def teacher(site) -> tuple[str, str]:
    """Return the session of a teacher with a library of thirty boards, and the form's address."""
    session, classroom = site.manage(TEACHER).split()[-2:]
    return session, f"/classes/{classroom}/assignments/new/"


def titles(page: Page) -> list[str]:
    return page.locator(".option-title").all_text_contents()


def choose(page: Page, *numbers: int) -> None:
    """Press the pictures of these boards, without waiting for the server in between."""
    for number in numbers:
        page.locator(".tile").filter(has_text=f"P {number}").last.locator("[data-tile]").click()


@pytest.mark.journey
def test_six_mixed_boards_for_a_group_with_a_date_and_hints_take_eight_presses(visit, teacher):
    session, _new = teacher
    page = visit("/", session=session)
    page.add_init_script(COUNTED)
    page.reload()
    page.evaluate("sessionStorage.presses = 0")
    page.get_by_role("link", name="Assign puzzles to 6-3").click()
    choose(page, 30, 28, 26, 25, 22, 20)
    page.locator("label").filter(has_text="Reds").first.click()
    # Two fields are filled in, which are reached by the Tab key. The title fills itself in.
    page.keyboard.press("Tab")
    due = page.get_by_label("Due")
    expect(due).to_be_focused()
    due.fill("2099-01-31T12:00")
    hints = page.get_by_label("Hints")
    while not hints.evaluate("field => field === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.type("7")
    expect(page.get_by_label("Title", exact=True)).to_have_value("P")
    expect(page.locator(".basket-entry")).to_have_count(6)
    page.keyboard.press("Enter")
    expect(page.locator("#ledger thead a")).to_have_count(6)
    expect(page.locator("#ledger tbody tr")).to_have_count(2)
    expect(page.get_by_role("heading", level=1)).to_contain_text("P")
    assert int(page.evaluate("sessionStorage.presses")) == 8
    page.goto(f"{page.url}edit/")
    expect(page.get_by_label("Hints")).to_have_value("7")
    assert titles(page) == ["P 30", "P 28", "P 26", "P 25", "P 22", "P 20"]


def test_boards_are_chosen_ordered_and_looked_at_by_mouse_and_keyboard(visit, teacher):
    session, new = teacher
    page = visit(new, session=session)
    first = page.locator("[data-tile]").first
    first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".basket-entry")).to_have_count(1)
    page.locator("[data-tile]").nth(3).click(modifiers=["Shift"])
    expect(page.locator(".option-title")).to_have_text(["P 30", "P 29", "P 28", "P 27"])
    expect(page.locator(".tile-place").nth(3)).to_have_text("4")
    expect(first).to_have_attribute("aria-pressed", "true")
    first.click()
    expect(page.locator(".option-title")).to_have_text(["P 29", "P 28", "P 27"])
    # Two presses that follow each other closely both count, and the focus stays where it was.
    earlier = page.get_by_role("button", name="P 27: earlier")
    earlier.press("Enter")
    earlier.press("Enter")
    expect(page.locator(".option-title")).to_have_text(["P 27", "P 29", "P 28"])
    expect(earlier).to_have_attribute("aria-disabled", "true")
    expect(earlier).to_be_focused()
    page.locator("[data-handle]").nth(0).drag_to(page.locator("[data-handle]").nth(2))
    expect(page.locator(".option-title").last).to_have_text("P 27")
    page.get_by_role("button", name="Remove P 29").click()
    expect(page.locator(".option-title")).to_have_text(["P 28", "P 27"])
    page.get_by_role("button", name="Look at P 27").first.click()
    preview = page.locator("#preview")
    expect(preview).to_be_visible()
    expect(preview.locator("svg.picture")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(preview).to_be_hidden()
    # The search finds boards by kind, and knows which of them are chosen.
    page.get_by_label("Kind").select_option("goishi")
    expect(page.locator(".tile")).to_have_count(10)
    expect(page.locator("[data-tile][aria-pressed=true]")).to_have_count(1)


def test_a_finger_drags_boards_into_order(visit, teacher):
    session, new = teacher
    page = visit(new, session=session, size=PHONE, telephone=True)
    for number in (0, 1, 2):
        page.locator("[data-tile]").nth(number).tap()
    expect(page.locator(".option-title")).to_have_text(["P 30", "P 29", "P 28"])
    handles = page.locator("[data-handle]")
    handles.last.scroll_into_view_if_needed()
    start, end = (handles.nth(number).bounding_box() for number in (0, 2))
    x, first, last = (start["x"] + 10, start["y"] + 10, end["y"] + end["height"])
    finger = page.context.new_cdp_session(page)
    steps = [("touchStart", first)]
    steps += [("touchMove", first + (last - first) * n / 10) for n in range(1, 11)]
    for kind, y in steps:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        page.wait_for_timeout(20)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".option-title")).to_have_text(["P 29", "P 28", "P 30"])


def test_a_drag_that_begins_before_the_answer_to_a_press_keeps_its_order(visit, teacher):
    session, new = teacher
    page = visit(new, session=session)
    choose(page, 30, 29, 28)
    expect(page.locator(".basket-entry")).to_have_count(3)
    held: list[Route] = []
    page.route(f"**{new}", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request(f"**{new}"):
        page.locator(".basket-entry").nth(1).get_by_role("button", name="earlier").press("Enter")
    assert titles(page) == ["P 29", "P 30", "P 28"]
    handles = page.locator("[data-handle]")
    handles.first.hover()
    page.mouse.down()
    # A request that is not dropped fails after ten seconds (`defaultTimeout` in base.html).
    with page.expect_event("requestfailed", lambda one: one == held[0].request, timeout=8000):
        handles.last.hover()
    with page.expect_response(f"**{new}"):
        page.mouse.up()
    assert titles(page) == ["P 30", "P 28", "P 29"]


def entered(page: Page) -> list[object]:
    """Return what the form holds, after the server has drawn the list of boards."""
    expect(page.locator(".basket-entry")).to_have_count(2)
    values = [page.get_by_label(name, exact=True).input_value() for name in ("Title", "Hints")]
    if page.locator("details").get_attribute("open") is None:
        page.locator("summary").click()
    values.append(page.get_by_label("Instructions for students").input_value())
    return [*values, page.get_by_label("A draft").is_checked(), titles(page)]


def test_what_was_entered_survives_reloads_languages_and_a_refusal(visit, teacher):
    session, new = teacher
    page = visit(new, session=session)
    choose(page, 29, 27)
    page.get_by_label("Title", exact=True).fill("Mine")
    page.get_by_label("Hints").fill("9")
    page.locator("summary").click()
    page.get_by_label("Instructions for students").fill("Look at the corners.")
    page.get_by_label("A draft").check()
    whole = ["Mine", "9", "Look at the corners.", True, ["P 29", "P 27"]]
    assert entered(page) == whole
    page.reload()
    assert entered(page) == whole
    expect(page.get_by_text("What you entered is here again.")).to_be_visible()
    # The order in which the boards were put outlives a change of the language and back.
    page.get_by_role("button", name="P 27: earlier").click()
    whole[-1] = ["P 27", "P 29"]
    page.locator(".colophon").get_by_role("button", name="日本語").click()
    expect(page.get_by_label("題名", exact=True)).to_have_value("Mine")
    page.locator(".colophon").get_by_role("button", name="English").click()
    assert entered(page) == whole
    # A refused form keeps all, and keeps it through a reload of its own.
    page.get_by_label("Due").fill("2020-01-01T12:00")
    page.get_by_role("button", name="Assign").last.click()
    expect(page.get_by_text("This time has passed.")).to_be_visible()
    page.get_by_label("Due").fill("2099-01-01T12:00")
    whole[0] = "Yours"
    page.get_by_label("Title", exact=True).fill("Yours")
    assert entered(page) == whole
    page.locator(".colophon").get_by_role("button", name="日本語").click()
    page.locator(".colophon").get_by_role("button", name="English").click()
    assert entered(page) == whole
    page.get_by_role("button", name="Assign").last.click()
    expect(page.get_by_text("Saved. Students can't see it yet.")).to_be_visible()
    # Nothing of it comes back in the next assignment.
    page.goto(new)
    expect(page.get_by_label("Title", exact=True)).to_have_value("")
    expect(page.get_by_label("Hints")).to_have_value("9")
    expect(page.locator(".basket-entry")).to_have_count(0)


def test_the_form_fits_on_a_page_and_a_half(visit, teacher):
    session, new = teacher
    page = visit(new, session=session)
    choose(page, 30, 29, 28, 27, 26, 25)
    expect(page.locator(".basket-entry")).to_have_count(6)
    assert page.evaluate("document.documentElement.scrollHeight") <= 1.5 * 768 + 8
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
