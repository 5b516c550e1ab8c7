"""The solvers of the questions `count`, `solutions` and `explain` about a board of a table.

A solution is written as its moves, from the top left to the bottom right: `o 2,3` for a symbol in a
cell, `- 2,3` for an empty cell, `h 2,3` for a line above a cell and `v 2,3` for one to its left.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from solvers.answers import CountAnswer, Exact, SolutionsAnswer
from solvers.memory import MEMORY
from solvers.message import Message
from solvers.question import Progress, Run
from solvers.rule_tables import reading
from solvers.rule_tables.areas import Edge
from solvers.rule_tables.boards import Board, write_board
from solvers.rule_tables.frontier import Diagram, diagram
from solvers.rule_tables.model import Model, Site, Value, model
from solvers.rule_tables.questions import ExplainAnswer
from solvers.rule_tables.relations import TooLarge
from solvers.rule_tables.table import Table
from solvers.solutions import last_number, page_of

_CHUNK = 500


def count(table: Table, board: Board, memory: int = MEMORY) -> Run[CountAnswer]:
    """Count the solutions of a board.

    Returns a `CountAnswer`, whose `by_move` has the number of solutions with each symbol in each
    cell, and of those with the cell empty. It is not proven and has no value where the count needs
    more than `memory` bytes. Raises BadText where the board has no meaning.
    """
    made = model(table, board)
    try:
        reached = yield from diagram(made, memory)
        total = reached.count()
        by_move: dict[str, Exact] = {}
        for site, values, numbers in zip(
            made.sites, made.values, reached.by_value() if total else ()
        ):
            for value, number in zip(values, numbers):
                for move in _moves_of(site, value):
                    by_move[move] = Exact(by_move.get(move, 0) + number)
    except TooLarge as limit:
        return CountAnswer(proven=False, note=_too_large(limit))
    moves = next(_lines(made, reached), ()) if total else ()
    _check(table, board, made, moves)
    return CountAnswer(
        Exact(total),
        tuple(moves),
        by_move=by_move,
        states=sum(len(child) for child in reached.child),
    )


def solutions(
    table: Table, board: Board, *, first: int = 1, limit: int = 100, memory: int = MEMORY
) -> Run[SolutionsAnswer]:
    """List `limit` solutions of a board from number `first` on. Each is read by the rules before it
    is returned.

    Returns a `SolutionsAnswer`. It is not proven and has no value where the search needs more than
    `memory` bytes. Raises BadText where the board has no meaning.
    """
    made = model(table, board)
    try:
        reached = yield from diagram(made, memory)
    except TooLarge as limit_:
        return SolutionsAnswer(proven=False, note=_too_large(limit_))
    wanted, lines = last_number(first, limit) + 1, []
    for line in _lines(made, reached):
        _check(table, board, made, line)
        lines.append(" ".join(line))
        if len(lines) % _CHUNK == 0:
            yield Progress(len(lines), wanted, at_least=len(lines))
        if len(lines) == wanted:
            break
    return page_of(lines, first, limit)


def explain(table: Table, board: Board, memory: int = MEMORY) -> Run[ExplainAnswer]:
    """Find rules that contradict each other on a board.

    Returns an `ExplainAnswer`. It names no rules where the board has solutions. It is not proven
    where a count needs more than `memory` bytes. Raises BadText where the board has no meaning.
    """
    try:
        total = (yield from diagram(model(table, board), memory)).count()
        if total:
            return ExplainAnswer(Exact(total))
        needed = list(range(len(table.rules)))
        for number in range(len(table.rules)):
            fewer = [each for each in needed if each != number]
            if not (yield from diagram(model(_only(table, fewer), board), memory)).count():
                needed = fewer
        without = {}
        for number in needed:
            rest = [each for each in range(len(table.rules)) if each != number]
            left = (yield from diagram(model(_only(table, rest), board), memory)).count()
            without[str(number + 1)] = Exact(left)
    except TooLarge as limit:
        return ExplainAnswer(proven=False, note=_too_large(limit))
    return ExplainAnswer(Exact(0), rules=tuple(each + 1 for each in needed), without=without)


def _only(table: Table, rules: list[int]) -> Table:
    return replace(table, rules=tuple(table.rules[number] for number in rules))


def _too_large(limit: TooLarge) -> Message:
    return Message("The board is too large for this table: {limit}.", {"limit": str(limit)})


def _lines(made: Model, found: Diagram) -> Iterator[tuple[str, ...]]:
    """Yield every solution of a diagram as moves, in the order of the cells."""
    order = sorted(range(len(made.sites)), key=lambda number: _place(made.sites[number]))
    for values in found.paths():
        picked = [(made.sites[at], made.values[at][values[at]]) for at in order]
        yield tuple(move for site, value in picked for move in _moves_of(site, value) if value)


def _place(site: Site) -> tuple[int, int, str]:
    return (site.row, site.column, site.direction) if isinstance(site, Edge) else (*site, "")


def _moves_of(site: Site, value: Value) -> list[str]:
    """Return the moves that make a value of a site."""
    if isinstance(site, Edge):
        return [f"{site.direction} {site.row + 1},{site.column + 1}"] if value else []
    row, column = site
    return [f"{letter} {row + 1},{column + 1}" for letter in sorted(value) or ["-"]]


def _check(table: Table, board: Board, made: Model, moves: tuple[str, ...]) -> None:
    """Raise RuntimeError unless the moves solve the board, read slowly by the rules alone."""
    filling: dict[Site, Value] = dict.fromkeys(made.sites, frozenset())
    for site, values in zip(made.sites, made.values):
        for value in values:
            if value and set(_moves_of(site, value)) <= set(moves):
                filling[site] = filling[site] | value
    if moves and not reading.holds(table, board, filling):
        raise RuntimeError(f"no solution of {write_board(board)}: {' '.join(moves)}")
