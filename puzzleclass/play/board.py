"""The board on a student's page, which every step changes.

A step that begins or ends an attempt also changes the solutions found (`play.found`). The rest of
the page is read for the whole page only (`play.sets`).
"""

from typing import Any
from uuid import UUID

from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.due import due_of, is_over_for
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.classes.access import may_teach_now
from puzzleclass.play.hints import help_for
from puzzleclass.play.models import Attempt
from puzzleclass.play.refusals import StepRefused
from puzzleclass.play.scores import score_card
from puzzleclass.play.sentences import spoken_sentences, status
from puzzleclass.play.tools import has_new_tools, tools_for
from puzzleclass.play.warnings import refusal_drawn_on, warnings_of


def board_context(
    student: User,
    puzzle: AssignedPuzzle,
    attempt: Attempt | None,
    tool: str,
    refused: StepRefused | None = None,
) -> dict[str, Any]:
    """Return what a step can change, for the template `_board.html`. Four queries at most.

    `attempt` is the student's latest attempt, if any. `tool` is the tool that the student has taken
    up or wants to take up. It may be any text.
    """
    is_over = is_over_for(puzzle.assignment, student.pk)
    is_late = puzzle.assignment.due_at <= timezone.now() and not is_over
    due = due_of(puzzle.assignment, student.pk) if is_late else None
    is_open = attempt is not None and attempt.state == Attempt.State.OPEN
    is_live = is_open and not is_over
    position = attempt.position if attempt else puzzle.start
    verdict = attempt.verdict if attempt else puzzle.kind.judge(position)
    # An attempt that has reached the goal stays open as long as its score can be beaten.
    is_solved = attempt is not None and (not is_open or bool(verdict.solved and attempt.line))
    tools = tools_for(puzzle.kind, position, tool) if is_live else None
    warnings = warnings_of(puzzle, position, verdict)
    lookahead, hint = help_for(attempt) if attempt and is_live else (None, None)
    picture = tools.picture if tools else puzzle.kind.draw(position)
    if puzzle.assignment.shades and puzzle.kind.shading:
        picture = puzzle.kind.shading.named_in(picture)
    picture = warnings.drawn_on(picture)
    if refused:
        picture = refusal_drawn_on(picture, refused.place)
    return {
        "puzzle": puzzle,
        "assignment": puzzle.assignment,
        "attempt": attempt,
        "picture": hint.drawn_on(picture) if hint else picture,
        "hint": hint,
        "lookahead": lookahead,
        "tools": tools,
        "has_new_tools": has_new_tools(puzzle.kind, attempt, tools, tool),
        "score": score_card(student, puzzle, attempt, verdict),
        "warnings": warnings,
        "is_over": is_over,
        "late_until": due.closes_at if due and due.at <= timezone.now() else None,
        "is_solved": is_solved,
        "is_live": is_live,
        "refused": refused,
        "may_ask": attempt is not None
        and attempt.trial is not None
        and puzzle.pk is not None
        and may_teach_now(puzzle, puzzle.assignment.classroom),
        "status": status(attempt) if attempt and not refused else None,
        "failed": failed_attempt(attempt) if attempt else None,
        "spoken_sentences": spoken_sentences(attempt, verdict)
        if attempt and not is_over and not refused
        else [],
    }


def failed_attempt(attempt: Attempt) -> UUID | None:
    """Return the key of the attempt for which the page can show where it was lost.

    That is this attempt if no move is left, and otherwise the one before, but neither on a board on
    which nothing has been done yet nor on one that is solved.
    """
    if not {"review", "hint"} <= attempt.puzzle.kind.questions.keys():
        return None
    if attempt.is_jammed:
        return attempt.key
    is_begun = attempt.next_step and attempt.state == Attempt.State.OPEN
    return attempt.failed_before if is_begun else None
