"""The solvers of the questions `count`, `solve` and `solutions` about a board of a table.

A count goes from the cheap to the expensive: a SAT solver lists a few solutions, and if there are
no others, they are counted. Otherwise the frontier search counts all of them. Where that is too
large, the SAT solver lists up to `MAX_LISTED` as a lower bound, and finds what is sure.

A solution is written as its moves, from the top left to the bottom right: `o 2,3` for a symbol in a
cell, `- 2,3` for an empty cell, `h 2,3` for a line above a cell and `v 2,3` for one to its left.
"""

from collections.abc import Sequence

from solvers.answers import Answer, CountAnswer, Exact, SolutionsAnswer
from solvers.memory import MEMORY
from solvers.message import Message
from solvers.question import Progress, Run
from solvers.rule_tables import reading
from solvers.rule_tables.areas import Edge
from solvers.rule_tables.boards import Board, write_board
from solvers.rule_tables.clauses import Values
from solvers.rule_tables.frontier import diagram
from solvers.rule_tables.model import Model, Site, Value, model
from solvers.rule_tables.relations import TooLarge
from solvers.rule_tables.search import Search, SolverMissing, listing, possible
from solvers.rule_tables.table import Table
from solvers.solutions import last_number, page_of

FEW = 100
"""The most solutions that are listed before all of them are counted."""
FEW_SLICES = 10
"""The most slices of the solver for that."""
MAX_LISTED = 2000
"""The most solutions that are listed where the frontier search is too large."""
_CHUNK = 500


def count(table: Table, board: Board, memory: int = MEMORY) -> Run[CountAnswer]:
    """Count the solutions of a board.

    Returns a `CountAnswer`, whose `by_move` has the number of solutions with each symbol in each
    cell, and of those with the cell empty. Where the count needs more than `memory` bytes, the
    value is a lower bound that is not proven, and `by_move` has only what is in no solution. Raises
    BadText where the board has no meaning.
    """
    made = model(table, board)
    try:
        listed, is_whole = yield from listing(made, FEW, slices=FEW_SLICES)
    except TooLarge:
        listed, is_whole = [], False
    if is_whole:
        return _answer(table, board, made, listed)
    try:
        reached = yield from diagram(made, memory)
        total = reached.count()
        counts = reached.by_value() if total else []
    except TooLarge as limit:
        return (yield from _bound(table, board, made, too_large(limit)))
    states = sum(len(child) for child in reached.child)
    first = next(reached.paths(), None)
    return _answer(table, board, made, [first] if first is not None else [], total, counts, states)


def _answer(
    table: Table,
    board: Board,
    made: Model,
    solutions: Sequence[Values],
    total: int | None = None,
    counts: Sequence[Sequence[int]] = (),
    states: int | None = None,
) -> CountAnswer:
    """Return a proven count. Without a total, the solutions are all there are."""
    if total is None:
        total = len(solutions)
        counts = [
            [sum(each[at] == value for each in solutions) for value in range(len(values))]
            for at, values in enumerate(made.values)
        ]
    by_move: dict[str, Exact] = {}
    for site, values, numbers in zip(made.sites, made.values, counts if total else ()):
        for value, number in zip(values, numbers):
            for move in _moves_of(site, value):
                by_move[move] = Exact(by_move.get(move, 0) + number)
    moves = checked_line(table, board, made, solutions[0]) if solutions else ()
    return CountAnswer(Exact(total), moves, by_move=by_move, states=states)


def _bound(table: Table, board: Board, made: Model, note: Message) -> Run[CountAnswer]:
    """Return what listing finds where the frontier search is too large."""
    try:
        listed, is_whole = yield from listing(made, MAX_LISTED)
        if is_whole:
            return _answer(table, board, made, listed)
        left = yield from possible(made, listed[0])
    except TooLarge:
        return CountAnswer(proven=False, note=note)
    moves = checked_line(table, board, made, listed[0])
    seen = {
        move
        for site, values, kept in zip(made.sites, made.values, left)
        for value in kept
        for move in _moves_of(site, values[value])
    }
    never = {
        move: Exact(0)
        for site, values in zip(made.sites, made.values)
        for value in values
        for move in _moves_of(site, value)
        if move not in seen
    }
    return CountAnswer(Exact(len(listed)), moves, by_move=never, proven=False, note=note)


def solve(table: Table, board: Board) -> Run[Answer]:
    """Search for one solution. The value is 1, with its moves, or 0 if there is none; it is not
    proven, and has no value, where python-sat is missing. Raises BadText where the board has no
    meaning."""
    made = model(table, board)
    try:
        values = yield from Search(made).solve()
    except TooLarge as limit:
        return Answer(proven=False, note=too_large(limit))
    if values is None:
        return Answer(Exact(0))
    return Answer(Exact(1), checked_line(table, board, made, values))


def solutions(
    table: Table, board: Board, *, first: int = 1, limit: int = 100
) -> Run[SolutionsAnswer]:
    """List `limit` solutions of a board from number `first` on. Each is read by the rules before it
    is returned.

    Returns a `SolutionsAnswer`. It is not proven and has no value where python-sat is missing.
    Raises BadText where the board has no meaning.
    """
    made = model(table, board)
    wanted, lines = last_number(first, limit) + 1, []
    try:
        listed, _ = yield from listing(made, wanted)
    except TooLarge as limit_:
        return SolutionsAnswer(proven=False, note=too_large(limit_))
    for values in listed:
        lines.append(" ".join(checked_line(table, board, made, values)))
        if len(lines) % _CHUNK == 0:
            yield Progress(len(lines), wanted, at_least=len(lines))
    return page_of(lines, first, limit)


def too_large(limit: TooLarge) -> Message:
    """Return the message about a limit that was reached."""
    if isinstance(limit, SolverMissing):
        return Message("This needs the package “python-sat”, which is not installed here.")
    return Message("The board is too large for this table: {limit}.", {"limit": str(limit)})


def checked_line(table: Table, board: Board, made: Model, values: Values) -> tuple[str, ...]:
    """Return a solution as moves, in the order of the cells. Raise RuntimeError unless it solves
    the board, read slowly by the rules alone."""
    filling = {site: each[value] for site, each, value in zip(made.sites, made.values, values)}
    order = sorted(filling, key=_place)
    moves = tuple(
        move for site in order if filling[site] for move in _moves_of(site, filling[site])
    )
    if not reading.holds(table, board, filling):
        raise RuntimeError(f"no solution of {write_board(board)}: {' '.join(moves)}")
    return moves


def _place(site: Site) -> tuple[int, int, str]:
    return (site.row, site.column, site.direction) if isinstance(site, Edge) else (*site, "")


def _moves_of(site: Site, value: Value) -> list[str]:
    """Return the moves that make a value of a site."""
    if isinstance(site, Edge):
        return [f"{site.direction} {site.row + 1},{site.column + 1}"] if value else []
    row, column = site
    return [f"{letter} {row + 1},{column + 1}" for letter in sorted(value) or ["-"]]
