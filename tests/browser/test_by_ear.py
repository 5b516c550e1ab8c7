"""Every kind can be played by keyboard and screen reader: the names of spots, and what a move
says."""

import re

import pytest
from playwright.sync_api import Page, expect

from solvers.registry import get_kind
from tests.browser.pressing import choose
from tests.integration.lessons import Lesson, give_lesson
from tests.integration.processes import wait_for
from tests.web.practice.test_practice_introduction import solution_of

pytestmark = pytest.mark.browser

# Kind, puzzle, and for each move the name read at the focus and everything announced after it.
Told = list[tuple[str, list[str]]]
BOARDS: dict[str, tuple[str, Told]] = {
    "goishi": (
        "o.oo/oo..",
        [
            (
                "Stone at row 1, column 1",
                [
                    "Move 1: Stone at row 1, column 1",
                    "Stones left: 4",
                    "Stone at row 1, column 3, can be picked up now",
                    "Stone at row 2, column 1, can be picked up now",
                ],
            ),
            (
                "Stone at row 1, column 3, can be picked up now",
                [
                    "Move 2: Stone at row 1, column 3",
                    "Stones left: 3",
                    "Stone at row 1, column 4, can be picked up now",
                ],
            ),
        ],
    ),
    "tonari": (
        "Bbw/bbb/bbb",
        [
            (
                "Empty point at row 1, column 2, to be black at the end, free for a stone now",
                ["Move 1: Black to row 1, column 2", "Turned to white: row 1, column 1"],
            ),
            (
                "Empty point at row 1, column 3, to be white at the end, free for a stone now",
                ["Move 2: Black to row 1, column 3", "Turned to white: row 1, column 2"],
            ),
        ],
    ),
    "maxstrings": (
        "..x/... 4",
        [
            (
                "Black to row 1, column 1 (empty now)",
                ["Move 1: Black to row 1, column 1", "Score: 2"],
            ),
            (
                "Black to row 1, column 2 (empty now)",
                ["Move 2: Black to row 1, column 2", "Score: 1"],
            ),
        ],
    ),
    "kikazu": (
        "S2/3/3 RG",
        [
            (
                "Empty square at row 1, column 2",
                [
                    "Move 1: rook at row 1, column 2",
                    "Pieces left in the hand: 1",
                    "Chosen: gold, in the hand: 1",
                    "The rook at row 1, column 2 attacks the silver at row 1, column 1.",
                ],
            ),
            (
                "Empty square at row 3, column 3",
                ["Move 2: gold at row 3, column 3", "Pieces left in the hand: 0"],
            ),
        ],
    ),
}

GIBBERISH = re.compile(r"[.xobw#-]{3}|[.xob]{2}[ /]")
"""Rows of a board as text, which a screen reader must not read."""


@pytest.fixture(scope="module")
def lesson(site) -> Lesson:
    return give_lesson(site, [(kind, board) for kind, (board, _) in BOARDS.items()], hints=0)


FARTHEST = 4
"""The most steps from one edge of a board to the other."""


def read_at_focus(page: Page) -> str:
    """Return the role and the name of the focused element, as the accessibility tree has them."""
    tree = page.context.new_cdp_session(page)
    node = tree.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]
    found = tree.send(
        "Accessibility.getPartialAXTree", {"objectId": node["objectId"], "fetchRelatives": False}
    )["nodes"][0]
    tree.detach()
    assert found["role"]["value"] == "button"
    return found["name"]["value"]


def go_to(page: Page, name: str) -> None:
    """Move the focus by arrow keys until this name is read."""
    page.locator("#board .spot[tabindex='0']").focus()
    for key in ("ArrowUp", "ArrowLeft"):
        for _ in range(FARTHEST):
            page.keyboard.press(key)
    for _ in range(FARTHEST):
        for key in ("ArrowRight", "ArrowLeft"):
            for _ in range(FARTHEST):
                if read_at_focus(page) == name:
                    return
                page.keyboard.press(key)
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"not found: {name}; here: {read_at_focus(page)}")


# Each kind to its end, with nothing but the names of what can be pressed and what is announced.

WHOLE = {
    "goishi": "o.o/..o/.oo",
    "tonari": "Bbb/bwb",
    "maxstrings": "xo./... 4",
    "kikazu": "S2/3/3 RG",
}

