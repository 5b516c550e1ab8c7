"""A teacher tries a puzzle as a student sees it: by the same page and rules, without a trace.

Such a try has no row. It is kept in the teacher's session and read anew for each step; so are
the solutions found in it and the hints taken.
"""

import re
from datetime import datetime
from typing import Any

from django.http import Http404

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import NEVER_DUE, AssignedPuzzle, Assignment
from puzzleclass.assignments.views import get_assigned_puzzle_for_teacher
from puzzleclass.classes.access import Right
from puzzleclass.http import SignedInRequest, read_key
from puzzleclass.play.models import Attempt, FoundSolution, Scores, Trial
from puzzleclass.play.staircase import next_on, outcome
from puzzleclass.puzzles.views import get_puzzle_for_owner

TRIALS = "trials"
"""Session key: name of the board -> the try."""
MOST = 5
"""That are kept; the oldest goes."""

_KEPT = ("number", "state", "line", "undone", "next_step", "is_jammed", "has_solved")


def get_trial_for_teacher(request: SignedInRequest, name: str) -> Attempt:
    """Return the teacher's try at `given-<key>`, of a class, or `library-<key>`, as it stands.

    Raises Http404 where the teacher has no such board.
    """
    puzzle = _board(request.user, name)
    kept: dict[str, Any] = request.session.get(TRIALS, {}).get(name, {})
    trial = Trial(name, best=kept.get("best"))
    trial.taken = [(line, level) for line, level in kept.get("taken", [])]
    if puzzle.assignment.dealing == Assignment.Dealing.STAIRCASE:
        trial.path = kept.get("path") or [puzzle.pk]
    trial.found = [
        FoundSolution(text=text, line=line, found_at=datetime.fromisoformat(at))
        for text, line, at in kept.get("found", [])
    ]
    attempt = Attempt(student=request.user, puzzle=puzzle, number=1)
    if kept.get("position") == puzzle.position:
        for field in _KEPT:
            setattr(attempt, field, kept[field])
        attempt.last_at = datetime.fromisoformat(kept["last_at"])
        attempt.last_action = kept["last_action"]
    attempt.taken_back = kept.get("taken_back", 0)
    attempt.trial = trial
    attempt.scores = Scores(trial.best, trial.best)
    return attempt


def keep(request: SignedInRequest, attempt: Attempt) -> None:
    """Keep the try in the session; a student's has a row instead."""
    trial = attempt.trial
    if trial is None:
        return
    kept = {field: getattr(attempt, field) for field in _KEPT} | {
        "position": attempt.puzzle.position,
        "last_at": attempt.last_at.isoformat(),
        "last_action": attempt.last_action,
        "taken_back": attempt.taken_back,
        "best": trial.best,
        "taken": trial.taken,
        "found": [(one.text, one.line, one.found_at.isoformat()) for one in trial.found],
        "path": trial.path,
    }
    others = {k: v for k, v in request.session.get(TRIALS, {}).items() if k != trial.name}
    request.session[TRIALS] = dict([*others.items(), (trial.name, kept)][-MOST:])


def climb_in_trial(request: SignedInRequest, attempt: Attempt) -> AssignedPuzzle:
    """Return the board that a student would get after this one on the staircase, begun anew; the
    same where the way ends."""
    here, trial = attempt.puzzle, attempt.trial
    if trial is None or here.assignment.dealing != Assignment.Dealing.STAIRCASE:
        return here
    puzzles = list(here.assignment.puzzles.all())
    path = [puzzle for pk in trial.path for puzzle in puzzles if puzzle.pk == pk]
    chosen = next_on(puzzles, path, outcome(bool(trial.found), bool(trial.taken)))
    if chosen is None:
        return here
    begun = Attempt(student=request.user, puzzle=chosen, number=1)
    begun.taken_back, begun.trial = 0, Trial(chosen.trial_name, path=[*trial.path, chosen.pk])
    keep(request, begun)
    return chosen


def _board(teacher: User, name: str) -> AssignedPuzzle:
    found = re.fullmatch(r"(given|library)-(\d{1,18})", name)
    if found is None:
        raise Http404
    key = read_key(found[2])
    if found[1] == "given":
        return get_assigned_puzzle_for_teacher(teacher, key, Right.LOOK)
    puzzle = get_puzzle_for_owner(teacher, key)
    alone = Assignment(teacher=teacher, title=puzzle.title, due_at=NEVER_DUE)
    return AssignedPuzzle(assignment=alone, number=1, **puzzle.copied)
