"""The question `model`: the study's 0-1 integer programme, and what HiGHS makes of it."""

from solvers.kind import Answer, Kind, Progress, Run
from solvers.maxstrings.best import moves_to
from solvers.maxstrings.highs import maximise
from solvers.maxstrings.lp import programme, variable
from solvers.maxstrings.rules import Move, Position, merged


def model(
    kind: Kind[Position, Move], position: Position, *, cuts: str = "no", solver: str = "none"
) -> Run:
    """Ask for the integer programme of the checkerboard forms of the position (see `lp`).

    details: `lp`, the file; `variables` and `rows`. With the solver `highs` the value is HiGHS's
    maximum and the moves its board, and what it knows so far is shown with the signs of life;
    without, there is no value. Raises PuzzleError as `programme` does, and when HiGHS is not
    installed.
    """
    board = merged(position)
    written = programme(board, cuts=cuts == "yes")
    details = written._asdict()
    yield Progress(0, 1)
    if solver == "none":
        return Answer(None, details=details)
    stones = yield from maximise(written.lp)
    if stones is None:
        return Answer(None, details=details)
    stands = tuple(
        tuple(variable((r, c)) in stones for c in range(len(board[0]))) for r in range(len(board))
    )
    return Answer(len(stones), moves_to(position, stands), details=details)
