"""Which students get which boards of an assignment: all boards, one each, or a staircase.

An assignment is for the whole class or for some students. All answers follow from stored rows
alone, so a page that is loaded again shows the same boards.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, Part, StairStep
from puzzleclass.classes.models import Enrolment
from puzzleclass.puzzles.answers import known_counts

Dealing = Assignment.Dealing


def assigned_to(student: Any, path: str = "") -> Q:
    """Return the condition that the assignment at `path` is for the student, a user or a key.

    The assignment must belong to the student's class. An assignment in the bin is for nobody.
    """
    prefix = f"{path}__" if path else ""
    own = Part.objects.filter(student=student).order_by().values("assignment")
    is_for = Q(**{f"{prefix}for_some": False}) | Q(**{f"{prefix}pk__in": own})
    return is_for & Q(**{f"{prefix}deleted_at": None})


def enrolments_of(assignment: Assignment) -> QuerySet[Enrolment]:
    """Return the enrolments of the students whom the assignment is for."""
    enrolments = assignment.classroom.enrolments.all()
    if assignment.for_some:
        return enrolments.filter(student__in=assignment.parts.order_by().values("student"))
    return enrolments


def boards_for(student: User, assignments: Iterable[Assignment]) -> dict[int, list[AssignedPuzzle]]:
    """Return the student's boards of each assignment, in order, by the assignment's key.

    Two queries at most, and three more if the student came after the boards were dealt; none if
    everybody gets all boards. Those for the assignments' puzzles are not counted.
    """
    assignments = list(assignments)
    keys = [each.pk for each in assignments if each.dealing != Dealing.ALL]
    stored = _stored_boards(keys, [student.pk]) if keys else {}
    not_stored = [
        each
        for each in assignments
        if each.dealing == Dealing.EACH and not stored.get((each.pk, student.pk))
    ]
    computed = _deal_one_each(not_stored)
    return {
        each.pk: _boards_of_student(
            each,
            puzzles_of(each),
            stored.get((each.pk, student.pk)) or computed.get((each.pk, student.pk), []),
        )
        for each in assignments
    }


def puzzles_of(assignment: Assignment) -> list[AssignedPuzzle]:
    """Return the assignment's puzzles, in order. One query; none if they were prefetched."""
    return list(assignment.puzzles.all())


def is_dealt(student: User, puzzle: AssignedPuzzle) -> bool:
    """Return whether the student gets this board of an assignment that is for the student."""
    if puzzle.assignment.dealing == Dealing.ALL:
        return True
    return puzzle in boards_for(student, [puzzle.assignment])[puzzle.assignment_id]


class AssignedClass(NamedTuple):
    """An assignment with its puzzles, in order, and the students whom it is for."""

    assignment: Assignment
    puzzles: Sequence[AssignedPuzzle]
    students: Collection[int]
    """The primary keys of the students."""


def assigned_classes(assignments: Iterable[Assignment]) -> list[AssignedClass]:
    """Return each assignment with its puzzles and the students whom it is for.

    Two queries at most, and those for the assignments' puzzles.
    """
    assignments = list(assignments)
    classrooms = {each.classroom_id for each in assignments}
    enrolled = defaultdict(list)
    rows = Enrolment.objects.filter(classroom__in=classrooms).order_by("number")
    for classroom, student in rows.values_list("classroom", "student"):
        enrolled[classroom].append(student)
    for_some = [each.pk for each in assignments if each.for_some]
    parts = Part.objects.filter(assignment__in=for_some).order_by()
    members = set(parts.values_list("assignment", "student")) if for_some else set()
    return [
        AssignedClass(
            each,
            list(each.puzzles.all()),
            [
                student
                for student in enrolled[each.classroom_id]
                if not each.for_some or (each.pk, student) in members
            ],
        )
        for each in assignments
    ]


def boards_of_classes(
    classes: Iterable[AssignedClass],
) -> dict[int, dict[int, list[AssignedPuzzle]]]:
    """Return the boards of each student, by the keys of the assignment and the student.

    Assignments of which everybody gets all boards are left out. Two queries at most, and three more
    if students came after the boards were dealt.
    """
    dealt = [each for each in classes if each.assignment.dealing != Dealing.ALL]
    if not dealt:
        return {}
    everybody = {student for each in dealt for student in each.students}
    stored = _stored_boards([each.assignment.pk for each in dealt], everybody)
    not_stored = [
        assignment
        for assignment, _puzzles, students in dealt
        if assignment.dealing == Dealing.EACH
        and any((assignment.pk, student) not in stored for student in students)
    ]
    stored = _deal_one_each(not_stored) | stored
    return {
        assignment.pk: {
            student: _boards_of_student(
                assignment, puzzles, stored.get((assignment.pk, student), [])
            )
            for student in students
        }
        for assignment, puzzles, students in dealt
    }


def _stored_boards(
    assignments: Sequence[int], students: Collection[int]
) -> dict[tuple[int, int], list[int]]:
    """Return the keys of the boards stored in rows, in order, by assignment and student.

    Two queries.
    """
    boards: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    conditions = {"assignment__in": assignments, "student__in": students}
    for model in (Part, StairStep):
        rows = model.objects.filter(**conditions).order_by("pk")
        for assignment, student, puzzle in rows.values_list("assignment", "student", "puzzle"):
            if puzzle:
                boards[assignment, student].append(puzzle)
    return boards


