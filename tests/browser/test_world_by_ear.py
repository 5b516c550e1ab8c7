"""A world is played by the keyboard alone and by ear alone.

The player presses keys, and knows only what the page has announced and what is read at the focus.
All of that is compared with a script in each language. `RECORD=1` writes the scripts anew.
"""

import os
import re
from pathlib import Path

import pytest
from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Page, TimeoutError

from solvers.question import finish
from solvers.registry import get_kind
from tests.browser.test_by_ear import HEAR
from tests.integration.lessons import give_lesson

pytestmark = pytest.mark.browser

WORLDS = [("tonari", "ja", 12), ("tonari", "en", 2)] + [
    (slug, language, 2) for slug in ("goishi", "maxstrings", "kikazu") for language in ("ja", "en")
]
"""Kind, language, and how many boards are played: one world is played to its end."""

NAMES = {
    "goishi": {"Stone at row {row}, column {column}": "o"},
    "tonari": {
        "Empty point at row {row}, column {column}, to be black at the end": "b",
        "Empty point at row {row}, column {column}, to be white at the end": "w",
        "Black stone at row {row}, column {column}, to be black at the end": "B",
        "Black stone at row {row}, column {column}, to be white at the end": "W",
    },
    "maxstrings": {
        "Black to row {row}, column {column} (empty now)": ".",
        "Black stone of the puzzle at row {row}, column {column}": "x",
        "White stone of the puzzle at row {row}, column {column}": "o",
        "Point that must stay empty at row {row}, column {column}": "-",
    },
    "kikazu": {
        "Empty square at row {row}, column {column}": ".",
        "Row {row}, column {column} must stay empty": "-",
    },
}
"""Kind -> what is read of a place, and the sign that it stands for."""

PIECES = dict(
    zip("RBKGSNLP", ("rook", "bishop", "king", "gold", "silver", "knight", "lance", "pawn"))
)
NOWHERE = {"goishi": ".", "maxstrings": "#"}
"""The sign of a place of which nothing is read."""


class Player:
    """A player who hears the page and presses keys.

    With a script, the player waits for exactly what it says, however slow the machine is. When one
    is written, an announcement is over when nothing more has been said for a while.
    """

    def __init__(self, page: Page, script: list[str] | None) -> None:
        self.page = page
        self.expected = script and iter(script)
        self.script: list[str] = []

    def listen(self) -> None:
        self.page.evaluate(HEAR)

    def hear(self, patience: int = 1000) -> str:
        """Return all that is announced after a key; a new script waits for `patience` ms."""
        if self.expected is None:
            self.page.wait_for_function("() => heard.length")
            self.page.wait_for_timeout(patience)
            return self._told(" ".join(self.page.evaluate("() => heard.splice(0)")))
        wanted = next(self.expected)
        try:
            # Before a slow answer the move is announced by itself.
            self.page.wait_for_function("said => heard.join(' ').endsWith(said)", arg=wanted)
        except TimeoutError:
            assert self.page.evaluate("() => heard.join(' ')") == wanted
        self.page.evaluate("() => heard.splice(0)")
        return self._told(wanted)

    def read(self) -> str:
        """Return the name of the element that has the focus."""
        if self.expected is None:
            self.page.wait_for_timeout(300)
            return self._told(self.page.evaluate(f"({NAME})()"))
        wanted = next(self.expected)
        try:
            self.page.wait_for_function(f"name => ({NAME})() === name", arg=wanted)
        except TimeoutError:
            assert self.page.evaluate(f"({NAME})()") == wanted
        return self._told(wanted)

    def _told(self, words: str) -> str:
        self.script.append(words)
        return words

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, words: str) -> None:
        for _ in range(80):
            self.press("Tab")
            if words in self.page.evaluate(f"({NAME})()"):
                return
        raise AssertionError(f"not reached: {words}")

    def take(self, tool: str) -> None:
        """Choose a tool by its number, unless it is chosen already."""
        for number, each in enumerate(self.page.locator("[data-tool]").all(), 1):
            if tool in (each.get_attribute("value"), each.get_attribute("data-move")):
                is_held = each.locator(".held").count()
                if not is_held and each.get_attribute("aria-pressed") != "true":
                    self.press(f"Shift+Digit{number}")
                    self.hear()
                return
        raise AssertionError(f"not found: {tool}")