HEAR = """() => {
  const LIVE = "[role=status], [role=alert], [aria-live=polite]";
  window.heard = [];
  const texts = new WeakMap();
  const hear = () => {
    for (const region of document.querySelectorAll(LIVE)) {
      const parts = [];
      const walk = document.createTreeWalker(region, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) {
        const { parentElement, data } = walk.currentNode;
        const isHeard = !parentElement.closest("[hidden], [aria-hidden=true], [aria-live=off]");
        if (isHeard && data.trim()) parts.push(data.trim());
      }
      const now = parts.join(" ");
      if (texts.get(region) !== now && now) window.heard.push(now);
      texts.set(region, now);
    }
  };
  hear();
  window.heard = [];
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(hear).observe(document.body, all);
}"""


class Listener:
    """A player who hears the page and uses the keyboard."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.evaluate(HEAR)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def wait_for(self, words: str) -> str:
        """Wait until an announcement contains the words, forget all, and return it."""
        self.page.wait_for_function(
            "words => heard.some((said) => said.includes(words))", arg=words
        )
        said = self.page.evaluate("window.heard.splice(0)")
        return next(each for each in said if words in each)

    def go_to(self, cell: str) -> None:
        row, column = cell.split(",")
        self.press(row, column)
        self.page.wait_for_function(
            "place => document.activeElement.getAttribute('aria-label').includes(place)",
            arg=f"row {row}, column {column}",
        )

    def names(self, words: str) -> list[str]:
        """Return the names of the buttons whose names contain the words, in their order."""
        found = self.page.get_by_role("button", name=words).all()
        return [button.aria_snapshot() for button in found]

    def take(self, words: str) -> None:
        """Choose what has a name with these words, by its number among the tools."""
        hand = (
            self.names("in the hand")
            or self.page.get_by_role("group", name="Tools")
            .get_by_role("button")
            .all_text_contents()
        )
        number = next(number for number, name in enumerate(hand, 1) if words in name)
        self.press(f"Shift+Digit{number}")


@pytest.mark.parametrize("kind", BOARDS)
def test_a_board_is_played_by_ear(visit, lesson, kind):
    page = visit(lesson.boards[list(BOARDS).index(kind)], session=lesson.student)
    Listener(page)
    for number, (name, told) in enumerate(BOARDS[kind][1], 1):
        page.evaluate("window.heard = []")
        go_to(page, name)
        page.keyboard.press("Enter")
        expect(page.locator("#board input[name=step]")).to_have_value(str(number))
        expect(page.locator("#board [data-pending]")).to_have_count(0)
        page.wait_for_function("last => heard.some((said) => said.includes(last))", arg=told[-1])
        assert " ".join(page.evaluate("window.heard")) == " ".join(told)
    heard = page.locator("main").aria_snapshot()
    assert not GIBBERISH.search(re.sub(r"/url: \S+", "", heard)), heard
    page.keyboard.press("u")
    expect(page.locator(".play-status")).to_contain_text("Move undone: ")
    # The focus stays on the board.
    assert re.search(r"row \d, column \d", read_at_focus(page))


@pytest.fixture(scope="module")
def whole(site) -> Lesson:
    return give_lesson(site, list(WHOLE.items()), hints=0, shades=True, title="To the end")


TOOLS = {"x": "Black", "o": "White", "R": "rook", "G": "gold"}


@pytest.mark.parametrize("slug", WHOLE)
def test_each_kind_is_solved_by_ear(visit, whole, slug):
    kind = get_kind(slug)
    moves = solution_of(kind, kind.read(WHOLE[slug]))
    page = visit(whole.boards[list(WHOLE).index(slug)], session=whole.student)
    player = Listener(page)
    # The board is the first Tab stop.
    player.press("Tab")
    first = read_at_focus(page)
    assert re.search(r"row 1, column \d", first)
    player.press("r")
    player.wait_for(first)
    player.press("Shift+R")
    assert player.wait_for(first).count("row 2, column") >= 1
    for number, move in enumerate(moves, 1):
        *tool, cell = move.split(" ")
        player.go_to(cell)
        if tool:
            player.take(TOOLS[tool[0]])
            if slug == "kikazu":
                page.get_by_role(
                    "button", name=f"{TOOLS[tool[0]]}, in the hand: 1, taken up"
                ).wait_for()
        name = read_at_focus(page)
        assert f"row {cell.split(',')[0]}, column {cell.split(',')[1]}" in name
        assert ", attacked" not in name
        player.press("Enter")
        if number == 1:
            made = player.wait_for("Move 1: ")
            if slug == "kikazu":
                player.press("Shift+R")
                player.wait_for(", attacked")
            player.press("u")
            assert made.split(": ")[1].split(" ")[0] in player.wait_for("Move undone: ")
            player.press("y")
            player.wait_for("Move 1: ")
        elif number < len(moves):
            player.wait_for(f"Move {number}: ")
        # What was done is heard before the server has drawn it.
        expect(page.locator("#board [data-pending]")).to_have_count(0)
    player.wait_for("Solved!")
    # The solved board can be read, and so can the moves that led to it.
    player.press("Shift+R")
    if slug != "goishi":  # Its board is empty.
        assert (
            player.wait_for("row 1, column 1").count("row 2, column")
            == kind.read(WHOLE[slug]).columns
        )
    player.press("h")
    sheet = page.get_by_role("dialog", name="Moves so far")
    expect(sheet.get_by_role("listitem")).to_have_count(len(moves))
    expect(sheet.get_by_role("button", name="Close")).to_be_focused()
    player.press("Escape", "?")
    expect(page.get_by_role("dialog").get_by_role("row")).not_to_have_count(0)


def test_a_row_is_read_in_whole_sentences_of_the_language(visit, whole):
    page = visit(whole.boards[3], session=whole.student, language="ja")
    player = Listener(page)
    player.press("Tab", "Shift+R")
    said = player.wait_for("1行1列")
    assert "銀。1行2列" in said and "。." not in said and ". " not in said


@pytest.mark.journey
def test_the_same_refusal_is_said_again(visit, site):
    lesson = give_lesson(site, [("goishi", BOARDS["goishi"][0])], title="A refusal")
    page = visit(lesson.boards[0], session=lesson.student)
    go_to(page, "Stone at row 1, column 1")
    player = Listener(page)
    player.press("Enter")
    player.wait_for("Move 1:")
    closed, said = page.locator("#board .spot[data-closed]").first, page.locator(".play-status.bad")
    for _ in range(2):
        closed.click()
        expect(said).to_contain_text("row")
        assert player.wait_for("row") == said.text_content().strip()


def test_a_japanese_name_says_its_language(visit, site):
    lesson = give_lesson(site, [("goishi", "ooo/ooo")], title="石ひろい")
    page = visit(lesson.boards[0], session=lesson.student)
    expect(page.locator("main")).to_contain_text("石ひろい")
    unmarked = """() => {
      const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = [];
      while (walk.nextNode()) {
        const { parentElement, data } = walk.currentNode;
        const isHeard = !parentElement.closest("[aria-hidden=true], template, script");
        if (/[\\u3040-\\u9fff]/.test(data) && isHeard && !parentElement.closest("[lang=ja]"))
          found.push(data);
      }
      return found;
    }"""
    assert page.evaluate(unmarked) == []


LISTEN_TO_SOUNDS = """() => {
  [window.heard, window.felt] = [0, []];
  window.AudioContext = class extends AudioContext {
    createOscillator() {
      window.heard += 1;
      return super.createOscillator();
    }
  };
  navigator.vibrate = (pattern) => window.felt.push(pattern);
}"""


def test_a_step_is_heard_and_felt_until_the_switch_says_no(visit, site):
    lesson = give_lesson(site, [("maxstrings", "..x/... 4")])
    page = visit(lesson.boards[0], session=lesson.student)
    page.evaluate(LISTEN_TO_SOUNDS)
    sound = page.locator("[data-sound]")
    step = page.locator("#board input[name=step]")
    page.locator("#board .spot").first.click()
    # The page's policy forbids the script with which Playwright would wait itself.
    wait_for(lambda: page.evaluate("window.heard === 1 && window.felt.length === 1"), 30, "a sound")
    choose(page, "Sound")
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    expect(step).to_have_value("2")
    assert page.evaluate("[window.heard, window.felt.length]") == [1, 1]
    # The choice is remembered.
    page.reload()
    expect(sound).to_have_attribute("aria-pressed", "false")
    page.evaluate(LISTEN_TO_SOUNDS)
    choose(page, "Sound")
    wait_for(lambda: page.evaluate("window.heard === 1"), 30, "a sound")
