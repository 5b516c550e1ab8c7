"""The solver of the question `explain`: the smallest set of rules, numbers and given symbols that
contradict each other.

A contradiction that needs all of its members is found by leaving out one after another. Whether
there is a smaller one decides the method of implicit hitting sets (Ignatiev, Previti, Liffiton and
Marques-Silva, CP 2015): every contradiction has a member of each set without which everything else
can be fulfilled, so a smallest set with a member of each of these is a lower bound.
"""

import math
from collections.abc import Sequence

from msgspec.structs import replace

from solvers.answers import Exact
from solvers.memory import MEMORY
from solvers.question import Run, within
from solvers.rule_tables.boards import EMPTY, WALL, Board, Drawn
from solvers.rule_tables.clauses import Statement
from solvers.rule_tables.count import count, too_large
from solvers.rule_tables.model import model
from solvers.rule_tables.questions import ExplainAnswer
from solvers.rule_tables.relations import TooLarge
from solvers.rule_tables.search import SOLVER, Search
from solvers.rule_tables.table import Table

MAX_ROUNDS = 200
"""The most rounds of the search for a smaller contradiction."""
MAX_COUNTED = 12
"""The most members of a contradiction without which the solutions are counted."""


def explain(
    table: Table, board: Board, memory: int = MEMORY, *, count_seconds: float = math.inf
) -> Run[ExplainAnswer]:
    """Find rules, numbers and given symbols that contradict each other on a board.

    Returns an `ExplainAnswer`. It names none where the board has solutions. It is not proven where
    a count needs more than `memory` bytes, or where python-sat is missing. Raises BadText where the
    board has no meaning. Counts that take longer than `count_seconds` are missing.
    """
    try:
        found = yield from _contradiction(table, board)
    except TooLarge as limit:
        return ExplainAnswer(proven=False, note=too_large(limit))
    if found is None:
        counted = yield from count(table, board, memory)
        return ExplainAnswer(counted.value, proven=counted.proven, note=counted.note)
    members, is_smallest = found
    rules = [each for each in members if isinstance(each, int)]
    drawn = [each for each in members if isinstance(each, Drawn)]
    without = {}
    for each in members[:MAX_COUNTED]:
        if isinstance(each, Drawn):
            name, rest = board.place(each), (table, board.without(each))
        else:
            kept = [rule for number, rule in enumerate(table.rules) if number != each]
            name, rest = str(each + 1), (replace(table, rules=tuple(kept)), board)
        left = yield from within(count(*rest, memory), count_seconds)
        if left and left.proven and left.value is not None:
            without[name] = left.value
    return ExplainAnswer(
        Exact(0),
        rules=tuple(each + 1 for each in rules),
        drawn=tuple(map(board.place, drawn)),
        is_smallest=is_smallest,
        without=without,
    )


def reasons(table: Table, board: Board) -> Run[tuple[int, ...] | None]:
    """Return the numbers, from 1, of rules that contradict each other and what is drawn on a board,
    as few as possible, or None if the board has solutions. Raise TooLarge where that is unknown."""
    found = yield from _contradiction(table, board)
    return found and tuple(each + 1 for each in found[0] if isinstance(each, int))


def _contradiction(table: Table, board: Board) -> Run[tuple[list[Statement], bool] | None]:
    """Return a contradiction and whether none is smaller, or None if the board has solutions."""
    given = [
        Drawn("cells", at)
        for at, sign in enumerate(board.cells)
        if sign not in (EMPTY, WALL, *table.printed) and table.site == "cells"
    ]
    made = model(table, board.without(*given), has_every_link=True)
    search = Search(made, is_switched=True)
    variables = {site: number for number, site in enumerate(made.sites)}
    for each in given:
        variable = variables[divmod(each.at, board.columns)]
        fitting = [
            n for n, value in enumerate(made.values[variable]) if board.cells[each.at] in value
        ]
        search.add([search.clauses.require(each, variable, fitting)])
    names = {switch: statement for statement, switch in search.clauses.switches.items()}
    every = list(names)
    if (yield from search.solve(every)) is not None:
        return None
    core = yield from _needed(search, search.core())
    smaller, is_smallest = yield from _smallest(search, every, core)
    members = [names[switch] for switch in smaller]
    return sorted(members, key=lambda each: (isinstance(each, Drawn), each)), is_smallest


def _needed(search: Search, core: Sequence[int]) -> Run[list[int]]:
    """Return a part of a contradiction of which nothing can be left out."""
    needed = list(core)
    for switch in core:
        rest = [each for each in needed if each != switch]
        if len(rest) < len(needed) and (yield from search.solve(rest)) is None:
            kept = set(search.core())
            needed = [each for each in rest if each in kept]
    return needed


def _smallest(search: Search, every: list[int], core: list[int]) -> Run[tuple[list[int], bool]]:
    """Return a contradiction that is as small as possible, and whether none is smaller."""
    from pysat.examples.hitman import Hitman

    with Hitman(solver=SOLVER) as hitter:
        for _ in range(MAX_ROUNDS):
            picked = hitter.get() or []
            if len(picked) >= len(core):
                return core, True
            if (yield from search.solve(picked)) is None:
                return picked, True
            kept = set(picked)
            for switch in every:
                if switch not in kept and (yield from search.solve([*kept, switch])) is not None:
                    kept.add(switch)
            hitter.hit([switch for switch in every if switch not in kept])
    return core, False
