"""Moves from one cell to another show both cells wherever moves are shown."""

import pytest

from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.player import numbered, side_by_side
from puzzleclass.stats.route_map import route_map
from solvers.grid import centre
from solvers.picture import CELL, Circle, Line, Text
from solvers.registry import get_kind

pytestmark = pytest.mark.django_db

START, LINE = "3/3/3 R", "R 1,2 R1,2> 1,1"
WAY = Line(*centre((0, 1)), *centre((0, 0)), "move-way")


def test_a_numbered_board_leads_to_the_number_from_where_the_move_began():
    kind = get_kind("kikazu")
    picture = numbered(kind, kind.draw(kind.read(START)), ["R 1,2", "R1,2> 1,1"])
    way, first, second = picture.shapes[-3:]
    assert way == WAY
    assert first == Text(*centre((0, 1)), "1", "label")
    assert second == Text(*centre((0, 0)), "2", "label")


def test_the_map_of_a_class_shows_where_moves_came_from(
    classroom, assign, make_puzzle, tried, student
):
    puzzle = assign(classroom, make_puzzle("kikazu", "3/3/3 2R", "Rooks")).puzzles.get()
    tried(student, puzzle, LINE)
    class_map = route_map(puzzle)
    assert {taken.cells for taken in class_map.taken} == {((0, 1),), ((0, 1), (0, 0))}
    assert WAY in class_map.picture.shapes


def test_two_boards_side_by_side_ring_both_cells_of_a_move():
    puzzle = Puzzle(kind_slug="kikazu", position=START)
    (one, _), _ = side_by_side(puzzle, [LINE, "R 1,2"], (1, 2), None)
    rings = {
        (int(shape.y // CELL), int(shape.x // CELL))
        for shape in one.player.picture.shapes
        if isinstance(shape, Circle) and shape.style == "changed"
    }
    assert rings == {(0, 0), (0, 1)}
