"""The question `model`: the study's 0-1 integer programme, and what HiGHS makes of it."""

from collections.abc import Generator
from dataclasses import replace

from solvers.kind import Answer, Kind, Progress, Run
from solvers.maxstrings.best import moves_to
from solvers.maxstrings.highs import maximise
from solvers.maxstrings.lp import programme, variable
from solvers.maxstrings.rules import Move, Position, merged
from solvers.message import Message


def model(
    kind: Kind[Position, Move], position: Position, *, cuts: str = "no", solver: str = "none"
) -> Run:
    """Ask for the integer programme of the checkerboard forms of the position (see `lp`).

    details: `files`, the LP file; `variables` and `rows`; `note`, both in words. With the solver
    `highs` the value is HiGHS's maximum and the moves its board; the signs of life carry the
    bounds, `at_least` and `details["at_most"]`. Without there is no value. Raises PuzzleError as
    `programme` does, and when HiGHS is not installed.
    """
    board = merged(position)
    written = programme(board, cuts=cuts == "yes")
    size = {"variables": written.variables, "rows": written.rows}
    note = Message("Variables of the programme: {variables}. Rows: {rows}.", size)
    name = f"max-strings-{len(board)}x{len(board[0])}{'-cuts' if cuts == 'yes' else ''}.lp"
    title = Message("The integer programme as an LP file").to_json()
    details: dict[str, object] = {
        **size,
        "note": note.to_json(),
        "files": [{"name": name, "title": title, "text": written.lp}],
    }
    yield Progress(0, 1, details=details)
    if solver == "none":
        return Answer(None, details=details)
    stones = yield from _with_details(maximise(written.lp), details)
    if stones is None:
        return Answer(None, details=details)
    stands = tuple(
        tuple(variable((r, c)) in stones for c in range(len(board[0]))) for r in range(len(board))
    )
    return Answer(len(stones), moves_to(position, stands), details=details)


def _with_details(
    run: Generator[Progress, None, set[str] | None], details: dict[str, object]
) -> Generator[Progress, None, set[str] | None]:
    """Pass a run on, its signs of life with what is known already."""
    while True:
        try:
            progress = next(run)
        except StopIteration as end:
            stones: set[str] | None = end.value
            return stones
        yield replace(progress, details=details | dict(progress.details))
