"""Tests of pictures: every legal move can be made by pressing, with tools that can be taken up."""

import random
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import product

import pytest

from solvers.capabilities import Presses
from solvers.contract.boards import pictures_of, pressed, random_lines, spots_of, tools_of
from solvers.grid import neighbours, read_cell, write_cell
from solvers.kind import IllegalMove, PuzzleError
from solvers.picture import Picture, Spot, to_svg
from solvers.registry import AnyKind, folder
from solvers.styles import foreign_rules, uncoloured_styles, unknown_styles


def test_pictures_show_every_move(kind: AnyKind) -> None:
    for position in random_lines(kind, seed=5, number=5, largest=8):
        picture = kind.draw(position)
        spots = spots_of(picture)
        texts = pressed(kind, position)
        legal = {kind.write_move(move) for move in kind.moves(position)}
        assert legal <= texts, f"draw a Spot for the moves {sorted(legal - texts)}"
        for move in map(kind.read_move, texts):
            assert kind.tools is None or kind.tools.tool_of(move), (
                "tool_of must return the name of a tool"
            )
        assert all(str(spot.label) for spot in spots), "every Spot needs a label for screen readers"
        for live in (False, True):
            root = ET.fromstring(to_svg(picture, live=live))
            assert getattr(root.find("{*}title"), "text", ""), "a picture needs a title"
            assert getattr(root.find("{*}desc"), "text", ""), "a picture needs the board as text"
        labels = {"label": {spot.move: "7" for spot in spots}}
        cells = [(spot.row, spot.column) for spot in spots]
        marked = picture.annotated(labels=labels, rings={"fault": cells}, squares={"hint": cells})
        assert len(marked.shapes) == len(picture.shapes) + 3 * len(spots)


