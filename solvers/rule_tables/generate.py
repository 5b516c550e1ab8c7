"""Boards of a table's kind with one solution, made around a random one.

A random filling that obeys the rules becomes the solution. Rooms grow around its symbols. All its
symbols and all the numbers that the table lets an author draw are printed, and then taken away
again in a random order, as long as the solution stays the only one.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec.structs import replace as changed

from solvers.answers import Exact, GenerateAnswer, GeneratedBoard, RateAnswer
from solvers.grid import neighbours
from solvers.message import Message, gettext_noop
from solvers.options import ANY
from solvers.question import Progress, Run, within
from solvers.rule_tables.boards import EMPTY, RIMS, WALL, Board, Drawn, write_board
from solvers.rule_tables.count import too_large
from solvers.rule_tables.model import Model, model, place
from solvers.rule_tables.numbers import compares_numbers, has_pearls, numbers_of, pearls_of, rims_of
from solvers.rule_tables.position import TablePosition
from solvers.rule_tables.reading import Filling, holds
from solvers.rule_tables.relations import TooLarge
from solvers.rule_tables.rooms import rooms_around, rooms_before, stays_whole
from solvers.rule_tables.search import Search
from solvers.rule_tables.table import Table
from solvers.rule_tables.turning import canonical

if TYPE_CHECKING:
    from solvers.rule_tables.kind import TableKind

STARTS_PER_BOARD = 30
"""The most random starts for each board that is wanted."""
MAX_REPAIRS = 60
"""The most changes of rooms that are made to leave one solution."""
LONG_LINES = 0.9
"""The share of places at which a line is drawn if it can be, and not at random."""
MAX_ROUNDS = 12
"""The most rounds of the search for a solution with another value."""
WALLS = 0.18
"""The share of squares that become walls."""
SYMBOLS = 0.2
"""The share of squares that get symbols to which lines lead."""
MAX_PRINTED = 60
"""The most random numbers of a solution that are tried where a rule compares them."""
MAX_FILLINGS = 8
"""The most solutions of a board that are tried to become its only one."""
COMPLETE_SECONDS = 20.0

NO_SOLUTION = gettext_noop("This board has no solution, so there is none to which it can be led.")
NOTHING_LEFT = gettext_noop(
    "On each board that was found, everything is given already. Add a rule with “at least” or "
    "“exactly”."
)
NOT_FOUND = gettext_noop("Several solutions were tried, and none of them became the only one.")
NOT_IN_TIME = gettext_noop("No board with one solution was found in the time there is.")


def generate(
    kind: "TableKind", position: TablePosition, *, size: int, difficulty: str, many: int, seed: int
) -> Run[GenerateAnswer]:
    """Generate square boards with one solution.

    `size` is the number of rows and columns, and `difficulty` a band of `rate`, or any. The
    position does not matter. The same seed yields the same boards.
    """
    rng = random.Random(seed)
    boards: dict[str, GeneratedBoard] = {}
    for start in range(many * STARTS_PER_BOARD):
        so_far = GenerateAnswer(boards=tuple(boards.values()))
        yield Progress(start, many * STARTS_PER_BOARD, at_least=len(boards), found=so_far)
        try:
            board = yield from _board(kind, rng, size)
        except TooLarge as limit:
            return GenerateAnswer(proven=False, note=too_large(limit))
        if board is None:
            continue
        made = kind.read_start(write_board(board))
        if kind.judge(made).solved:
            continue
        if difficulty != ANY:
            rated: RateAnswer = yield from kind.questions["rate"].ask(kind, made)
            if rated.band != difficulty:
                continue
        key = kind.canonical(made)
        boards.setdefault(key, GeneratedBoard(position=kind.write_start(made), solutions=Exact(1)))
        if len(boards) == many:
            break
    note = Message("No more boards like this were found. Try another size or difficulty.")
    return GenerateAnswer.of(boards.values(), many, note)


def redraw(kind: "TableKind", position: TablePosition, *, seed: int) -> Run[GenerateAnswer]:
    """Return a random board of the position's size. It need not have a solution."""
    table, rng = kind.table, random.Random(seed)
    rows, columns = position.board.rows, position.board.columns
    board = _blank(table, rng, rows, columns)
    if "rooms" in table.draws and not board.rooms:
        filling = yield from _filling(_without_rooms(table), board, rng)
        if filling is not None:
            board = replace(board, rooms=rooms_around(table, board, filling, rng))
    text = write_board(canonical(board))
    return GenerateAnswer(Exact(1), boards=(GeneratedBoard(position=text),))


