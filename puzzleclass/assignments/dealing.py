"""Who gets which boards of an assignment: the class or some of it; all, one each, or a staircase.

What is asked here follows from stored rows alone, so a page loaded again shows the same boards.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
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

    Two queries at most, beside the puzzles, and three more where the student came after the boards
    were dealt; none where everybody gets all.
    """
    assignments = list(assignments)
    dealt = [each.pk for each in assignments if each.dealing != Dealing.ALL]
    boards = _dealt(dealt, [student.pk]) if dealt else {}
    unwritten = [
        each
        for each in assignments
        if each.dealing == Dealing.EACH and not boards.get((each.pk, student.pk))
    ]
    late = _one_each(unwritten)
    return {
        each.pk: _boards(
            each,
            list(each.puzzles.all()),
            boards.get((each.pk, student.pk)) or late.get((each.pk, student.pk), []),
        )
        for each in assignments
    }


def is_dealt(student: User, puzzle: AssignedPuzzle) -> bool:
    """Return whether this board of an assignment that is the student's is, too."""
    if puzzle.assignment.dealing == Dealing.ALL:
        return True
    return puzzle in boards_for(student, [puzzle.assignment])[puzzle.assignment_id]


def boards_of_class(
    assignment: Assignment, puzzles: Sequence[AssignedPuzzle], students: Collection[int]
) -> dict[int, list[AssignedPuzzle]] | None:
    """Return student (pk) -> the student's boards; None where everybody has all.

    Two queries at most, and three more where students came after the boards were dealt.
    """
    if assignment.dealing == Dealing.ALL:
        return None
    dealt = _dealt([assignment.pk], students)
    if assignment.dealing == Dealing.EACH and any(
        (assignment.pk, who) not in dealt for who in students
    ):
        dealt = _one_each([assignment]) | dealt
    return {
        who: _boards(assignment, puzzles, dealt.get((assignment.pk, who), [])) for who in students
    }


def _dealt(
    assignments: Sequence[int], students: Collection[int]
) -> dict[tuple[int, int], list[int]]:
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
    assignment: Assignment, puzzles: Sequence[AssignedPuzzle], named: Sequence[int]
) -> list[AssignedPuzzle]:
    by_pk = {puzzle.pk: puzzle for puzzle in puzzles}
    mine = [by_pk[pk] for pk in dict.fromkeys(named) if pk in by_pk]
    if assignment.dealing == Dealing.EACH:
        return mine[:1]
    if assignment.dealing == Dealing.STAIRCASE and puzzles:
        return [puzzles[0], *(puzzle for puzzle in mine if puzzle != puzzles[0])]
    return list(puzzles)


def _one_each(assignments: Sequence[Assignment]) -> dict[tuple[int, int], list[int]]:
    """Return assignment and student -> the board (pk) of each who is in it.

    Whoever has been dealt one, or has begun one, keeps it; the others are dealt theirs in the
    order in which they came. Three queries and the puzzles; none without assignments.
    """
    if not assignments:
        return {}
    keys = [each.pk for each in assignments]
    kept: defaultdict[int, dict[int, int]] = defaultdict(dict)
    begun = AssignedPuzzle.objects.filter(assignment__in=keys, attempts__next_step__gt=0)
    tries = begun.order_by("attempts__pk").values_list("assignment", "attempts__student", "pk")
    for given, student, board in tries:
        kept[given][student] = board
    chosen: set[tuple[int, int]] = set()
    parts = Part.objects.filter(assignment__in=keys).order_by()
    for given, student, dealt_board in parts.values_list("assignment", "student", "puzzle"):
        chosen.add((given, student))
        if dealt_board:
            kept[given][student] = dealt_board
    rooms: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    places = Enrolment.objects.filter(classroom__in={each.classroom_id for each in assignments})
    for room, came, student in places.order_by("number").values_list("classroom", "pk", "student"):
        rooms[room].append((came, student))
    dealt = {}
    for each in assignments:
        there = [
            (came, student)
            for came, student in rooms[each.classroom_id]
            if not each.for_some or (each.pk, student) in chosen
        ]
        seats = [student for _came, student in there]
        # The first time it goes along the seats; later nobody may take what another was shown.
        order = [student for _came, student in sorted(there)] if kept[each.pk] else seats
        boards = [puzzle.pk for puzzle in each.puzzles.all()]
        for student, board in _choose(seats, boards, kept[each.pk], order).items():
            dealt[each.pk, student] = [board]
    return dealt


def _choose(
    seats: Sequence[int], boards: Sequence[int], kept: Mapping[int, int], order: Iterable[int]
) -> dict[int, int]:
    """Return student -> board, of those in `kept` the same, of the others in turn the one that
    fewest have, if possible none of a neighbour's. `seats` are the students by number."""
    chosen = {student: board for student, board in kept.items() if board in set(boards)}
    uses = Counter(chosen[student] for student in seats if student in chosen)
    beside = defaultdict(set)
    for left, right in pairwise(seats):
        beside[left].add(right)
        beside[right].add(left)
    for student in order:
        if student not in chosen and boards:
            theirs = {chosen.get(neighbour) for neighbour in beside[student]}
            chosen[student] = min(boards, key=lambda board: (board in theirs, uses[board]))
            uses[chosen[student]] += 1
    return {student: chosen[student] for student in seats if student in chosen}


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
    parts = [
        Part(assignment=assignment, student_id=student, puzzle_id=board)
        for (_given, student), (board,) in _one_each([assignment]).items()
    ]
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