class _Buttons(HTMLParser):
    """A parser that collects the tools that pressing or dragging on a live picture takes up."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if "data-take" in attributes:
            self.taken.add(attributes["data-move"] or "")
        if carries := attributes.get("data-carries"):
            self.taken.add(carries)


def _taken_up(svg: str) -> set[str]:
    """Return the tools that pressing or dragging on a live picture takes up."""
    buttons = _Buttons()
    buttons.feed(svg)
    return buttons.taken


def test_every_legal_move_can_be_played_by_pressing(kind: AnyKind) -> None:
    for position in random_lines(kind, seed=10, number=8, largest=4):
        names = set(kind.tools.names(position)) if kind.tools else set()
        movable = set(kind.tools.movable(position)) if kind.tools else set()
        # At first the page shows the picture with the first tool taken up.
        first = next(iter(kind.tools.names(position)), "") if kind.tools else ""
        drawing = kind.tools.draw(position, first) if kind.tools else kind.draw(position)
        taken = _taken_up(to_svg(drawing, live=True, tools=names, movable=movable))
        for move in kind.moves(position):
            text = kind.write_move(move)
            if text in {spot.move for spot in spots_of(drawing)}:
                continue
            assert kind.tools, f"the move {text} is legal, but no Spot of the picture makes it"
            tool = kind.tools.tool_of(move)
            assert tool in names | taken, (
                f"the move {text} needs “{tool}”, which can't be taken up: list it in Tools.names, "
                "or list it in Tools.movable and draw a Spot with this name as its move or carries"
            )
            with_tool = {spot.move for spot in spots_of(kind.tools.draw(position, tool))}
            assert text in with_tool, (
                f"the move {text} cannot be pressed: Tools.draw with “{tool}” has no Spot for it"
            )


def test_a_piece_that_is_dragged_off_can_be_dragged_off(kind: AnyKind) -> None:
    for position in random_lines(kind, seed=12, number=8, largest=4):
        there = tools_of(kind, position)
        for picture in pictures_of(kind, position):
            for spot in spots_of(picture):
                assert not spot.carries or spot.carries in there, (
                    f"a Spot carries “{spot.carries}”: list it in Tools.names or Tools.movable"
                )
                if spot.back:
                    kind.play(position, kind.read_move(spot.back))


def _predicted(presses: Presses, picture: Picture, tool: str) -> Iterator[tuple[Spot, str, str]]:
    """Yield each spot for which a press is predicted, with its move and the state after it."""
    for spot in spots_of(picture):
        rule = presses.rules.get(tool, {}).get(spot.state)
        if rule:
            cell = write_cell((spot.row, spot.column))
            yield spot, f"{rule[0]} {cell}" if rule[0] else cell, rule[1]


def _states(picture: Picture) -> dict[tuple[int, int], str]:
    return {(spot.row, spot.column): spot.state for spot in spots_of(picture)}


def test_predicted_presses_match_the_rules(kind: AnyKind) -> None:
    presses = kind.presses
    if presses is None:
        return
    states = set(presses.looks)
    for tool, rules in presses.rules.items():
        for before, (_says, after) in rules.items():
            assert {before, after} <= states, (
                f"Presses.rules of the tool “{tool}” has a state without looks: {before}, {after}"
            )
    assert {*presses.turns, *presses.turns.values()} <= states, "Presses.turns: add the looks"
    seen = 0
    for position in random_lines(kind, seed=11, number=12, largest=5):
        tools = sorted(tools_of(kind, position)) or [""]
        for tool in tools:
            picture = kind.tools.draw(position, tool) if kind.tools else kind.draw(position)
            rows, columns = kind.editor.size(kind.write_start(position))
            for spot, text, after in _predicted(presses, picture, tool):
                try:
                    end = kind.play(position, kind.read_move(text))
                except IllegalMove:
                    assert spot.is_closed or text not in map(kind.write_move, kind.moves(position))
                    continue
                seen += 1
                drawn = _states(kind.tools.draw(end, tool) if kind.tools else kind.draw(end))
                at = (spot.row, spot.column)
                # A cell that can no longer be pressed has no spot, and so no state.
                assert drawn.get(at, after) in ("", after), (
                    f"Presses predicts “{after}” after {text} on {kind.write(position)}, but the "
                    f"picture has “{drawn[at]}”"
                )
                was = _states(picture)
                for near in neighbours(at, rows, columns):
                    turned = presses.turns.get(was.get(near, ""))
                    assert turned is None or drawn.get(near, turned) in ("", turned), (
                        f"Presses.turns predicts “{turned}” beside {text}, on {write_cell(near)}"
                    )
    assert seen or not presses.rules, (
        "no press was predicted: set the state of the Spots that Presses.rules concerns"
    )


def _styles_of(kind: AnyKind) -> set[str]:
    """Return the styles of all shapes that the kind draws."""
    pictures = [
        picture
        for position in random_lines(kind, seed=13, number=25, largest=6)
        for picture in pictures_of(kind, position)
    ]
    editor = kind.editor
    for size in {(1, 1), (min(4, editor.largest[0]), min(5, editor.largest[1]))}:
        drawing = editor.blank(*size)
        for brush, cell in zip(
            editor.brushes, product(range(size[0]), range(size[1])), strict=False
        ):
            drawing = editor.paint(drawing, cell, brush)
        pictures.append(editor.draw(drawing, fault=(0, 0)))
    if kind.illustrations:
        pictures += [picture for picture, _said in kind.illustrations.pictures()]
    shapes = [shape for picture in pictures for shape in picture.all_shapes]
    for drawn in (kind.tools.icons if kind.tools else {}).values():
        shapes += drawn
    styles = {shape.style for shape in shapes}
    if kind.presses:
        looks = kind.presses.looks.values()
        styles |= {shape.style for drawn in looks for shape in drawn} | {kind.presses.trail}
    return styles


def test_styles_are_shared_or_begin_with_the_slug(kind: AnyKind) -> None:
    styles, slug = _styles_of(kind), kind.slug
    unknown = sorted(unknown_styles(slug, styles))
    assert not unknown, (
        f"rename the styles {unknown} to “{slug}-…”, or use those of solvers.styles.SHARED: a name "
        "without the slug recolours the boards of other kinds"
    )
    sheet = folder(kind) / "static" / f"{slug}.css"
    text = sheet.read_text() if sheet.exists() else ""
    uncoloured = sorted(uncoloured_styles(slug, styles, text))
    assert not uncoloured, (
        f"colour the styles {uncoloured} in {sheet}: shapes without a colour are black"
    )
    foreign = foreign_rules(slug, text)
    assert not foreign, (
        f"{sheet}: the rules {foreign} affect more than the kind's own styles; name a style "
        f"“{slug}-…” in each of them"
    )


def test_the_editor_draws_up_what_the_kind_reads(kind: AnyKind) -> None:
    editor = kind.editor
    rng = random.Random(6)
    drawing = editor.blank(*editor.largest)
    assert editor.size(drawing) == editor.largest, (
        "size must return the size that blank was called with"
    )
    rows, columns = min(4, editor.largest[0]), min(5, editor.largest[1])
    drawing = editor.resize(drawing, rows, columns)
    assert editor.size(drawing) == (rows, columns), (
        "resize must return a drawing of the requested size"
    )
    read = 0
    spots = dict.fromkeys(product(range(rows), range(columns)), "")
    for _ in range(60):
        cell = rng.choice(list(spots))
        drawing = editor.paint(drawing, cell, rng.choice(list(editor.brushes)))
        picture = editor.draw(drawing, fault=cell)
        spots = {(spot.row, spot.column): spot.move for spot in spots_of(picture)}
        assert set(product(range(rows), range(columns))) <= set(spots), "each cell must be a Spot"
        assert all(read_cell(move) == cell for cell, move in spots.items()), (
            "in the editor the move of a Spot is its cell, as row,column"
        )
        ET.fromstring(to_svg(picture, live=True))
        try:
            position = kind.read(drawing)
        except PuzzleError:
            continue
        assert editor.size(kind.write_start(position)) == (rows, columns)
        read += 1
    for brush in editor.brushes:
        for row in range(rows):
            for column in range(columns):
                drawing = editor.paint(drawing, (row, column), brush)
    grown = editor.resize(drawing, *editor.largest)
    assert editor.resize(grown, rows, columns) == drawing, "extending a drawing must keep all of it"
    assert read, "no painted drawing was a puzzle: the brushes must suffice to draw one"


def test_the_editor_refuses_what_is_no_board(kind: AnyKind) -> None:
    editor = kind.editor
    rows, columns = editor.largest
    drawing = editor.blank(1, 1)
    for size in ((0, 1), (1, 0), (rows + 1, 1), (1, columns + 1), (-1, -1), (40, 40)):
        with pytest.raises(PuzzleError):
            editor.blank(*size)
        with pytest.raises(PuzzleError):
            editor.resize(drawing, *size)
    for cell, brush in (((1, 0), next(iter(editor.brushes))), ((0, 0), "no such brush")):
        with pytest.raises(PuzzleError):
            editor.paint(drawing, cell, brush)
    for text in ("", "§", "//", "\n"):
        with pytest.raises(PuzzleError):
            editor.size(text)