def complete(kind: "TableKind", position: TablePosition, *, seed: int) -> Run[GenerateAnswer]:
    """Add numbers and symbols to a board until one solution is left, or change its rooms.

    Several solutions are tried, first with what the table lets an author print, and then with given
    symbols, too. An answer without a board says why there is none.
    """
    rng, note = random.Random(seed), NOT_IN_TIME
    for adds_symbols in (False, True):
        work = _completed(kind, position, rng, adds_symbols)
        found = yield from within(work, COMPLETE_SECONDS / 2)
        if isinstance(found, Board):
            made = GeneratedBoard(position=write_board(found), solutions=Exact(1))
            return GenerateAnswer(Exact(1), boards=(made,))
        if found == NO_SOLUTION:
            return GenerateAnswer(Exact(0), note=Message(NO_SOLUTION))
        note = found or NOT_IN_TIME
    return GenerateAnswer(Exact(0), proven=False, note=Message(note))


def _completed(
    kind: "TableKind", position: TablePosition, rng: random.Random, adds_symbols: bool
) -> Run[Board | str]:
    """Return the board with one solution, or why there is none.

    Given symbols are added to a solution that has as many as possible: no other solution has them
    all.
    """
    table, board, note = kind.table, position.board, NOT_FOUND
    if adds_symbols:
        table = changed(table, draws=tuple(dict.fromkeys((*table.draws, "givens"))))
    for number in range(MAX_FILLINGS):
        yield Progress(number, MAX_FILLINGS)
        filling = yield from _filling(table, board, rng, is_full=adds_symbols)
        if filling is None:
            return NO_SOLUTION
        printed, made = _printed(table, board, filling, rng), None
        if len((yield from _solutions(table, printed))) == 1:
            made = printed
            if not compares_numbers(table):
                made = yield from _reduced(table, printed, filling, rng, board)
        elif board.rooms:
            made = yield from _repaired(table, printed, filling, rng)
        if made is None:
            continue
        if not kind.judge(kind.start(replace(position, board=made))).solved:
            return made
        note = NOTHING_LEFT
    return note


def _board(kind: "TableKind", rng: random.Random, size: int) -> Run[Board | None]:
    """Return a random board with one solution, or None if this start leads to none."""
    table = kind.table
    board = _blank(table, rng, size, size)
    if table.printed and not has_pearls(table):
        board = yield from _with_symbols(table, board, rng)
    grows = "rooms" in table.draws and not board.rooms
    free = _without_rooms(table) if grows else table
    filling = yield from _filling(free, board, rng)
    if filling is None:
        return None
    if grows:
        board = replace(board, rooms=rooms_around(table, board, filling, rng))
        if not holds(table, board, filling):
            return None
        grown = yield from _repaired(table, board, filling, rng)
        if grown is None:
            return None
        board = grown
        if "givens" not in table.draws:
            return board
    printed = _printed(table, board, filling, rng)
    for _ in range(MAX_PRINTED if compares_numbers(table) else 1):
        if len((yield from _solutions(table, printed))) == 1:
            break
        printed = _printed(table, board, filling, rng)
    else:
        return None
    if compares_numbers(table):
        return printed
    return (yield from _reduced(table, printed, filling, rng))


def _blank(table: Table, rng: random.Random, rows: int, columns: int) -> Board:
    """Return a board with random walls, and with the rooms that do not depend on a solution."""
    board = Board(rows, columns, EMPTY * (rows * columns))
    if "walls" in table.draws:
        cells = [WALL if rng.random() < WALLS else EMPTY for _ in board.cells]
        board = replace(board, cells="".join(cells))
    if "rooms" in table.draws and (table.each != (1, 1) or rows == columns):
        board = replace(board, rooms=rooms_before(table, board, rng))
    return board


def _with_symbols(table: Table, board: Board, rng: random.Random) -> Run[Board]:
    """Return the board with as many symbols on random cells as leave it a solution, at most
    `SYMBOLS` of them."""
    order = rng.sample(range(len(board.cells)), len(board.cells))
    most = round(SYMBOLS * len(order))
    for at in order:
        sign = rng.choice(table.given)
        cells = board.cells[:at] + sign + board.cells[at + 1 :]
        more = replace(board, cells=cells)
        if (yield from Search(model(table, more)).solve()) is not None:
            board = more
        if len(board.cells) - board.cells.count(EMPTY) >= most:
            break
    return board


def _without_rooms(table: Table) -> Table:
    rules = tuple(rule for rule in table.rules if rule.where not in ("room", "gate", "stretch"))
    return changed(table, rules=rules)


def _filling(
    table: Table, board: Board, rng: random.Random, *, is_full: bool = False
) -> Run[Filling | None]:
    """Return a random solution, or None. One variable after another, in a random order, gets a
    random value that some solution has, if `is_full` a symbol wherever there can be one."""
    made = model(table, board)
    search = Search(made)
    assumed: list[int] = []
    found = yield from search.solve()
    if found is None:
        return None
    for variable in rng.sample(range(len(found)), len(found)):
        literals = search.clauses.literals[variable]
        order = rng.sample(range(len(literals)), len(literals))
        if made.loops and rng.random() < LONG_LINES:
            order.sort(reverse=True)
        elif is_full:
            order.sort(key=lambda value: not made.values[variable][value])
        for value in order:
            if value != found[variable]:
                try:
                    other = yield from search.solve([*assumed, literals[value]], MAX_ROUNDS)
                except TooLarge:
                    continue
                if other is None:
                    continue
                found = other
            assumed.append(literals[value])
            break
    return _read(made, found)


