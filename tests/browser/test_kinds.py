"""A tiny puzzle of each kind, played to its solution as a student plays it: by pressing."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE

pytestmark = pytest.mark.browser

# Kind, puzzle, what is pressed ("take" a tool, or a spot), and what is said at the end.
BOARDS = {
    "goishi": ("oo/oo", ["1,1", "1,2", "2,2", "2,1"]),
    "tonari": ("Bb/bb", ["2,2", "1,2", "2,1"]),
    "maxstrings": ("../.. 2", ["x 1,1", "take o", "o 2,2"]),
    "kikazu": ("S2/3/3 RGP", ["R 2,3", "G", "G 3,1", "P 1,2"]),
}


@pytest.fixture(scope="module")
def class_with_all_kinds(site) -> dict[str, str]:
    """A class that has been given the boards; what signs the student and the teacher in."""
    return dict(
        line.split(" ", 1)
        for line in site.manage(
            "from datetime import timedelta\n"
            "from django.test import Client\n"
            "from django.utils import timezone\n"
            "from puzzleclass.accounts.models import User\n"
            "from puzzleclass.assignments.services import give\n"
            "from puzzleclass.classes.models import Classroom\n"
            "from puzzleclass.puzzles.models import Puzzle\n"
            "teacher = User.objects.create_teacher('ono', 'Ono Emi', 'stones')\n"
            "student = User.objects.create_student('Abe Haruto', '1234')\n"
            "classroom = Classroom.objects.create(name='5-1')\n"
            "classroom.teachers.add(teacher)\n"
            "classroom.enrolments.create(student=student, number=1)\n"
            "watchers = [User.objects.create_student(name, '1234') for name in ('Ito', 'Ueda')]\n"
            "for number, watcher in enumerate(watchers, 2):\n"
            "    classroom.enrolments.create(student=watcher, number=number)\n"
            f"boards = { ({kind: board for kind, (board, _) in BOARDS.items()})!r}\n"
            "puzzles = [Puzzle.objects.create(owner=teacher, kind_slug=kind, title=kind,\n"
            "    position=board) for kind, board in boards.items()]\n"
            "given = give(classroom, teacher, 'All kinds', timezone.now() + timedelta(days=1),\n"
            "    puzzles, warns=True)\n"
            "for name, user in (('teacher', teacher), ('student', student),\n"
            "        ('no-preference', watchers[0]), ('reduce', watchers[1])):\n"
            "    client = Client()\n"
            "    client.force_login(user)\n"
            "    print(name, client.cookies['sessionid'].value)\n"
            "print('table', f'/assignments/{given.pk}/')\n"
            "for puzzle in given.puzzles.all():\n"
            "    print(puzzle.kind_slug, f'/play/{puzzle.pk}/')\n"
        ).splitlines()
    )


def signed_in(page: Page, address: str, key: str) -> Page:
    page.context.add_cookies([{"name": "sessionid", "value": key, "url": address}])
    return page


def press(page: Page, what: str) -> None:
    """Press a tool or a spot, and wait until the server has taken it up."""
    if what.startswith("take "):
        button = page.locator(f'button[name=take][value="{what[5:]}"]')
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        return
    step = page.locator("#board input[name=step]")
    before = step.get_attribute("value")
    page.locator(f'#board .spot[data-move="{what}"]').click()
    if len(what) == 1:
        expect(page.locator("#board input[name=tool]")).to_have_value(what)
    else:
        expect(page.locator(f'#board input[name=step][value="{before}"]')).to_have_count(0)


@pytest.mark.parametrize("kind", BOARDS)
def test_a_student_solves_it(visit, site, class_with_all_kinds, kind):
    page = signed_in(visit("/", size=PHONE), site.address, class_with_all_kinds["student"])
    page.goto(class_with_all_kinds[kind])
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    for what in BOARDS[kind][1]:
        press(page, what)
    expect(page.get_by_role("status")).to_have_text("Solved!")
    expect(page.locator(".solved")).to_contain_text("Solution 1")

    teacher = signed_in(visit("/"), site.address, class_with_all_kinds["teacher"])
    teacher.goto(class_with_all_kinds["table"])
    column = list(BOARDS).index(kind)
    expect(teacher.locator("tbody td").nth(column).locator(".cell.solved")).to_have_count(1)


def fresh_board(visit, site, class_with_all_kinds) -> Page:
    """Return a student's window with the pieces' board as it is at the start."""
    page = signed_in(visit("/"), site.address, class_with_all_kinds["student"])
    page.goto(class_with_all_kinds["kikazu"])
    untouched = page.locator('#board input[name=step][value="0"]')
    if not untouched.count():
        anew = re.compile("Look for another|Play it once more|Start again")
        page.get_by_role("button", name=anew).click()
    expect(untouched).to_have_count(1)
    return page


def test_number_keys_choose_what_is_in_the_hand(visit, site, class_with_all_kinds):
    page = fresh_board(visit, site, class_with_all_kinds)
    held = page.locator("#board input[name=tool]")
    expect(held).to_have_value("R")
    page.keyboard.press("3")
    expect(held).to_have_value("P")
    page.locator('#board .spot[data-move="P 3,1"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('#board .spot[data-move="- 3,1"]')).to_have_count(1)
    # It was the last pawn: the hand goes on to what is left.
    expect(held).to_have_value("R")
    # What the rook would attack is said, and shown.
    page.keyboard.press("1")
    press(page, "R 2,1")
    expect(page.locator(".play-faults")).to_contain_text("The rook at row 2, column 1 attacks")
    expect(page.locator("#board .fault").first).to_be_visible()


def test_a_piece_is_dragged_to_its_square(visit, site, class_with_all_kinds):
    page = fresh_board(visit, site, class_with_all_kinds)
    square = page.locator('#board .spot[data-row="2"][data-column="0"]')
    page.locator('#board .spot[data-move="P"]').drag_to(square)
    expect(square).to_have_attribute("data-move", "- 3,1")


@pytest.mark.parametrize(
    ("motion", "moved"),
    [
        ("no-preference", ["set-down-odd", "set-down turn", "set-down-odd turn-odd"]),
        ("reduce", ["", "", ""]),
    ],
)
def test_stones_turn_over_unless_less_motion_is_wished(
    chrome, site, class_with_all_kinds, motion, moved
):
    window = chrome.new_context(base_url=site.address, reduced_motion=motion, locale="en")
    page = signed_in(window.new_page(), site.address, class_with_all_kinds[motion])
    page.goto(class_with_all_kinds["tonari"])
    page.evaluate(
        "document.addEventListener('animationstart', event => {"
        " const seen = document.documentElement.dataset;"
        " if (/set-down|turn/.test(event.animationName))"
        "  seen.moved = [...new Set(seen.moved.split(' ')).add(event.animationName)]"
        "   .filter(Boolean).sort().join(' '); })"
    )
    for spot, names in zip(BOARDS["tonari"][1], moved, strict=True):
        page.evaluate("document.documentElement.dataset.moved = ''")
        press(page, spot)
        # The stone just put down is marked, moving or not.
        expect(page.locator(".play-board .picture .placed")).to_have_count(1)
        expect(page.locator("html")).to_have_attribute("data-moved", names)
    expect(page.locator(".play-board .picture .flipped")).to_have_count(2)
    window.close()
