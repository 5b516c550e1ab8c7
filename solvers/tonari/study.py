"""The question `study`: the study's own searches, built again in plain Python.

For the lesson on how a search of 30 days became one of a blink, and as the benchmark's
baseline. After となりオセロ (2010-08-15): one board, changed and changed back by a recursive
search; each point knows its stone (0 none, 1 black, 2 white), its empty orthogonal neighbours
and its empty neighbours all round; boards seen are kept in a list for each number of stones.
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
"""The five prunings of the study's search, the steps of its ladder: name and explanation."""

ALL, PARITY, DIAGONAL, OTHER_DIAGONAL, CLOSED, SAME = range(6)
"""How far the study's search goes: all orders, or with the first so many of the prunings."""

_REPORT = 2000
"""Boards between two signs of life."""


def study(kind: Kind[Position, Cell], position: Position, *, step: int = SAME) -> Run[StudyAnswer]:
    """Ask the study's search for its number of solutions, after `step` of its five prunings.

    The value with `step` 0 is the number of orders that reach the target. Without a solution the
    `note` is the reason, where one is seen.
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
    """The study's program, with the target's colours in the place of all black."""

    def __init__(self, position: Position, step: int) -> None:
        self._step = step
        self._rows, self._columns = position.rows, position.columns
        self._wanted = {c: 2 if rules.wants_white(position, c) else 1 for c in position.cells}
        cells = list(position.cells)
        self._beside = {c: list(neighbours(c, position.rows, position.columns)) for c in cells}
        self._round = {
            (r, c): [o for o in cells if max(abs(o[0] - r), abs(o[1] - c)) == 1] for r, c in cells
        }
        now = rules.colours(position)
        self._board = {
            cell: [
                1 + now[cell] if cell in now else 0,
                sum(other not in now for other in self._beside[cell]),
                sum(other not in now for other in self._round[cell]),
            ]
            for cell in cells
        }
        self.stones = list(now)
        self._seen: list[list[str]] = [[] for _ in range(len(cells) + 1)]
        self.boards = self.orders = self.found = 0

    def run(self, stones: int) -> Run[None]:
        """Try all moves on the board, which bears so many stones."""
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
        cells = [c for c, (s, _, e) in board.items() if not s and e < len(self._round[c])]
        if step >= PARITY:
            cells = [c for c in cells if board[c][1] % 2 == self._wanted[c] - 1]
        if step >= CLOSED:
            cells = [c for c in cells if board[c][1]]
        last = self._rows - 1
        if step >= DIAGONAL and self._is_symmetric(lambda r, c: (c, r)):
            cells = [(r, c) for r, c in cells if r <= c]
        # The study looks at the other diagonal from as many stones on as there are rows.
        late = step >= OTHER_DIAGONAL and stones >= self._rows
        if late and self._is_symmetric(lambda r, c: (last - c, last - r)):
            cells = [(r, c) for r, c in cells if r + c <= last]
        return cells

    def _is_solved(self) -> bool:
        """Return whether the target stands, or will once the closed points are filled.

        From PARITY on every stone has the right fate; a closed point will be black.
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
        """Put a stone down, or take it away: what is near has one empty neighbour more or less."""
        board = self._board
        board[cell][0] = stone
        for other in self._round[cell]:
            board[other][2] += by
        for other in self._beside[cell]:
            board[other][1] += by
            if board[other][0]:
                board[other][0] = 3 - board[other][0]
