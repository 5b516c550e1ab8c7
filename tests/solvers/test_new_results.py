"""The results of the page "New results", tested from the rules alone, without any solver."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

import pytest

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
FREE = 4
"""As way back: no direction is forbidden."""


class Boards:
    """All boards of a size, as bits row by row, with their numbers of solutions."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.points = rows * columns
        self.rays = [
            [self._ray(*divmod(point, columns), *step) for step in STEPS]
            for point in range(self.points)
        ]
        self._ways = cache(self._count_ways)

    def _ray(self, row: int, column: int, down: int, right: int) -> list[int]:
        seen = []
        while (
            0 <= (row := row + down) < self.rows and 0 <= (column := column + right) < self.columns
        ):
            seen.append(row * self.columns + column)
        return seen

    def _count_ways(self, rest: int, here: int, back: int) -> int:
        if not rest:
            return 1
        total = 0
        for direction, ray in enumerate(self.rays[here]):
            stone = next((point for point in ray if rest >> point & 1), None)
            if direction != back and stone is not None:
                total += self._ways(rest ^ 1 << stone, stone, (direction + 2) % 4)
        return total

    def solutions(self, board: int) -> int:
        """Return the number of solutions of a board."""
        starts = (point for point in range(self.points) if board >> point & 1)
        return sum(self._ways(board ^ 1 << start, start, FREE) for start in starts)

    def all(self) -> range:
        """Return all boards with a stone."""
        return range(1, 1 << self.points)

    def column(self, board: int, column: int) -> int:
        """Return how many stones stand in a column."""
        return sum(board >> row * self.columns + column & 1 for row in range(self.rows))


# Two lines


def expected(boards: Boards, board: int) -> str:
    """Return what the theorem of the page says of a board on two lines."""
    stones = [boards.column(board, column) for column in range(boards.columns)]
    taken = [column for column, number in enumerate(stones) if number]
    if board.bit_count() == 1:
        return "one"
    if 2 in (stones[taken[0]], stones[taken[-1]]):
        return "many"
    row = 0 if board >> taken[0] & 1 else 1
    for column in taken[1:]:
        if not board >> row * boards.columns + column & 1:
            return "none"
        if stones[column] == 2:
            row = 1 - row
    return "two"


@pytest.mark.parametrize("columns", range(1, 7))
def test_the_theorem_about_two_lines(columns):
    boards = Boards(2, columns)
    solvable = 0
    for board in boards.all():
        number = boards.solutions(board)
        solvable += number > 0
        said = expected(boards, board)
        if said == "many":
            assert number >= 2
        else:
            assert number == {"one": 1, "two": 2, "none": 0}[said]
    assert solvable == (10 * 4**columns + 9 * 3**columns + 6 * columns - 19) // 18


def test_only_single_stones_have_exactly_one_solution_on_two_lines():
    boards = Boards(2, 7)
    unique = [board for board in boards.all() if boards.solutions(board) == 1]
    assert unique == [1 << point for point in range(14)]


@pytest.mark.parametrize("columns", range(1, 11))
def test_the_formula_of_the_full_boards_on_two_lines(columns):
    boards = Boards(2, columns)
    number = boards.solutions((1 << boards.points) - 1)
    assert 3 * number == 2 * 3**columns + 2**columns + 2 * (-1) ** columns


# Few stones


def test_a_board_with_a_solution_has_one_line_more_than_stones_at_most():
    boards = Boards(3, 4)
    for board in boards.all():
        if boards.solutions(board):
            cells = [divmod(point, 4) for point in range(12) if board >> point & 1]
            lines = len({row for row, _ in cells}) + len({column for _, column in cells})
            assert lines <= len(cells) + 1


def test_no_board_of_two_to_four_stones_has_exactly_one_solution():
    """Four stones take up four rows and four columns at most."""
    boards = Boards(4, 4)
    for stones in range(2, 5):
        for points in combinations(range(16), stones):
            assert boards.solutions(sum(1 << point for point in points)) != 1


@pytest.mark.parametrize(("rows", "columns", "different"), [(3, 4, 3), (4, 4, 0), (3, 5, 0)])
def test_three_puzzles_have_seven_stones_and_one_solution(rows, columns, different):
    """The other sizes of at most eight lines have one row or two."""
    boards = Boards(rows, columns)
    found = set()
    for points in combinations(range(boards.points), 7):
        cells = {divmod(point, columns) for point in points}
        has_gap = len({r for r, _ in cells}) < rows or len({c for _, c in cells}) < columns
        if not has_gap and boards.solutions(sum(1 << point for point in points)) == 1:
            images = (
                tuple(sorted((abs(down - r), abs(right - c)) for r, c in cells))
                for down, right in product((0, rows - 1), (0, columns - 1))
            )
            found.add(min(images))
    assert len(found) == different


# Many stones


@pytest.mark.parametrize(("columns", "most"), [(4, 7), (5, 10)])
def test_the_most_stones_of_a_board_of_three_rows_with_one_solution(columns, most):
    boards = Boards(3, columns)
    many = [board for board in boards.all() if board.bit_count() >= most]
    unique = [board for board in many if boards.solutions(board) == 1]
    assert {board.bit_count() for board in unique} == {most}


# Tonari Othello


Cells = frozenset[tuple[int, int]]


def moves(cells: Cells, taken: Cells) -> Iterator[tuple[Cells, bool]]:
    """Yield what is taken after each legal move, and whether the new stone will end black.

    It will if the number of its empty orthogonal neighbours is even.
    """
    for row, column in cells - taken:
        around = {(row + down, column + right) for down, right in product((-1, 0, 1), repeat=2)}
        if around & taken:
            empty = sum((row + down, column + right) in cells - taken for down, right in STEPS)
            yield taken | {(row, column)}, empty % 2 == 0


def orders_to_all_black(rows: int, columns: int) -> int:
    """Return the number of orders from the corner to all black, set by set.

    The corner has two empty neighbours at the beginning, so its stone ends black.
    """
    cells = frozenset(product(range(rows), range(columns)))
    ways = {frozenset([(0, 0)]): 1}
    for _ in range(len(cells) - 1):
        following: dict[Cells, int] = {}
        for taken, number in ways.items():
            for after, is_black in moves(cells, taken):
                if is_black:
                    following[after] = following.get(after, 0) + number
        ways = following
    return sum(ways.values())


TO_ALL_BLACK = {
    **{(2, 2): 2, (2, 4): 36, (2, 6): 1740, (3, 3): 304, (3, 5): 251362, (4, 4): 5813496},
    **{(2, 3): 0, (2, 5): 0, (3, 4): 0},
}


@pytest.mark.parametrize("size", TO_ALL_BLACK)
def test_orders_to_all_black(size):
    assert orders_to_all_black(*size) == TO_ALL_BLACK[size]


def chance(side: int) -> float:
    """Return the chance that legal moves at random end all black."""
    cells = frozenset(product(range(side), repeat=2))

    @cache
    def go_on(taken: Cells) -> float:
        if taken == cells:
            return 1
        found = list(moves(cells, taken))
        return sum(go_on(after) for after, is_black in found if is_black) / len(found)

    return go_on(frozenset([(0, 0)]))


def test_not_every_order_is_equally_likely():
    """On 3x3 the chance is lower than the share of the orders; on 4x4 it is about the same."""
    assert round(100 * chance(3), 1) == 2.2 < round(100 * 304 / 9240, 2) == 3.29
    assert round(100 * chance(4), 3) == 0.033 > round(100 * 5813496 / 19157271840, 3) == 0.030
