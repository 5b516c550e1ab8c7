"""An attempt of a teacher, or of a puzzle's author, with the page and the rules of a student.

Such an attempt has no row and leaves no trace. The session keeps it, together with the solutions
found and the hints taken, and each step reads it again.
"""

from datetime import datetime
from typing import Any

from puzzleclass.accounts.sign_in import SignedInRequest
from puzzleclass.assignments.dealing import solutions_needed
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.play.models import Attempt, Trial
from puzzleclass.play.result_models import FoundSolution, Scores
from puzzleclass.play.staircase import board_after, outcome

SESSION_KEY = "trials"
"""The session key of these attempts, which are stored by the name of the board."""
MAX_TRIALS = 5
"""The most attempts that a session keeps. A new one replaces the oldest."""

_SESSION_FIELDS = (
    "number",
    "state",
    "line",
    "undone",
    "next_step",
    "is_jammed",
    "has_solved",
    "awaited_hint",
)


def trial_in_session(request: SignedInRequest, name: str, puzzle: AssignedPuzzle) -> Attempt:
    """Return the attempt at the puzzle, as it stands. `name` is the name of the board."""
    state: dict[str, Any] = request.session.get(SESSION_KEY, {}).get(name, {})
    trial = Trial(name, best=state.get("best"))
    trial.taken = [(line, level) for line, level in state.get("taken", [])]
    if puzzle.assignment.dealing == Assignment.Dealing.STAIRCASE:
        trial.path = state.get("path") or [puzzle.pk]
    trial.found = [
        FoundSolution(text=text, line=line, found_at=datetime.fromisoformat(at))
        for text, line, at in state.get("found", [])
    ]
    attempt = Attempt(student=request.user, puzzle=puzzle, number=1)
    board = [puzzle.kind_slug, puzzle.position]
    if [state.get("kind", puzzle.kind_slug), state.get("position")] == board:
        for field in _SESSION_FIELDS:
            # Sessions of an earlier release do not have the newest fields.
            setattr(attempt, field, state.get(field, getattr(attempt, field)))
        attempt.last_at = datetime.fromisoformat(state["last_at"])
        attempt.last_action = state["last_action"]
    attempt.taken_back = state.get("taken_back", 0)
    attempt.trial = trial
    attempt.scores = Scores(trial.best, trial.best)
    return attempt


def keep_in_session(request: SignedInRequest, attempt: Attempt) -> None:
    """Store the attempt in the session. Do nothing for one that has a row."""
    trial = attempt.trial
    if trial is None:
        return
    state = {field: getattr(attempt, field) for field in _SESSION_FIELDS} | {
        "kind": attempt.puzzle.kind_slug,
        "position": attempt.puzzle.position,
        "last_at": attempt.last_at.isoformat(),
        "last_action": attempt.last_action,
        "taken_back": attempt.taken_back,
        "best": trial.best,
        "taken": trial.taken,
        "found": [
            (solution.text, solution.line, solution.found_at.isoformat())
            for solution in trial.found
        ],
        "path": trial.path,
    }
    others = {
        key: value
        for key, value in request.session.get(SESSION_KEY, {}).items()
        if key != trial.name
    }
    request.session[SESSION_KEY] = dict([*others.items(), (trial.name, state)][-MAX_TRIALS:])


def advance_trial(request: SignedInRequest, attempt: Attempt) -> AssignedPuzzle:
    """Begin and return the board that a student would get after this one on the staircase.

    Return the same board if the staircase ends there.
    """
    puzzle, trial = attempt.puzzle, attempt.trial
    if trial is None or puzzle.assignment.dealing != Assignment.Dealing.STAIRCASE:
        return puzzle
    puzzles = list(puzzle.assignment.puzzles.all())
    path = [puzzle for pk in trial.path for puzzle in puzzles if puzzle.pk == pk]
    needed = solutions_needed([puzzle])[puzzle.pk]
    next_puzzle = board_after(puzzles, path, outcome(len(trial.found) >= needed, bool(trial.taken)))
    if next_puzzle is None:
        return puzzle
    new = Attempt(student=request.user, puzzle=next_puzzle, number=1)
    new.taken_back, new.trial = 0, Trial(next_puzzle.trial_name, path=[*trial.path, next_puzzle.pk])
    keep_in_session(request, new)
    return next_puzzle
