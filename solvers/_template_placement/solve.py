"""The number of ways to place the queens, and a generator of puzzles with few of them."""

import random
from collections.abc import Iterator

from solvers import defaults
from solvers._template_placement import BARRED, FREE, QUEEN, Board, attacks, queens
from solvers.answers import CountAnswer, Exact, GenerateAnswer
from solvers.grid import ToolMove
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Progress, Run

PLACEMENTS_PER_REPORT = 2000
"""The number of placements between two progress reports."""


def count(kind: Kind[Board, ToolMove], position: Board) -> Run[CountAnswer]:
    """Count the ways to place the remaining queens. The answer has the first of them as `moves`.

    `by_move` maps the move to each free square to the number of solutions with a queen there.
    """
    free = (cell for cell in position.cells() if position.letter(cell) == FREE)
    total, by_cell = 0, dict.fromkeys(free, 0)
    moves: tuple[str, ...] = ()
    for number, placed in enumerate(_placements(position)):
        if placed is not None:
            total += 1
            for cell in placed:
                by_cell[cell] += 1
            moves = moves or tuple(kind.write_move(ToolMove(QUEEN, cell)) for cell in placed)
        if number % PLACEMENTS_PER_REPORT == 0:
            yield Progress(0, 1, at_least=total)
    legal = {move.cell for move in kind.moves(position)}
    by_move = {
        kind.write_move(ToolMove(QUEEN, cell)): Exact(number)
        for cell, number in by_cell.items()
        if cell in legal
    }
    return CountAnswer(Exact(total), moves, by_move=by_move)


def _placements(position: Board) -> Iterator[tuple[Cell, ...] | None]:
    """Yield the added queens of every solution, row by row, and None at each dead end."""
    standing = queens(position)
    if any(attacks(one, other) for one in standing for other in standing):
        yield None
        return
    taken = {row for row, _ in standing}
    rows = [row for row in range(position.rows) if row not in taken]

    def place(number: int, placed: tuple[Cell, ...]) -> Iterator[tuple[Cell, ...] | None]:
        if number == len(rows):
            yield placed
            return
        row, before = rows[number], (*standing, *placed)
        for column in range(position.columns):
            cell = row, column
            if position.letter(cell) == FREE and not any(attacks(q, cell) for q in before):
                yield from place(number + 1, (*placed, cell))
        yield None

    yield from place(0, ())


def generate(
    kind: Kind[Board, ToolMove],
    position: Board,
    *,
    size: int,
    barred: int,
    solutions: list[int],
    many: int,
    seed: int,
) -> Run[GenerateAnswer]:
    """Generate square boards with random barred squares.

    `size` is the number of rows and of columns, and `barred` the number of barred squares.
    `solutions` is the range of the number of solutions, [least, most]. The position does not
    matter. The same seed yields the same boards.
    """
    rng = random.Random(seed)

    def starts() -> Iterator[Board]:
        while True:
            letters = [FREE] * size**2
            for at in rng.sample(range(size**2), min(barred, size**2)):
                letters[at] = BARRED
            rows = ("".join(letters[row * size :][:size]) for row in range(size))
            yield kind.read_start("/".join(rows))

    note = Message("No more boards like this were found. Try another number of squares.")
    return (yield from defaults.select_boards(kind, starts(), solutions, many, note))
