"""Boards of tables turned and mirrored, and the symmetries under which the rules stay the same."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_letters, digits

from msgspec.structs import replace as changed

from solvers.kind import BadText
from solvers.rule_tables.boards import RIMS, Board, Rim
from solvers.rule_tables.table import Rule, Table
from solvers.symmetry import Symmetry

ROOMS = ascii_letters + digits
"""The letters of rooms, in the order in which the rooms begin."""
_TURNED = {"row": "column", "column": "row"}


def keeps_rules(table: Table, symmetry: Symmetry) -> bool:
    """Return whether the rules say the same of every turned board."""
    is_turned = symmetry.upside_down or symmetry.left_right or symmetry.transposed
    if (
        is_turned
        and symmetry.rows != symmetry.columns
        and (any(rule.where == "long diagonal" for rule in table.rules))
    ):
        return False
    # The numbers of lines stand at their beginning, at the left or above, and those of views at any
    # edge. So a mirrored board would have them at an edge where no rule reads them.
    if (symmetry.upside_down or symmetry.left_right) and any(
        rule.where in ("row", "column", "line") and "clue" in f"{rule.number} {rule.who}"
        for rule in table.rules
    ):
        return False
    turned = Counter(_turned_rule(rule, symmetry) for rule in table.rules)
    return turned == Counter(changed(rule, reach=tuple(sorted(rule.reach))) for rule in table.rules)


def _turned_rule(rule: Rule, symmetry: Symmetry) -> Rule:
    reach = []
    for down, right in rule.reach:
        down = -down if symmetry.upside_down else down
        right = -right if symmetry.left_right else right
        reach.append((right, down) if symmetry.transposed else (down, right))
    where = _TURNED.get(rule.where, rule.where) if symmetry.transposed else rule.where
    return changed(rule, where=where, reach=tuple(sorted(reach)))


def turned_board(board: Board, symmetry: Symmetry) -> Board:
    """Return the board turned. It has cells, rooms, clues and numbers at the edges only."""
    rows, columns = symmetry.size
    order = [0] * (rows * columns)
    for number, cell in enumerate(board):
        row, column = symmetry(cell)
        order[row * columns + column] = number

    def moved(drawn: Sequence[str]) -> str:
        return "".join(drawn[number] for number in order) if drawn else ""

    clues = tuple(board.clues[number] for number in order) if board.clues else ()
    turned = Board(rows, columns, moved(board.cells), moved(board.rooms), clues)
    return canonical(turned.with_rims(_turned_rims(board, symmetry)))


def _turned_rims(board: Board, symmetry: Symmetry) -> dict[str, Rim]:
    """Return the numbers at the edges of the turned board."""
    left, right, top, bottom = (getattr(board, side) for side in RIMS)
    if symmetry.upside_down:
        left, right, top, bottom = left[::-1], right[::-1], bottom, top
    if symmetry.left_right:
        left, right, top, bottom = right, left, top[::-1], bottom[::-1]
    if symmetry.transposed:
        left, right, top, bottom = top, bottom, left, right
    return dict(zip(RIMS, (left, right, top, bottom)))


def canonical(board: Board) -> Board:
    """Return the board with its rooms named in the order in which they begin, and without drawings
    that say nothing. Raise BadText if it has more rooms than names."""
    names = list(dict.fromkeys(board.rooms))
    if len(names) > len(ROOMS):
        raise BadText("A board has at most {most} rooms.", most=len(ROOMS))
    rooms = board.rooms.translate(str.maketrans("".join(names), ROOMS[: len(names)]))
    has_clues = any(clue is not None for clue in board.clues)
    rims: dict[str, Rim] = {
        side: getattr(board, side) if any(getattr(board, side)) else () for side in RIMS
    }
    return replace(
        board, rooms=rooms if len(names) > 1 else "", clues=board.clues if has_clues else ()
    ).with_rims(rims)
