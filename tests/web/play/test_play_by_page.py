"""Every kind can be played by what its page shows: each move is pressed as in a browser."""

import random
import re
from collections.abc import Mapping
from html import unescape

import msgspec
import pytest
from django.urls import reverse

from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.models import Puzzle
from solvers import registry
from solvers._template_moves import KIND as PEGS
from solvers._template_placement import KIND as QUEENS
from solvers._template_sequence import KIND as ROW
from solvers._template_sequence import Template
from solvers.capabilities import Tools
from solvers.grid import write_cell
from solvers.message import Message
from solvers.picture import Picture, Spot

MAX_MOVES = 6
HTMX = {"HX-Request": "true"}


class Ends(Tools):
    """A kind without tools: a press takes up a stone at an end, and another press takes it off."""

    def names(self, position) -> Mapping[str, Message]:
        return {}

    def movable(self, position) -> Mapping[str, Message]:
        names = (self.tool_of(move) for move in ROW.moves(position))
        return {name: Message("A stone at an end") for name in names}

    def draw(self, position, tool: str) -> Picture:
        picture, there = ROW.draw(position), self.movable(position)
        shapes = (
            msgspec.structs.replace(shape, move=name, carries=name)
            if isinstance(shape, Spot) and (name := f"end {shape.move}") in there and name != tool
            else shape
            for shape in picture.shapes
        )
        return msgspec.structs.replace(picture, shapes=tuple(shapes))

    def tool_of(self, move) -> str:
        return f"end {write_cell(move)}"


class TwoPresses(Template):
    """A kind all of whose tools are pieces on its board."""

    slug = "twopresses"
    tools = Ends()


KINDS = {**registry.kinds(), **{kind.slug: kind for kind in (ROW, QUEENS, PEGS, TwoPresses())}}


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    monkeypatch.setattr(registry, "kinds", lambda: KINDS)


def attributes(page: str, tag: str) -> list[dict[str, str]]:
    """Return the attributes of all elements of the page with this name."""
    return [
        {name: unescape(value) for name, value in re.findall(r'([\w-]+)(?:="([^"]*)")?', found)}
        for found in re.findall(rf"<{tag}\b([^>]*)>", page)
    ]


def spots(page: str) -> list[dict[str, str]]:
    return [found for found in attributes(page, "g") if "data-move" in found]


def is_takeable(page: str, tool: str) -> bool:
    """Return whether some element takes up the tool in a browser with scripts."""
    page = re.sub(r"(?s)<noscript>.*?</noscript>", "", page)
    buttons = [found for found in attributes(page, "button") if found.get("name") == "take"]
    shown = any(found.get("value") == tool for found in buttons)
    pressed = any("data-take" in found and found["data-move"] == tool for found in spots(page))
    return shown or (pressed and any("data-take" in found for found in buttons))


@pytest.mark.parametrize("slug", KINDS)
def test_a_line_is_played_by_pressing(student_client, student, teacher, classroom, assign, slug):
    kind, rng, browser = KINDS[slug], random.Random(5), student_client
    start = next(start for start in iter(lambda: kind.sample(rng, 3), None) if [*kind.moves(start)])
    text = kind.write_start(start)
    puzzle = Puzzle.objects.create(owner=teacher, kind_slug=slug, position=text, title="A")
    assigned = assign(classroom, puzzle).puzzles.get()
    page = browser.get(reverse("play", args=[assigned.pk])).content.decode()
    step = reverse("step", args=[Attempt.first(student, assigned).key])
    position, number = start, 0
    while (moves := list(kind.moves(position))) and number < MAX_MOVES:
        move = rng.choice(moves)
        wanted = kind.write_move(move)
        if wanted not in [found["data-move"] for found in spots(page)]:
            tool = kind.tools.tool_of(move)
            assert is_takeable(page, tool), f"nothing on the page takes up “{tool}”"
            page = browser.post(step, {"step": number, "take": tool}, headers=HTMX).content.decode()
        assert wanted in [found["data-move"] for found in spots(page)]
        answer = browser.post(
            step, {"action": "move", "step": number, "move": wanted}, headers=HTMX
        )
        assert answer.status_code == 200
        page = browser.get(reverse("play", args=[assigned.pk])).content.decode()
        position, number = kind.play(position, move), number + 1
        if kind.judge(position).solved:
            break
    attempt = Attempt.objects.get()
    assert number and attempt.line == kind.write_line(position)
