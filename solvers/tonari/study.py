"""The question `study`: the study's own searches, rebuilt in plain Python.

A lesson shows with them how a search of 30 days became one of an instant, and the benchmark uses
them as its baseline. The source is the study となりオセロ (2010-08-15). One board is changed and
restored by a recursive search. Each point stores its stone (0 none, 1 black, 2 white), the number
of its empty orthogonal neighbours, and the number of empty cells among its eight neighbours. The
boards that were seen are kept in a list for each number of stones.
"""

import time
from collections.abc import Callable

from solvers.answers import Exact
from solvers.grid import neighbours
from solvers.kind import Cell, Kind
from solvers.message import Message, gettext_noop
from solvers.question import Progress, Run
from solvers.tonari import rules
from solvers.tonari.questions import StudyAnswer, figures
from solvers.tonari.rules import Position

STEPS = (
    (
        gettext_noop("Parity"),
        gettext_noop(
            "A stone put beside an even number of empty points ends black, beside an odd number "
            "white. Only moves that give the wanted colour are tried: what is left are the "
            "orders that reach the target."
        ),
    ),
    (
        gettext_noop("Diagonal"),
        gettext_noop(
            "While the stones lie symmetric to the diagonal from the top left, only points on or "
            "above it are tried: the others would give mirror images."
        ),
    ),
    (
        gettext_noop("Other diagonal"),
        gettext_noop(
            "The same for the diagonal from the top right, once there are as many stones as the "
            "board has rows."
        ),
    ),
    (
        gettext_noop("Closed points"),
        gettext_noop(
            "A point whose neighbours above, below, left and right are all taken changes nothing "
            "any more. It is left empty, and the order ends when only such points are left."
        ),
    ),
    (
        gettext_noop("Same stones"),
        gettext_noop("Different orders that lead to the same stones on the board count once."),
    ),
)
"""The name and the explanation of each of the five prunings of the study, the steps of its
ladder."""

ALL, PARITY, DIAGONAL, OTHER_DIAGONAL, CLOSED, SAME = range(6)
"""How many of the prunings the search uses, from none (`ALL`) to all five (`SAME`)."""

_REPORT = 2000
"""Boards between two progress reports."""


def study(kind: Kind[Position, Cell], position: Position, *, step: int = SAME) -> Run[StudyAnswer]:
    """Search for solutions as the study does, with the first `step` of its five prunings.

    Returns a `StudyAnswer`. With `step` 0 the value is the number of orders that reach the target.
    Where there is no solution, `note` is the reason, if one is seen without a search.
    """
    search = _Search(position, step)
    began = time.perf_counter()
    yield from search.run(len(search.stones))
    seconds = round(time.perf_counter() - began, 4)
    orders = Exact(search.orders) if step == ALL else None
    return StudyAnswer(
        Exact(search.found),
        note=None if search.found else rules.obstacle(position),
        seconds=seconds,
        looked_at=search.boards,
        orders=orders,
        tables=(
            figures(
                Message("What"),
                (Message("Solutions found"), search.found),
                (Message("Orders tried to their end"), orders),
                (Message("Boards looked at"), search.boards),
                (Message("Seconds"), seconds),
            ),
        ),
    )


class _Search:
    """The study's program, generalised from an all-black board to any target."""

    def __init__(self, position: Position, step: int) -> None:
        self._step = step
        self._rows, self._columns = position.rows, position.columns
        self._wanted = {c: 2 if rules.wants_white(position, c) else 1 for c in position.cells}
        cells = list(position.cells)
        self._beside = {c: list(neighbours(c, position.rows, position.columns)) for c in cells}
        self._around = {
            (r, c): [o for o in cells if max(abs(o[0] - r), abs(o[1] - c)) == 1] for r, c in cells
        }
        now = rules.colours(position)
        self._board = {
            cell: [
                1 + now[cell] if cell in now else 0,
                sum(other not in now for other in self._beside[cell]),
                sum(other not in now for other in self._around[cell]),
            ]
            for cell in cells
        }
        self.stones = list(now)
        self._seen: list[list[str]] = [[] for _ in range(len(cells) + 1)]
        self.boards = self.orders = self.found = 0

    def run(self, stones: int) -> Run[None]:
        """Search all moves on the board, which has this number of stones."""
        board, step = self._board, self._step
        for cell in self._next(stones):
            self._set(cell, 1, -1)
            self.boards += 1
            if self.boards % _REPORT == 0:
                yield Progress(0, 1, None, self.found)
            if not (step == SAME and self._is_known(stones + 1)):
                if any(not s and (step < CLOSED or e) for s, e, _ in board.values()):
                    yield from self.run(stones + 1)
                else:
                    self.orders += 1
                    self.found += self._is_solved()
            self._set(cell, 0, 1)

    def _next(self, stones: int) -> list[Cell]:
        board, step = self._board, self._step
        cells = [c for c, (s, _, e) in board.items() if not s and e < len(self._around[c])]
        if step >= PARITY:
            cells = [c for c in cells if board[c][1] % 2 == self._wanted[c] - 1]
        if step >= CLOSED:
            cells = [c for c in cells if board[c][1]]
        last = self._rows - 1
        if step >= DIAGONAL and self._is_symmetric(lambda r, c: (c, r)):
            cells = [(r, c) for r, c in cells if r <= c]
        # The study tests the other diagonal once there are as many stones as rows.
        late = step >= OTHER_DIAGONAL and stones >= self._rows
        if late and self._is_symmetric(lambda r, c: (last - c, last - r)):
            cells = [(r, c) for r, c in cells if r + c <= last]
        return cells

    def _is_solved(self) -> bool:
        """Return whether the board shows the target, now or once its closed points are filled.

        From PARITY on every stone gets the colour the target wants. A closed point becomes black.
        """
        if self._step == ALL:
            return all(self._board[c][0] == colour for c, colour in self._wanted.items())
        return all(stone or self._wanted[c] == 1 for c, (stone, _, _) in self._board.items())

    def _is_symmetric(self, image: Callable[[int, int], Cell]) -> bool:
        board = self._board
        return self._rows == self._columns and all(
            stone == board[image(r, c)][0] for (r, c), (stone, _, _) in board.items() if stone
        )

    def _is_known(self, stones: int) -> bool:
        pattern = "".join(str(stone) for stone, _, _ in self._board.values())
        known = pattern in self._seen[stones]
        if not known:
            self._seen[stones].append(pattern)
        return known

    def _set(self, cell: Cell, stone: int, by: int) -> None:
        """Put a stone down (`by` -1) or take it away (`by` 1), and update the cells around it."""
        board = self._board
        board[cell][0] = stone
        for other in self._around[cell]:
            board[other][2] += by
        for other in self._beside[cell]:
            board[other][1] += by
            if board[other][0]:
                board[other][0] = 3 - board[other][0]
