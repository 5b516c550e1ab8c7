"""Slow answers about positions of tables, from the slow reading alone."""

from functools import lru_cache

from solvers.kind import Cell
from solvers.question import finish
from solvers.registry import AnyKind, Reference
from solvers.rule_tables.areas import Edge, edge_at
from solvers.rule_tables.boards import EMPTY
from solvers.rule_tables.kind import TableKind
from solvers.rule_tables.lines import CROSS, half
from solvers.rule_tables.position import TablePosition
from solvers.rule_tables.reading import fillings, holds, loops

MAX_FREE = 9
"""The most free squares of a board of which every filling is tried."""


@lru_cache(maxsize=8192)
def _count(kind: AnyKind, board: object, now: str) -> int:
    position = TablePosition(board, now)  # type: ignore[arg-type]
    drawn = position.board
    seen: set[object] = set()
    has_loop = any(rule.relation == "loop" for rule in kind.table.rules)  # type: ignore[attr-defined]
    every = loops if has_loop else fillings
    for filling in every(kind.table, position.present):  # type: ignore[attr-defined]
        sites: dict[Cell | Edge, frozenset[str]] = dict(filling)
        if holds(kind.table, drawn, sites):  # type: ignore[attr-defined]
            seen.add(frozenset(filling.items()))
    return len(seen)


def count(kind: AnyKind, position: TablePosition) -> int:
    """Return the number of ways to fill the rest of the board that every rule allows."""
    return _count(kind, position.board, position.settled)


def solve(kind: AnyKind, position: TablePosition) -> int:
    """Return 1 if the board can be filled, else 0.

    A board with too many fillings to try is filled by the solver, and the slow reading says whether
    the result is right.
    """
    if position.settled.count(EMPTY) <= MAX_FREE:
        return int(count(kind, position) > 0)
    assert isinstance(kind, TableKind)
    solved = finish(kind.questions["solve"].ask(kind, position))
    if not solved.value:
        return 0
    end = kind.play_line(position, " ".join(solved.moves))
    board = position.board
    if kind.is_lines:
        filling: dict[Cell | Edge, frozenset[str]] = {
            edge_at(*half(place)): frozenset(end.letter(place)) - {EMPTY, CROSS} for place in end
        }
    else:
        filling = {
            cell: frozenset(end.letter(cell)) - {EMPTY} for cell in board if board.is_open(cell)
        }
    return int(holds(kind.table, board, filling))


REFERENCES: dict[str, Reference] = {"count": count, "solve": solve}  # type: ignore[dict-item]
