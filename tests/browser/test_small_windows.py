"""Telephones in landscape and windows at 400 % show the board first and whole, forced colours keep
progress bars, and fingers find the names of signs."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

BOARDS = [
    ("goishi", "ooo/ooo/ooo"),
    ("tonari", "Bbbb/bbbb/bbbb/bbbb"),
    ("maxstrings", ".../.../... 3"),
    ("kikazu", "5/5/5/5/5 2R2GP"),
]
MANY = BOARDS * 4
"""More puzzles than there is room for dots."""

ENLARGED = [(341, 192), (320, 256)]
"""Windows of 1366 by 768 and of 1280 by 1024 pixels at 400 %."""
LYING = [(568, 320), (667, 375), (844, 390)]
"""Telephones in landscape."""

SHOWN = """() => {
  const box = document.querySelector("#board .picture").getBoundingClientRect();
  const dots = [...document.querySelectorAll(".dot")].map((dot) => dot.getBoundingClientRect());
  const set = document.querySelector(".set").getBoundingClientRect();
  const here = document.querySelector(".set [aria-current]").getBoundingClientRect();
  return {
    whole: box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight,
    high: box.height > innerHeight * 0.8 || box.width > innerWidth * 0.85,
    first: box.top < 16,
    dots: Math.min(...dots.map(({ width, height }) => Math.min(width, height))),
    here: here.left >= set.left && here.right <= set.right,
    tooWide: document.documentElement.scrollWidth - innerWidth,
  };
}"""

NAMELESS = """() => {
  const seen = (part) => part.getClientRects().length && getComputedStyle(part).clipPath === "none";
  const words = (part) => [...part.childNodes].some((each) =>
    each.nodeType === Node.TEXT_NODE ? /\\p{L}|\\p{N}/u.test(each.data)
      : each.nodeType === Node.ELEMENT_NODE && seen(each) && words(each));
  const pictures = ".picture-button, .brand, .dot";
  return [...document.querySelectorAll(":is(header, main) :is(a, button)")]
    .filter((each) => each.getClientRects().length && !words(each) && !each.matches(pictures))
    .map((each) => each.outerHTML);
}"""

OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll(".masthead .who > *, .brand")]
    .map((part) => part.getBoundingClientRect()).sort((a, b) => a.left - b.left);
  return boxes.filter((box, n) => n && box.left < boxes[n - 1].right).length;
}"""


@pytest.fixture(scope="module")
def lesson(site) -> Lesson:
    return give_lesson(site, MANY)


@pytest.mark.parametrize("size", [*ENLARGED, *LYING])
def test_the_board_comes_first_and_is_whole(visit, lesson, size):
    width, height = size
    window = {"width": width, "height": height}
    page = visit("/", size=window, session=lesson.student, telephone=size in LYING)
    for path in lesson.boards[8:12]:
        page.goto(path)
        shown = page.evaluate(SHOWN)
        assert shown == {
            "whole": True,
            "high": True,
            "first": True,
            "dots": 44,
            "here": True,
            "tooWide": 0,
        }, (path, size)


def test_signs_have_words_where_nothing_can_rest_on_them(visit, lesson):
    page = visit("/", size=PHONE, session=lesson.student, telephone=True)
    assert page.evaluate(NAMELESS) == []
    page.goto(lesson.boards[0])
    assert page.evaluate(NAMELESS) == []


BROKEN = """() => [...document.querySelectorAll(".sign-name")]
  .filter((name) => name.getClientRects().length && name.getBoundingClientRect().height > 20)
  .map((name) => name.textContent)"""


@pytest.mark.parametrize("size", [(320, 568), (667, 375), (390, 844)])
def test_no_japanese_word_below_a_sign_is_broken(visit, lesson, size):
    window = dict(zip(("width", "height"), size, strict=True))
    page = visit(
        lesson.boards[0], size=window, session=lesson.student, telephone=True, language="ja"
    )
    assert page.evaluate(BROKEN) == []


@pytest.mark.parametrize("language", ["en", "ja"])
def test_all_tools_are_in_sight_on_the_narrowest_page(visit, lesson, language):
    page = visit(
        lesson.boards[2],
        size={"width": 320, "height": 568},
        session=lesson.student,
        language=language,
    )
    shown = page.evaluate("""() => ({
      last: document.querySelector(".tools .button:last-child").getBoundingClientRect().right,
      tooWide: document.documentElement.scrollWidth - innerWidth,
    })""")
    assert shown["last"] <= 320 and not shown["tooWide"]


@pytest.mark.parametrize("reader", ["student", "teacher"])
def test_nothing_overlaps_at_the_top_of_the_narrowest_page(visit, lesson, reader):
    page = visit("/", size={"width": 320, "height": 568}, session=getattr(lesson, reader))
    assert page.evaluate(OVERLAPS) == 0


def test_forced_colours_keep_the_parts_of_a_progress_bar(visit):
    page = visit("/")
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    pictures = set()
    for value in (0, 1, 2):
        bar = f"<progress max=2 value={value}></progress>"
        page.evaluate("bar => { document.querySelector('main').innerHTML = bar }", bar)
        pictures.add(page.locator("progress").screenshot(caret="initial"))
    assert len(pictures) == 3


def swipe(page: Page, row: dict[str, float]) -> None:
    """Push a row to the left with a finger."""
    finger = page.context.new_cdp_session(page)
    for kind, x in (("touchStart", 250), *(("touchMove", x) for x in range(240, 0, -10))):
        point = {"x": row["x"] + x, "y": row["y"] + row["height"] / 2}
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    finger.detach()


@pytest.mark.parametrize("puzzles", [10, 20])
def test_a_finger_reaches_all_puzzles_of_a_set(visit, site, puzzles):
    lesson = give_lesson(site, [BOARDS[0]] * puzzles)
    page = visit(lesson.boards[0], PHONE, session=lesson.student, telephone=True)
    row, dots = page.locator(".set"), page.locator(".set .dot")
    # The row shows that it goes on, and a finger pushes it to its end.
    expect(row).to_have_class(re.compile("more-after"))
    expect(dots.last).not_to_be_in_viewport()
    for _ in range(puzzles // 5):
        swipe(page, row.bounding_box())
    expect(dots.last).to_be_in_viewport(ratio=1)
    dots.last.tap()
    page.wait_for_url(f"**{lesson.boards[-1]}")
    # The place of the puzzle shows them all at once.
    page.locator(".set-place summary").tap()
    for dot in dots.all():
        expect(dot).to_be_in_viewport(ratio=1)
    dots.nth(puzzles // 2).tap()
    page.wait_for_url(f"**{lesson.boards[puzzles // 2]}")
