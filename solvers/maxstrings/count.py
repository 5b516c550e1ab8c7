"""The question `count`: the exact number of checkerboard forms that solve a puzzle."""

from solvers.kind import Answer, Kind, Run
from solvers.maxstrings import form, tally
from solvers.maxstrings.best import find, moves_to
from solvers.maxstrings.form import Codes
from solvers.maxstrings.frontier import STONE, WORDS
from solvers.maxstrings.plain import goal, phases
from solvers.maxstrings.review import without_goal
from solvers.maxstrings.rules import Move, Position, merged
from solvers.memory import MEMORY
from solvers.message import Message

_BY_MOVE_WORK = 100_000_000
"""Words times points squared: a few seconds."""


def count(kind: Kind[Position, Move], position: Position, *, memory: int = MEMORY) -> Run:
    """Ask for the number of checkerboard forms with enough stones, from the position on, and one.

    Forms are stone patterns: exchanging the colours makes no new one. Stones that stand already
    stay. details: `most`, the stones of the best form; `by_move`, for each move the number of
    forms with a stone on that point (up to 10 x 10). Not proven, with a `note`, when
    `memory` bytes do not suffice, or the stones don't fit one checkerboard.
    No value, and a `note`, when the number of strings asked for is not known.
    """
    wanted = goal(position)
    board = merged(position)
    codes = form.codes(board)
    if wanted is None:
        start = form.codes(position.points)
        if not phases(position.points) or (yield from form.best(start)) is None:
            return Answer(0, details={"by_move": {}})
        return without_goal()
    nothing = Answer(0, details={"by_move": {}})
    if not phases(board):
        # A solution may exist, but not as one checkerboard; `best` knows.
        reach = yield from find(position)
        if reach.bound < wanted:
            return nothing
        is_reached = reach.strings is not None and reach.strings >= wanted
        note = Message(
            "The stones that stand don't fit one checkerboard: the solutions with them can't be "
            "counted."
        )
        moves = reach.moves if is_reached else ()
        return Answer(int(is_reached), moves, proven=False, details={"note": note.to_json()})
    best = yield from form.best(codes)
    if best is None or best.stones < wanted:
        return nothing
    moves = moves_to(position, best.board)
    slack = best.stones - wanted
    if tally.size(codes, slack) > memory:
        note = Message(
            "The count needs more memory than the {megabytes} MB it may take.",
            {"megabytes": memory >> 20},
        )
        short = {"most": best.stones, "note": note.to_json()}
        return Answer(1, moves, proven=False, details=short)
    found = yield from tally.forms(codes, slack)
    details: dict[str, object] = {"most": best.stones}
    if WORDS[min(len(board), len(board[0]))] * sum(map(len, board)) ** 2 <= _BY_MOVE_WORK:
        by_move: dict[str, str] = {}
        for move in kind.moves(position):
            text = kind.write_move(move)
            twin = kind.write_move(Move("x", move.cell))
            if twin in by_move:
                by_move[text] = by_move[twin]
                continue
            row, column = move.cell
            if codes[row][column] == STONE:
                by_move[text] = str(sum(found.forms))
                continue
            tried = yield from tally.forms(_with_stone(codes, row, column), slack)
            extra = tried.empty - found.empty
            by_move[text] = str(sum(tried.forms[: max(slack + 1 - extra, 0)]))
        details["by_move"] = by_move
    return Answer(sum(found.forms), moves, details=details)


def _with_stone(codes: Codes, row: int, column: int) -> Codes:
    changed = (*codes[row][:column], STONE, *codes[row][column + 1 :])
    return (*codes[:row], changed, *codes[row + 1 :])
