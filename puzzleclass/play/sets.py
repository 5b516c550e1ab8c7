"""What surrounds the board on a student's page: the set, the goal, the teacher's feedback."""

from collections.abc import Mapping
from typing import Any

from puzzleclass.accounts.models import User
from puzzleclass.assignments.due import is_over_for
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.assignments.pace import is_waiting
from puzzleclass.play.clock import running_clock
from puzzleclass.play.due import OwnPuzzle, puzzle_states, set_states
from puzzleclass.play.models import Feedback, Trial
from puzzleclass.play.scores import shown_goal
from puzzleclass.play.status import status_of_board
from puzzleclass.play.tools import example_move

MAX_FEEDBACK = 5
"""The most pieces of feedback shown at a puzzle, the latest first."""


def set_context(student: User, puzzle: AssignedPuzzle, board: Mapping[str, Any]) -> dict[str, Any]:
    """Return what no step changes. Six queries at most.

    That is the set, the links to its other puzzles, the goal, the teacher's feedback on the
    student's attempts, and whether the kind is new to the student.
    """
    trial = board["attempt"].trial if board["attempt"] else None
    # Practice has no sets: each board stands alone.
    is_alone = puzzle.pk is None or puzzle.assignment.is_practice
    if trial:
        puzzles = [puzzle] if is_alone else _set_of_trial(trial, puzzle)
        status = status_of_board(is_begun=False, found=0, needed=1)
        states = [
            OwnPuzzle(each, status, each.trial_name if each.pk else trial.name) for each in puzzles
        ]
    elif is_alone:
        states = puzzle_states(student, [puzzle], puzzle.kind_slug)
    else:
        states = set_states(student, puzzle.assignment, puzzle.kind_slug)
    index = [state.puzzle for state in states].index(puzzle)
    # A teacher can lead the class through what has a due date.
    is_led = not (
        trial
        or puzzle.assignment.is_practice
        or puzzle.assignment.is_gallery
        or is_over_for(puzzle.assignment, student.pk)
    )
    return {
        "trial": trial,
        "dealt": puzzle.assignment.puzzles.all()
        if trial and puzzle.pk and puzzle.assignment.dealing == Assignment.Dealing.EACH
        else (),
        "states": states,
        "previous": states[index - 1] if index else None,
        "next": states[index + 1] if index + 1 < len(states) else None,
        "goal": shown_goal(puzzle),
        "may_practise": is_over_for(puzzle.assignment, student.pk)
        and puzzle.assignment.classroom.practice
        and not trial,
        "is_led": is_led,
        "is_waiting": is_led and is_waiting(puzzle),
        "is_first_of_kind": board["attempt"] is not None
        and not (board["attempt"].pk or states[index].knows_kind)
        and bool(puzzle.kind.introduction),
        "run": None if trial else running_clock(student.pk, puzzle),
        "feedback": Feedback.objects.filter(attempt__student=student, attempt__puzzle=puzzle)
        .select_related("attempt")
        .order_by("-at")[:MAX_FEEDBACK]
        if states[index].has_feedback
        else (),
        "reactions": Feedback.Reaction.choices,
        "example": example_move(board["tools"]) if board["tools"] else "",
    }


def _set_of_trial(trial: Trial, puzzle: AssignedPuzzle) -> list[AssignedPuzzle]:
    """Return the boards that a student with this board would see in the set. One query."""
    boards = list(puzzle.assignment.puzzles.all())
    if puzzle.assignment.dealing == Assignment.Dealing.EACH:
        return [puzzle]
    if puzzle.assignment.dealing == Assignment.Dealing.STAIRCASE:
        return [board for pk in trial.path for board in boards if board.pk == pk]
    return boards
