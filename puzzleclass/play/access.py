"""Access to boards: students play the assigned puzzles of their classes and go on with their own
attempts; teachers try out what their classes and their libraries have."""

import re
from typing import NoReturn
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import BigIntegerField, Q, UUIDField
from django.http import Http404
from django.shortcuts import get_object_or_404

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest
from puzzleclass.assignments.access import get_assigned_puzzle_for_teacher
from puzzleclass.assignments.dealing import assigned_to, enrolments_of, is_dealt
from puzzleclass.assignments.models import NEVER_DUE, AssignedPuzzle, Assignment
from puzzleclass.classes.access import Right
from puzzleclass.classes.kind_choice import named_kinds
from puzzleclass.database.prepared_queries import Prepared
from puzzleclass.http import read_key
from puzzleclass.kinds.stored import find_kind
from puzzleclass.language.reader import say
from puzzleclass.play.models import Attempt
from puzzleclass.play.trial import trial_in_session
from puzzleclass.puzzles.access import get_puzzle_for_owner
from puzzleclass.puzzles.kind_names import boards_of
from solvers.message import Message

TAKEN_BACK = Message("Your teacher has taken these puzzles back. You can't play them now.")

CLASS_IS_OVER = Message("This class is over. Its puzzles can't be played any more.")
PRACTICE_IS_OFF = Message(
    "Your teacher has switched practice off. Your assignments are on the home page."
)


def may_be_played(assignment: str) -> Q:
    """Return the condition that the class is not archived, and that practice is switched on if the
    assignment is practice."""
    practice, classroom = f"{assignment}__is_practice", f"{assignment}__classroom"
    is_on = Q(**{practice: False}) | Q(**{f"{classroom}__practice": True})
    return is_on & Q(**{f"{classroom}__archived_at": None})


def _refuse(student: User, *, was_open: bool = False, **of: object) -> NoReturn:
    """Refuse the puzzle that the lookup `of` finds in the student's classes, and say why.

    `was_open` says that the student has had the puzzle on the screen. Raise PermissionDenied with
    the reason if the class is archived, practice is switched off, or the teacher has taken the
    puzzle back. Otherwise raise Http404.
    """
    own = AssignedPuzzle.objects.filter(assignment__classroom__students=student, **of)
    puzzle = own.select_related("assignment__classroom").first()
    if puzzle is None:
        raise Http404
    assignment = puzzle.assignment
    if assignment.classroom.archived_at:
        raise PermissionDenied(CLASS_IS_OVER)
    if assignment.is_practice and not assignment.classroom.practice:
        raise PermissionDenied(PRACTICE_IS_OFF)
    if was_open or puzzle.attempts.filter(student=student).exists():
        raise PermissionDenied(TAKEN_BACK)
    if assignment.was_taken_back and _was_for(student, puzzle):
        raise PermissionDenied(TAKEN_BACK)
    raise Http404


def _was_for(student: User, puzzle: AssignedPuzzle) -> bool:
    """Return whether a puzzle of the student's class was for the student, even if it is deleted."""
    own = enrolments_of(puzzle.assignment).filter(student=student)
    return own.exists() and is_dealt(student, puzzle)


_PUZZLE = Prepared(
    lambda pk, student: (
        AssignedPuzzle.objects.select_related("assignment__pace")
        .filter(
            assigned_to(student, "assignment"),
            may_be_played("assignment"),
            pk=pk,
            assignment__classroom__enrolments__student=student,
        )
        .order_by()
    ),
    BigIntegerField,
    BigIntegerField,
)
"""A puzzle by its primary key, if the student with a primary key may play it."""


def get_puzzle_for_student(student: User, pk: int, *, was_open: bool = False) -> AssignedPuzzle:
    """Return the puzzle if it is assigned to the student.

    Otherwise raise PermissionDenied with the reason, or Http404.
    """
    puzzle: AssignedPuzzle | None = next(_PUZZLE(pk, student.pk), None)
    if puzzle is None or not puzzle.assignment.is_shown or not is_dealt(student, puzzle):
        _refuse(student, was_open=was_open, pk=pk)
    return puzzle


_ATTEMPT = Prepared(
    lambda key, student: (
        Attempt.objects.select_related("puzzle__assignment__pace")
        .filter(
            assigned_to(student, "puzzle__assignment"),
            may_be_played("puzzle__assignment"),
            key=key,
            student=student,
            puzzle__assignment__classroom__enrolments__student=student,
        )
        .order_by()
    ),
    UUIDField,
    BigIntegerField,
)


def get_attempt_for_student(student: User, key: UUID) -> Attempt:
    """Return the student's own attempt, as long as the student is in the class.

    One query, and another one before the first step. Raise PermissionDenied with the reason, or
    Http404, if the puzzle can't be played.
    """
    attempt: Attempt | None = next(_ATTEMPT(key, student.pk), None)
    if attempt:
        if not attempt.puzzle.assignment.is_shown:
            raise PermissionDenied(TAKEN_BACK)
        return attempt
    puzzle = Attempt.puzzle_of(key, student)
    if puzzle is None:
        _refuse(student, was_open=True, attempts__key=key, attempts__student=student)
    return Attempt.first(student, get_puzzle_for_student(student, puzzle, was_open=True))


def get_trial(request: SignedInRequest, name: str) -> Attempt:
    """Return the user's own attempt, as it stands, at the board with this name.

    The name is `given-<key>` for an assigned puzzle of a teacher's class, `library-<key>` for a
    puzzle in a teacher's library, `written-<key>` for a puzzle that a student has written,
    `draft-<key>` for the board on which the user tries a kind that he or she makes, and
    `kind-<name>` for the easiest board of a kind that a teacher looks at.
    Raise Http404 if the user has no such board.
    """
    return trial_in_session(request, name, _puzzle_named(request.user, name))


def _puzzle_named(user: User, name: str) -> AssignedPuzzle:
    if name.startswith("kind-") and user.is_teacher:
        kind = named_kinds().get(name.removeprefix("kind-"))
        if kind is None:
            raise Http404
        shown = Assignment(teacher=user, title=say(kind.name), due_at=NEVER_DUE)
        return AssignedPuzzle(
            assignment=shown,
            number=1,
            kind_slug=kind.slug,
            title=shown.title,
            position=boards_of(kind)[0],
        )
    match = re.fullmatch(r"(given|library|written|draft)-(\d{1,18})", name)
    if match is None:
        raise Http404
    key = read_key(match[2])
    if match[1] == "draft":
        step = get_object_or_404(user.inventions, pk=key).shown_step
        if find_kind(step.slug) is None:
            raise Http404
        title, terms = step.invention.name, {"hints": 0} if user.is_student else {"teacher": user}
        own = Assignment(title=title, due_at=NEVER_DUE, is_gallery=user.is_student, **terms)
        board = {"kind_slug": step.slug, "title": title, "position": step.board}
        return AssignedPuzzle(assignment=own, number=1, **board)
    if (match[1] == "written") != user.is_student:
        raise Http404
    if match[1] == "given":
        return get_assigned_puzzle_for_teacher(user, key, Right.LOOK)
    if match[1] == "written":
        written = get_object_or_404(user.written_puzzles, pk=key)
        gallery = Assignment(title=written.title, due_at=NEVER_DUE, hints=0, is_gallery=True)
        return AssignedPuzzle(assignment=gallery, number=1, written=written, **written.copied)
    puzzle = get_puzzle_for_owner(user, key)
    assignment = Assignment(teacher=user, title=puzzle.title, due_at=NEVER_DUE)
    return AssignedPuzzle(assignment=assignment, number=1, **puzzle.copied)