NAME = """() => {
  const copy = document.activeElement.cloneNode(true);
  for (const silent of copy.querySelectorAll("rt, [aria-hidden=true]")) silent.remove();
  return (copy.getAttribute("aria-label") ?? copy.textContent).split(/\\s+/).join(" ").trim();
}"""


def read_board(slug: str, said: str, goal: str) -> str:
    """Return the board, as text of its kind, of which all places were read."""
    places: dict[tuple[int, int], str] = {}
    given = {
        gettext("{piece} of the puzzle at row {row}, column {column}").replace(
            "{piece}", gettext(name)
        ): letter
        for letter, name in PIECES.items()
    }
    marks = NAMES[slug] | (given if slug == "kikazu" else {})
    needed = gettext("{what}, needs a stone").split("{what}")[1]
    for text, sign in marks.items():
        pattern = (
            re.escape(gettext(text)).replace(r"\{row\}", r"(\d+)").replace(r"\{column\}", r"(\d+)")
        )
        for found in re.finditer(pattern, said):
            needs = said[found.end() :].startswith(needed)
            places.setdefault((int(found[1]), int(found[2])), "s" if needs else sign)
    rows, columns = (max(place[at] for place in places) for at in (0, 1))
    board = "/".join(
        "".join(
            places.get((row, column), NOWHERE.get(slug, "")) for column in range(1, columns + 1)
        )
        for row in range(1, rows + 1)
    )
    if slug == "kikazu":
        board = re.sub(r"\.+", lambda empty: str(len(empty[0])), board)
        hand = (
            (
                letter,
                re.search(
                    re.escape(
                        gettext("{piece}, in the hand: {number}").replace("{piece}", gettext(name))
                    ).replace(r"\{number\}", r"(\d+)"),
                    said,
                ),
            )
            for letter, name in PIECES.items()
        )
        return f"{board} " + "".join(
            f"{found[1] if found[1] != '1' else ''}{letter}" for letter, found in hand if found
        )
    return f"{board} {goal}".strip()


def play_board(player: Player, slug: str) -> None:
    page = player.page
    page.locator("#board[data-htmx-powered]").wait_for()
    player.listen()
    player.press("Tab")
    player.read()
    player.press("Shift+R")
    said = player.hear()
    goal = ""
    if slug == "maxstrings":
        goal = re.findall(r"\d+", page.locator(".play-score-figures").first.inner_text())[0]
    kind = get_kind(slug)
    question = kind.questions.get("solve", kind.questions["count"])
    moves = finish(question.ask(kind, kind.read(read_board(slug, said, goal)))).moves
    for move in moves:
        *tool, cell = move.split(" ")
        player.press(*cell.split(","))
        player.read()
        if tool:
            player.take(tool[0])
        player.press("Enter")
        player.hear(2500 if move == moves[-1] else 1000)


def play_world(player: Player, slug: str, boards: int) -> None:
    player.tab_to(gettext("World {world}, number {n}").format(world=1, n=1))
    player.read()
    player.press("Enter")
    for number in range(1, boards + 1):
        player.page.wait_for_url("**/play/*/")
        play_board(player, slug)
        # The way on has the focus.
        assert gettext("Next puzzle") in player.read()
        if number < boards:
            address = player.page.url
            player.press("Enter")
            player.page.wait_for_function("address => location.href !== address", arg=address)


@pytest.mark.parametrize(("slug", "language", "boards"), WORLDS)
def test_a_world_is_played_by_ear(visit, site, slug, language, boards):
    path = Path(__file__).parent / "heard" / f"{slug}.{language}.txt"
    script = None if "RECORD" in os.environ else path.read_text(encoding="utf-8").splitlines()
    lesson = give_lesson(site, [("goishi", "oo")])
    page = visit(f"/practice/{slug}/1/", session=lesson.student, language=language)
    player = Player(page, script)
    with translation.override(language):
        play_world(player, slug, boards)
    if script is None:
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(player.script) + "\n", encoding="utf-8")
    assert script in (None, player.script)
