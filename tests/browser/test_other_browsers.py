"""A student's path in Firefox and in WebKit: signing in, a board of each kind, a dragged piece, and
a time without a network. axe finds nothing on its pages."""

import pytest

from tests.browser.axe import VIOLATIONS
from tests.browser.test_kinds import BOARDS
from tests.cable import Cable
from tests.integration.lessons import give_lesson
from tests.webdriver import BROWSERS, Browser, missing

pytestmark = pytest.mark.browser

DOORS = """
from django.urls import reverse
from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, SignInCard
student, classroom = User.objects.get(pk={student}), Classroom.objects.get(pk={class})
card = SignInCard.objects.create(student=student)
print(reverse("join_by_card", args=[card.word]), reverse("join_student", args=[classroom.code, 1]))
"""

HOW_TO_PLAY = "/how-to-play/{}/"
STEP = "return document.querySelector('#board input[name=step]')?.value === values[0]"
SOLVED = "return !!document.querySelector('.solved')"
HERE = "return location.pathname === values[0] && document.readyState === 'complete'"
STORED = """
const boards = (await caches.keys()).filter((name) => name.startsWith("board"));
const page = await (await caches.match(location.pathname))?.text();
return boards.length > 0 && !!page?.includes(`name="step" value="${values[0]}"`);
"""
WAITING = r"""
const notice = document.querySelector("[data-offline]:not([hidden])");
return /\d+/.exec(notice?.querySelector("[data-number]")?.textContent)?.[0] === values[0];
"""


@pytest.mark.parametrize("name", BROWSERS)
def test_a_student_plays_in_another_browser(site, tmp_path, name):
    if why := missing(name):
        pytest.skip(why)
    extra = [("kikazu", "5/5/5/5/5 2R2GP"), ("maxstrings", ".../.../... 3")]
    lesson = give_lesson(site, [(kind, board) for kind, (board, _) in BOARDS.items()] + extra)
    *boards, dragged, offline = lesson.boards
    card, door = site.manage(DOORS.format(**lesson.keys)).split()
    with Cable(site.port) as cable, BROWSERS[name](tmp_path / name) as browser:
        sign_in(browser, cable.address + card, cable.address + door)
        for page in ("/", "/practice/", "/records/", boards[0], *map(HOW_TO_PLAY.format, BOARDS)):
            browser.open(cable.address + page)
            assert browser.run(VIOLATIONS) == [], (name, page)
        for board, (kind, (_, presses)) in zip(boards, BOARDS.items(), strict=True):
            solve(browser, cable.address + board, presses)
            assert browser.run(VIOLATIONS) == [], (name, kind)
        drag(browser, cable.address + dragged)
        go_offline(browser, cable, offline)
    joined = "play_step s JOIN play_attempt a ON a.id = s.attempt_id"
    number = int(offline.strip("/").split("/")[-1])
    moves = site.rows(
        f"SELECT s.move FROM {joined} WHERE a.puzzle_id = ? ORDER BY s.number", number
    )
    assert moves == [("x 1,1",), ("x 2,2",), ("x 3,3",)]


def sign_in(browser: Browser, card: str, door: str) -> None:
    """Sign in by a card, sign out, and sign in by a PIN."""
    browser.open(card)
    browser.wait(HERE, "/")
    browser.press(".who form button")
    browser.wait("return !document.querySelector('.who form')")
    browser.open(door)
    assert browser.run(VIOLATIONS) == []
    for digit in "1234":
        browser.press(f'[data-digit="{digit}"]')
    browser.wait("return location.pathname === '/' && !!document.querySelector('.who form')")


def solve(browser: Browser, address: str, presses: list[str]) -> None:
    """Make the presses of `tests.browser.pressing`, each when the page has drawn the last one."""
    browser.open(address)
    step = 0
    for press in presses:
        if press.startswith("take "):
            browser.press(f'button[data-tool][value="{press[5:]}"]')
            continue
        browser.press(f'#board .spot[data-move="{press}"]')
        if len(press) > 1:
            step += 1
            if press != presses[-1]:
                browser.wait(STEP, str(step))
    browser.wait(SOLVED)


def drag(browser: Browser, address: str) -> None:
    """Drag a pawn from the hand to a square, and on to another one."""
    browser.open(address)
    square = '#board .spot[data-row="{}"][data-column="{}"]'
    browser.drag('#board .spot[data-move="P"]', square.format(2, 0))
    browser.wait(STEP, "1")
    browser.drag(square.format(2, 0), square.format(1, 2))
    browser.wait(STEP, "2")
    carries = "return document.querySelector(values[0])?.dataset.carries"
    assert browser.run(carries, square.format(1, 2)) == "P2,3>"


def go_offline(browser: Browser, cable: Cable, board: str) -> None:
    """Play on without a network, also after the page was closed, and lose no move."""
    browser.open(cable.address + board)
    browser.press('#board .spot[data-move="x 1,1"]')
    browser.wait(STEP, "1")
    browser.wait(STORED, "1")
    cable.pull_out()
    browser.press('#board .spot[data-move="x 2,2"]')
    browser.wait(WAITING, "1")
    browser.open(cable.address + "/")
    browser.wait("return document.querySelector('[data-stored-pages]')?.hidden === false")
    browser.open(cable.address + "/calendar/")
    browser.wait("return document.querySelector('[data-kept]')?.hidden === false")
    browser.press(f'[data-kept] a[href$="{board}"]')
    browser.wait(HERE, board)
    browser.wait(WAITING, "1")
    browser.press('#board .spot[data-move="x 3,3"]')
    browser.wait(WAITING, "2")
    cable.put_back()
    browser.wait(STEP, "3")
    browser.wait("return document.querySelector('[data-offline]').hidden")
