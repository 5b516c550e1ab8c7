"""The number of solutions of the template, by recursion over the rules."""

from collections.abc import Iterator

from solvers._template_sequence import Row
from solvers.answers import CountAnswer, Exact
from solvers.kind import Cell, Kind
from solvers.question import Progress, Run


def count(kind: Kind[Row, Cell], position: Row) -> Run[CountAnswer]:
    """Count the solutions from the position. The answer has the first of them as `moves`."""
    number = 0
    moves: tuple[str, ...] = ()
    for line in _solutions(kind, position):
        number, moves = number + 1, moves or line
        yield Progress(0, 1, at_least=number)
    return CountAnswer(Exact(number), moves)


def _solutions(kind: Kind[Row, Cell], position: Row) -> Iterator[tuple[str, ...]]:
    if kind.judge(position).solved:
        yield ()
    for move in kind.moves(position):
        for line in _solutions(kind, kind.play(position, move)):
            yield kind.write_move(move), *line