def _boards_of_student(
    assignment: Assignment, puzzles: Sequence[AssignedPuzzle], keys: Sequence[int]
) -> list[AssignedPuzzle]:
    by_pk = {puzzle.pk: puzzle for puzzle in puzzles}
    mine = [by_pk[pk] for pk in dict.fromkeys(keys) if pk in by_pk]
    if assignment.dealing == Dealing.EACH:
        return mine[:1]
    if assignment.dealing == Dealing.STAIRCASE and puzzles:
        return [puzzles[0], *(puzzle for puzzle in mine if puzzle != puzzles[0])]
    return list(puzzles)


def _deal_one_each(assignments: Sequence[Assignment]) -> dict[tuple[int, int], list[int]]:
    """Return the key of the board that each student gets, by assignment and student.

    A student who has been dealt a board, or has begun one, keeps it. The others are dealt theirs in
    the order in which they joined the class. Three queries, and those for the puzzles; none without
    assignments.
    """
    if not assignments:
        return {}
    keys = [each.pk for each in assignments]
    earlier: defaultdict[int, dict[int, int]] = defaultdict(dict)
    begun = AssignedPuzzle.objects.filter(assignment__in=keys, attempts__next_step__gt=0)
    attempts = begun.order_by("attempts__pk").values_list("assignment", "attempts__student", "pk")
    for assignment, student, board in attempts:
        earlier[assignment][student] = board
    members: set[tuple[int, int]] = set()
    parts = Part.objects.filter(assignment__in=keys).order_by()
    for assignment, student, dealt_board in parts.values_list("assignment", "student", "puzzle"):
        members.add((assignment, student))
        if dealt_board:
            earlier[assignment][student] = dealt_board
    enrolled: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    classrooms = {each.classroom_id for each in assignments}
    rows = Enrolment.objects.filter(classroom__in=classrooms).order_by("number")
    for classroom, enrolment, student in rows.values_list("classroom", "pk", "student"):
        enrolled[classroom].append((enrolment, student))
    dealt = {}
    for each in assignments:
        present = [
            (enrolment, student)
            for enrolment, student in enrolled[each.classroom_id]
            if not each.for_some or (each.pk, student) in members
        ]
        by_number = [student for _enrolment, student in present]
        # The first time, boards are dealt along the list. Later they are dealt in the order in
        # which students joined, so that nobody takes the board that another student was shown.
        order = (
            [student for _enrolment, student in sorted(present)] if earlier[each.pk] else by_number
        )
        boards = [puzzle.pk for puzzle in each.puzzles.all()]
        for student, board in _choose_boards(by_number, boards, earlier[each.pk], order).items():
            dealt[each.pk, student] = [board]
    return dealt


def _choose_boards(
    students: Sequence[int], boards: Sequence[int], kept: Mapping[int, int], order: Iterable[int]
) -> dict[int, int]:
    """Return the board of each student, by the student's key.

    A student in `kept` keeps the board. Each of the others, in `order`, gets the board that fewest
    students have, if possible not a neighbour's. `students` come in the order of their numbers.
    """
    chosen = {student: board for student, board in kept.items() if board in set(boards)}
    times_dealt = Counter(chosen[student] for student in students if student in chosen)
    neighbours = defaultdict(set)
    for left, right in pairwise(students):
        neighbours[left].add(right)
        neighbours[right].add(left)
    for student in order:
        if student not in chosen and boards:
            theirs = {chosen.get(neighbour) for neighbour in neighbours[student]}
            chosen[student] = min(boards, key=lambda board: (board in theirs, times_dealt[board]))
            times_dealt[chosen[student]] += 1
    return {student: chosen[student] for student in students if student in chosen}


@transaction.atomic
def deal(assignment: Assignment, students: Iterable[int] | None = None) -> None:
    """Store whom the assignment is for (everybody, without `students`), and deal the boards.

    If each student gets one board, it differs from the neighbours' on the list. A student who has
    begun a board, or has been dealt one, keeps it.
    """
    assignment.for_some = students is not None
    assignment.save(update_fields=["for_some"])
    if students is not None:
        members = set(
            assignment.classroom.enrolments.filter(student__in=list(students)).values_list(
                "student", flat=True
            )
        )
        assignment.parts.exclude(student__in=members).delete()
        parts = [Part(assignment=assignment, student_id=student) for student in sorted(members)]
        Part.objects.bulk_create(parts, ignore_conflicts=True)
    if assignment.dealing != Dealing.EACH:
        assignment.parts.update(puzzle=None)
        return
    parts = [
        Part(assignment=assignment, student_id=student, puzzle_id=board)
        for (_assignment, student), (board,) in _deal_one_each([assignment]).items()
    ]
    Part.objects.bulk_create(
        parts,
        update_conflicts=True,
        unique_fields=["assignment", "student"],
        update_fields=["puzzle"],
    )


# The number of solutions to find


def solutions_needed(puzzles: Iterable[AssignedPuzzle]) -> dict[int, int]:
    """Return the number of different solutions that a student has to find, by the puzzle's key.

    It never exceeds the number of solutions that there are, if that is known. One query at most.
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
