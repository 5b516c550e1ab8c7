"""Who gets which boards of an assignment: the class or some of it; all, one each, or a staircase.

What is asked here follows from stored rows alone, so a page loaded again shows the same boards.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, Part, StairStep
from puzzleclass.classes.models import Enrolment
from puzzleclass.puzzles.answers import known_counts

Dealing = Assignment.Dealing


def given_to(student: Any, path: str = "") -> Q:
    """Return the condition that the assignment at `path`, of the student's class, is the
    student's (a user or a key), too."""
    place = f"{path}__" if path else ""
    mine = Part.objects.filter(student=student).order_by().values("assignment")
    return Q(**{f"{place}for_some": False}) | Q(**{f"{place}pk__in": mine})


def places_of(assignment: Assignment) -> QuerySet[Enrolment]:
    """Return the places, in the class, of the students whom the assignment was given to."""
    places = assignment.classroom.enrolments.all()
    if assignment.for_some:
        return places.filter(student__in=assignment.parts.order_by().values("student"))
    return places


def boards_for(student: User, assignments: Iterable[Assignment]) -> dict[int, list[AssignedPuzzle]]:
    """Return assignment (pk) -> the boards of it that are the student's, in their order.

    Two queries at most, beside the puzzles; none where everybody gets all.
    """
    assignments = list(assignments)
    dealt = [each.pk for each in assignments if each.dealing != Dealing.ALL]
    boards = _dealt(dealt, [student.pk]) if dealt else {}
    numbers = {}
    if dealt:
        places = student.enrolments.filter(classroom__assignments__in=dealt)
        numbers = dict(places.values_list("classroom", "number"))
    return {
        each.pk: _boards(
            each,
            list(each.puzzles.all()),
            boards.get((each.pk, student.pk), []),
            numbers.get(each.classroom_id, 0),
        )
        for each in assignments
    }


def is_dealt(student: User, puzzle: AssignedPuzzle) -> bool:
    """Return whether this board of an assignment that is the student's is, too."""
    if puzzle.assignment.dealing == Dealing.ALL:
        return True
    return puzzle in boards_for(student, [puzzle.assignment])[puzzle.assignment_id]


def boards_of_class(
    assignment: Assignment, puzzles: Sequence[AssignedPuzzle], numbers: Mapping[int, int]
) -> dict[int, list[AssignedPuzzle]] | None:
    """Return student (pk) -> the student's boards; None where everybody has all.

    `numbers` are those on the class list, by student. Two queries at most.
    """
    if assignment.dealing == Dealing.ALL:
        return None
    dealt = _dealt([assignment.pk], list(numbers))
    return {
        who: _boards(assignment, puzzles, dealt.get((assignment.pk, who), []), number)
        for who, number in numbers.items()
    }


def _dealt(assignments: Sequence[int], students: Sequence[int]) -> dict[tuple[int, int], list[int]]:
    """Return assignment and student -> the boards (pks) that rows name, in order. Two queries."""
    boards: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    at = {"assignment__in": assignments, "student__in": students}
    for model in (Part, StairStep):
        rows = model.objects.filter(**at).order_by("pk")
        for assignment, student, puzzle in rows.values_list("assignment", "student", "puzzle"):
            if puzzle:
                boards[assignment, student].append(puzzle)
    return boards


def _boards(
    assignment: Assignment, puzzles: Sequence[AssignedPuzzle], named: Sequence[int], number: int
) -> list[AssignedPuzzle]:
    by_pk = {puzzle.pk: puzzle for puzzle in puzzles}
    mine = [by_pk[pk] for pk in dict.fromkeys(named) if pk in by_pk]
    if assignment.dealing == Dealing.EACH and puzzles:
        # Who came into the class later has no row: the number on the list stands for it.
        return mine[:1] or [puzzles[number % len(puzzles)]]
    if assignment.dealing == Dealing.STAIRCASE and puzzles:
        return [puzzles[0], *(puzzle for puzzle in mine if puzzle != puzzles[0])]
    return list(puzzles)


@transaction.atomic
def deal(assignment: Assignment, students: Iterable[int] | None = None) -> None:
    """Write down whom the assignment is for (all, without `students`), and deal the boards.

    Each gets another board than the neighbours on the list. Whoever has begun a board, or has been
    dealt one, keeps it.
    """
    assignment.for_some = students is not None
    assignment.save(update_fields=["for_some"])
    if students is not None:
        wanted = set(
            assignment.classroom.enrolments.filter(student__in=list(students)).values_list(
                "student", flat=True
            )
        )
        assignment.parts.exclude(student__in=wanted).delete()
        parts = [Part(assignment=assignment, student_id=student) for student in sorted(wanted)]
        Part.objects.bulk_create(parts, ignore_conflicts=True)
    if assignment.dealing != Dealing.EACH:
        assignment.parts.update(puzzle=None)
        return
    puzzles = list(assignment.puzzles.values_list("pk", flat=True))
    begun = assignment.puzzles.filter(attempts__next_step__gt=0).order_by("attempts__pk")
    kept = dict(assignment.parts.filter(puzzle__in=puzzles).values_list("student", "puzzle"))
    kept |= dict(begun.values_list("attempts__student", "pk"))
    seats = list(places_of(assignment).order_by("number").values_list("student", flat=True))
    parts, last = [], -1
    for seat, student in enumerate(seats):
        board = kept.get(student)
        if board is None:
            after = kept.get(seats[seat + 1]) if seat + 1 < len(seats) else None
            turn = [puzzles[(last + n) % len(puzzles)] for n in range(1, len(puzzles) + 1)]
            others = [pk for pk in turn if pk != after] or turn
            board = others[0]
        last = puzzles.index(board)
        parts.append(Part(assignment=assignment, student_id=student, puzzle_id=board))
    Part.objects.bulk_create(
        parts,
        update_conflicts=True,
        unique_fields=["assignment", "student"],
        update_fields=["puzzle"],
    )


# How many solutions are asked for


def solutions_needed(puzzles: Iterable[AssignedPuzzle]) -> dict[int, int]:
    """Return puzzle (pk) -> how many different solutions make it done for a student.

    Never more than there are, as far as that is counted. One query at most.
    """
    puzzles = list(puzzles)
    several = [puzzle for puzzle in puzzles if puzzle.assignment.wanted > 1]
    counts = known_counts(several) if several else {}
    needed = {puzzle.pk: 1 for puzzle in puzzles}
    for puzzle in several:
        count = counts.get(puzzle.pk)
        wanted = puzzle.assignment.wanted
        is_known = count is not None and count.proven and count.value
        needed[puzzle.pk] = min(wanted, count.value) if count and is_known else wanted
    return needed
