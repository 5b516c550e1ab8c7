"""Whether the answer to a step has something to tell that the browser does not know.

A browser with the rules of a kind judges a step, draws it and says it before the step is sent. With
the step it sends what it expects: the number of moves, and the mark of the board after it
(`Attempt.mark`). If the server agrees, and the page around the board stays as it is, the answer is
204 with the number of the next step.
"""

from django.http import HttpResponse
from django.utils import timezone

from puzzleclass.http import NOTHING_NEW
from puzzleclass.play.models import Attempt
from puzzleclass.play.tools import has_same_tools


def quiet_answer(before: Attempt, after: Attempt, expects: str, tool: str) -> HttpResponse | None:
    """Return the answer without a content to a step that led from `before` to `after`, which the
    browser has drawn with the tool. Return None if there is something to tell."""
    is_expected = expects == f"{after.number_of_moves} {after.mark}"
    if not is_expected or after.before is None or _says_something(before, after):
        return None
    if not has_same_tools(after, tool):
        return None
    return HttpResponse(status=NOTHING_NEW, headers={"Next-Step": str(after.next_step)})


def _says_something(before: Attempt, after: Attempt) -> bool:
    """Return whether the page tells more after the step than the board and what the rules say."""
    puzzle, assignment, kind = after.puzzle, after.puzzle.assignment, after.puzzle.kind
    return (
        # A teacher's attempt is kept in the session, and the first step changes the puzzle's mark.
        after.trial is not None
        or before.next_step == 0
        or after.state != Attempt.State.OPEN
        or after.has_solved
        or after.is_jammed
        or kind.score is not None
        or kind.presses is None
        or not kind.presses.names
        or assignment.due_at <= timezone.now()
        or (assignment.warns and (kind.obstacles is not None or "hint" in kind.questions))
        or (assignment.shades and kind.shading is not None)
        or bool(puzzle.assignment.hints and (after.hints_taken or before.awaited_hint))
    )