def _solutions(table: Table, board: Board) -> Run[list[Filling]]:
    """Return up to two solutions."""
    made = model(table, board)
    search = Search(made)
    found: list[Filling] = []
    while len(found) < 2 and (values := (yield from search.solve())) is not None:
        found.append(_read(made, values))
        search.forbid(values)
    return found


def _read(made: Model, values: Sequence[int]) -> Filling:
    return {site: made.values[at][values[at]] for at, site in enumerate(made.sites)}


def _repaired(
    table: Table, board: Board, filling: Filling, rng: random.Random
) -> Run[Board | None]:
    """Return the board with rooms changed so that the filling is the only solution, or None."""
    for _ in range(MAX_REPAIRS):
        found = yield from _solutions(table, board)
        others = [each for each in found if each != filling]
        if not others:
            return board if found else None
        wrong = [cell for cell in board if others[0].get(cell) and not filling.get(cell)]
        rng.shuffle(wrong)
        changes = [
            (cell, board.room(near))
            for cell in wrong
            for near in neighbours(cell, board.rows, board.columns)
            if board.room(near) != board.room(cell) and stays_whole(board, cell)
        ]
        if not changes:
            return None
        (row, column), room = changes[0]
        at = row * board.columns + column
        board = replace(board, rooms=board.rooms[:at] + room + board.rooms[at + 1 :])
    return None


def _printed(table: Table, board: Board, filling: Filling, rng: random.Random) -> Board:
    """Return the board with all symbols and numbers of a filling that may be printed."""
    clues = dict(numbers_of(table, board, filling, rng)) if "clues" in table.draws else {}
    clues |= {cell: number for cell, number in zip(board, board.clues) if number is not None}
    cells = board.cells
    if has_pearls(table):
        pearls = dict(pearls_of(table, board, filling))
        cells = "".join(pearls.get(cell, board.sign(cell)) for cell in board)
    elif "givens" in table.draws and table.site == "cells" and not table.printed:
        cells = "".join(
            board.sign(cell) if board.sign(cell) == WALL else "".join(filling[cell]) or EMPTY
            for cell in board
        )
    board = replace(board, cells=cells, clues=tuple(clues.get(cell) for cell in board))
    if "rim" in table.draws:
        board = board.with_rims(rims_of(table, board, filling))
    return canonical(board)


def _reduced(
    table: Table, board: Board, filling: Filling, rng: random.Random, kept: Board | None = None
) -> Run[Board]:
    """Return the board without symbols and numbers that its only solution does not need, except
    those of `kept`. One solver, to which the solution is forbidden, looks for others that have the
    symbols and obey the numbers which are left."""
    printed = list(_printed_on(table, board))
    order = [each for each in printed if not kept or each not in set(_printed_on(table, kept))]
    rng.shuffle(order)
    is_lines = table.site != "cells"
    if (is_lines or table.printed) and not has_pearls(table):
        order = [each for each in order if each.section != "cells"]
    is_whole = (
        is_lines or bool(table.printed) or any(rule.relation == "fleet" for rule in table.rules)
    )
    if is_whole and kept is None:
        # With all that can be taken away, few boards of lines or ships follow from single areas.
        order = order[: rng.randint(len(order) // 3, len(order))]
    is_fixed = is_lines or bool(table.printed)
    givens = [] if is_fixed else [each for each in printed if each.section == "cells"]
    made = model(table, board.without(*givens))
    search = Search(made, is_switched=True)
    switches = search.clauses.switches
    solution = tuple(values.index(filling[site]) for site, values in zip(made.sites, made.values))
    search.forbid(solution)
    rules = [literal for statement, literal in switches.items() if isinstance(statement, int)]
    assumed = {each: [switches[each]] for each in printed if each in switches}
    for site, value, literals in zip(made.sites, solution, search.clauses.literals):
        row, column = place(site)
        if (given := Drawn("cells", row * board.columns + column)) in givens:
            assumed[given] = [literals[value]]
    for each in order:
        literals = assumed.pop(each, [])
        every = [literal for others in assumed.values() for literal in others]
        if (yield from search.solve([*rules, *every])) is None:
            board = board.without(each)
        else:
            assumed[each] = literals
    return canonical(board)


def _printed_on(table: Table, board: Board) -> Iterator[Drawn]:
    """Yield the symbols and numbers that are printed on a board."""
    for at, sign in enumerate(board.cells):
        if sign not in (EMPTY, WALL):
            yield Drawn("cells", at)
    for at, clue in enumerate(board.clues):
        if clue is not None:
            yield Drawn("clues", at)
    for side in RIMS:
        for at, numbers in enumerate(getattr(board, side)):
            if numbers:
                yield Drawn(side, at)
