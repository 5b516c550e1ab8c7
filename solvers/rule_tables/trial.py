"""The solvers of what somebody asks who tries out a table of rules on a board.

`trial` tells what the count does not: a second solution, the rules that do nothing on this board,
and the rules that contradict each other. `forbidden` names the rules that keep symbols off a
square.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace as changed

from solvers.answers import Exact
from solvers.grid import ToolMove, read_cell
from solvers.kind import IllegalMove, split_moves
from solvers.question import Progress, Run, within
from solvers.rule_tables.boards import EMPTY
from solvers.rule_tables.contradictions import explain, reasons
from solvers.rule_tables.count import count, too_large
from solvers.rule_tables.kind_answers import solutions
from solvers.rule_tables.position import TablePosition
from solvers.rule_tables.questions import ExplainAnswer, ForbiddenAnswer, TrialAnswer
from solvers.rule_tables.relations import TooLarge

if TYPE_CHECKING:
    from solvers.rule_tables.kind import TableKind

EXPLAIN_SECONDS = 20.0
RULE_SECONDS = 2.0
"""The most seconds for the question whether one rule does nothing."""
COUNT_SECONDS = 8.0
"""The most seconds for the count of the solutions without a part of a contradiction."""
MAX_COMPARED = 20
"""The most solutions without a rule that are read by it before all are counted."""
MEMORY = 200_000_000


def trial(kind: "TableKind", position: TablePosition) -> Run[TrialAnswer]:
    """Tell about a table on a board, whose other symbols belong to the puzzle."""
    yield Progress(0, 1)
    page = yield from solutions(kind, position, first=1, limit=2)
    if page.value is None and not page.proven:
        return TrialAnswer(proven=False, note=page.note)
    if not page.solutions:
        explaining = explain(kind.table, position.board, MEMORY, count_seconds=COUNT_SECONDS)
        why = yield from within(explaining, EXPLAIN_SECONDS)
        why = why or ExplainAnswer(Exact(0))
        return TrialAnswer(Exact(0), rules=why.rules, drawn=why.drawn, without=why.without,
                           is_smallest=why.is_smallest)  # fmt: skip
    first, *others = (tuple(split_moves(line)) for line in page.solutions)
    idle = []
    for number in range(len(kind.table.rules)):
        is_idle = yield from within(_is_idle(kind, position, number), RULE_SECONDS)
        if is_idle:
            idle.append(number + 1)
    return TrialAnswer(None, moves=first, other=others[0] if others else None, idle=tuple(idle))


def _is_idle(kind: "TableKind", position: TablePosition, number: int) -> Run[bool]:
    """Return whether all solutions without a rule obey it, too."""
    rules = kind.table.rules
    rest = changed(kind.table, rules=(*rules[:number], *rules[number + 1 :]))
    without = type(kind)(rest)
    page = yield from solutions(without, without.begin(position.board), first=1, limit=MAX_COMPARED)
    for line in page.solutions:
        try:
            end = kind.play_line(position, line)
        except IllegalMove:  # The rule offers no place for one of the lines.
            return False
        if not kind.judge(end).solved:
            return False
    if not page.more:
        return page.proven
    with_it = yield from count(kind.table, position.board, MEMORY)
    others = yield from count(rest, position.board, MEMORY)
    return with_it.proven and others.proven and with_it.value == others.value


def forbidden(kind: "TableKind", position: TablePosition, *, cell: str) -> Run[ForbiddenAnswer]:
    """Tell why symbols can't be on a free square."""
    row, column = at = read_cell(cell)
    if at not in position or position.begun(at) != EMPTY:
        return ForbiddenAnswer()
    why = {}
    for word, symbol in kind.symbols.items():
        board = kind.play(position, ToolMove(word, (row, column))).present
        try:
            rules = yield from reasons(kind.table, board)
        except TooLarge as limit:
            return ForbiddenAnswer(proven=False, note=too_large(limit))
        if rules is not None:
            why[symbol.letter] = rules
    return ForbiddenAnswer(why=why)
