"""The discussion of a board: what the teacher can show, a proposed order, and the chosen slides.

The five practices of Smith and Stein: the teacher anticipates solutions, monitors the class,
selects what is shown, puts it in order, and connects it. `groups` has the first two.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from zlib import crc32

from django.db import transaction
from django.db.models import Count, F, Max, Q

from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.errors import QuotaReached
from puzzleclass.lessons.groups import ClassGroup, Grouped
from puzzleclass.lessons.models import Slide
from puzzleclass.lessons.whys import have_explained, line_with_mistake
from puzzleclass.play.models import Attempt
from puzzleclass.play.reviews import Review, known_reviews, review_key
from puzzleclass.puzzles.player import drawn_after, first_difference
from puzzleclass.stats.class_results import ClassSolution, NamedStudent
from puzzleclass.stats.route_map import misunderstandings_at, wrong_turns
from solvers.kind import Cell, IllegalMove, split_moves
from solvers.message import Message
from solvers.picture import Picture

Sort = Slide.Sort

MAX_OFFERED = 24
"""The most attempts, and the most solutions, that are offered for the discussion."""

LOST_HERE = Message("After this move, the board could no longer be solved.")


@dataclass(frozen=True, slots=True)
class Showable:
    """Something that can be shown in the discussion."""

    sort: str
    line: str
    move: str = ""
    students: tuple[NamedStudent, ...] = ()
    said: Message | None = None
    """What there is to see, in a sentence."""
    right_moves: int = 0
    """The number of moves of an attempt up to which a solution was left."""

    @property
    def key(self) -> str:
        """A short text that tells what can be shown of a board apart."""
        return f"{self.sort}-{crc32(f'{self.line}|{self.move}'.encode()):x}"

    def slide(self, puzzle: AssignedPuzzle) -> Slide:
        """Return an unsaved slide that shows it."""
        student = self.students[0].pk if self.students and self.sort != Sort.SOLUTION else None
        return Slide(
            puzzle=puzzle, sort=self.sort, line=self.line, move=self.move, student_id=student
        )


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the site proposes for a place in the discussion, and why."""

    role: Message
    showable: Showable
    reason: Message


@dataclass(frozen=True, slots=True)
class ClassWork:
    """What a class has done at a board, as far as it can be shown in a discussion."""

    puzzle: AssignedPuzzle
    mistakes: list[Showable]
    attempts: list[Showable]
    """Boards that are not solved, those with the most right moves first."""
    solutions: list[Showable]


def class_work(puzzle: AssignedPuzzle, found: Sequence[ClassSolution]) -> ClassWork:
    """Return what the class has done at the board. Four queries.

    `found` are the different solutions that the class has found.
    """
    enrolments = puzzle.assignment.classroom.enrolments.select_related("student").order_by()
    students = (each.student for each in enrolments)
    names = {student.pk: NamedStudent(student.pk, student.name) for student in students}
    tries = list(
        Attempt.objects.filter(puzzle=puzzle, student__in=names, next_step__gt=0).exclude(line="")
    )
    reviews = known_reviews(review_key(puzzle, attempt.line) for attempt in tries).reviews
    solutions = [
        Showable(Sort.SOLUTION, solution.line, students=tuple(solution.finders))
        for solution in found[:MAX_OFFERED]
    ]
    return ClassWork(
        puzzle,
        list(_mistakes(puzzle, tries, reviews, names)),
        _attempts(puzzle, tries, reviews, names)[:MAX_OFFERED],
        solutions,
    )


def _mistakes(
    puzzle: AssignedPuzzle,
    tries: list[Attempt],
    reviews: dict[str, Review],
    names: dict[int, NamedStudent],
) -> Iterable[Showable]:
    """Yield the moves that the rules refused, then those after which no solution was left."""
    for refused in misunderstandings_at(puzzle):
        meaning = Message(refused.meaning) if refused.meaning else refused.reason
        students = tuple(names[pk] for pk in sorted(refused.students) if pk in names)
        yield Showable(Sort.MISTAKE, refused.line, refused.move, students, meaning)
    for turn in wrong_turns(puzzle, tries, reviews):
        students = tuple(names[pk] for pk in sorted(turn.students))
        said = turn.why.message if turn.why else LOST_HERE
        yield Showable(Sort.MISTAKE, turn.before, turn.move, students, said)


def _attempts(
    puzzle: AssignedPuzzle,
    tries: list[Attempt],
    reviews: dict[str, Review],
    names: dict[int, NamedStudent],
) -> list[Showable]:
    """Return the boards that are not solved, equal ones once, those with most right moves first."""
    showable: dict[str, Showable] = {}
    for attempt in tries:
        if attempt.has_solved:
            continue
        attempt.puzzle = puzzle
        text = puzzle.kind.solution(attempt.position)
        if text in showable:
            before = showable[text]
            if names[attempt.student_id] not in before.students:
                students = (*before.students, names[attempt.student_id])
                showable[text] = replace(before, students=students)
            continue
        moves = len(split_moves(attempt.line))
        review = reviews.get(review_key(puzzle, attempt.line))
        right, refusal = 0, None
        if review and review.fatal:
            right = review.fatal - 1
            values = {"number": review.fatal}
            refusal = Message("After move {number}, no solution was left.", values)
        elif review and not review.never:
            right, refusal = moves, Message("A solution is still left.")
        by = (names[attempt.student_id],)
        showable[text] = Showable(Sort.ATTEMPT, attempt.line, "", by, refusal, right)
    return sorted(showable.values(), key=lambda each: (-each.right_moves, -len(each.students)))


def showable_of(group: ClassGroup) -> Showable | None:
    """Return the solution that stands for a group: one that the class has found, if it has."""
    line = group.solutions[0].line if group.solutions else group.group.line
    return Showable(Sort.SOLUTION, line, "", tuple(group.finders)) if line else None


# The order that the site proposes


def proposals(work: ClassWork, groups: Grouped | None) -> list[Proposal]:
    """Return an order for the discussion: a frequent misunderstanding, a partial approach, a
    general approach, and a group that nobody has found."""
    offered = []
    if work.mistakes:
        mistake = max(work.mistakes, key=lambda each: len(each.students))
        values = {"number": len(mistake.students)}
        reason = Message("The most frequent mistake. Students who made it: {number}.", values)
        offered.append(Proposal(Message("A frequent misunderstanding"), mistake, reason))
    if work.attempts:
        attempt = work.attempts[0]
        reason = Message("Of the unsolved attempts, this one could be solved for the most moves.")
        if not attempt.right_moves:
            reason = Message("This attempt is not solved. The class can look for what is missing.")
        offered.append(Proposal(Message("A partial approach"), attempt, reason))
    offered += _general(work, groups)
    return offered


def _general(work: ClassWork, groups: Grouped | None) -> Iterable[Proposal]:
    """Yield a solution that stands for many, and one that the class has not found."""
    listed = groups.groups if groups else []
    own = [group for group in listed if group.solutions]
    missing = [group for group in listed if not group.solutions and group.group.line]
    general = Message("A general approach")
    if own and own[0].group.size > 1 and (showable := showable_of(own[0])):
        values = {"size": int(own[0].group.size), "number": len(showable.students)}
        reason = Message(
            "Of the groups that were found, this solution belongs to the largest. Solutions in "
            "the group: {size}. Students who found it: {number}.",
            values,
        )
        yield Proposal(general, showable, reason)
    elif work.solutions:
        most = max(work.solutions, key=lambda each: len(each.students))
        values = {"number": len(most.students)}
        reason = Message(
            "More students found this solution than any other. Students who found it: {number}.",
            values,
        )
        yield Proposal(general, most, reason)
    if missing and work.solutions:
        values = {"size": int(missing[0].group.size)}
        reason = Message(
            "Nobody has found a solution of this group yet. Solutions in the group: {size}.", values
        )
        showable = Showable(Sort.SOLUTION, missing[0].group.line)
        yield Proposal(Message("Still to be found"), showable, reason)


# The slides


def puzzle_to_discuss(assignment: Assignment) -> AssignedPuzzle | None:
    """Return the board whose discussion was prepared last, or else the one with most attempts."""
    work = Count("attempts", filter=~Q(attempts__line=""), distinct=True)
    puzzles = assignment.puzzles.annotate(prepared=Max("slides__pk"), work=work)
    return puzzles.order_by(F("prepared").desc(nulls_last=True), "-work", "number").first()


def slides_of(puzzle: AssignedPuzzle) -> list[Slide]:
    """Return the chosen slides in their order, without boards of students who have left."""
    in_class = puzzle.assignment.classroom.enrolments.order_by().values("student")
    chosen = puzzle.slides.filter(Q(student=None) | Q(student__in=in_class))
    return list(chosen.select_related("student"))


@transaction.atomic
def add_slides(puzzle: AssignedPuzzle, showables: Iterable[Showable]) -> None:
    """Put new slides behind the last one, except those that there are already. A worker finds out
    why the mistakes among them were some.

    Raise QuotaReached if there are too many slides.
    """
    slides = list(puzzle.slides.all())
    have = {(each.sort, each.line, each.move) for each in slides}
    new = [each for each in showables if (each.sort, each.line, each.move) not in have]
    if len(slides) + len(new) > Slide.MAX_COUNT:
        raise QuotaReached(Message("A board has at most {most} slides.", {"most": Slide.MAX_COUNT}))
    last = max((each.rank for each in slides), default=-1)
    added = [showable.slide(puzzle) for showable in new]
    for rank, slide in enumerate(added, last + 1):
        slide.rank = rank
        slide.save()
    have_explained(puzzle.assignment.teacher, added)


@transaction.atomic
def save_slides(puzzle: AssignedPuzzle, order: Sequence[int], notes: dict[int, str]) -> None:
    """Store the order of the slides, given by primary key, and their notes.

    Slides that are not named come last, in the order in which they stood.
    """
    slides = list(puzzle.slides.all())
    places = {pk: place for place, pk in enumerate(order)}
    slides.sort(key=lambda slide: places.get(slide.pk, len(places)))
    for rank, slide in enumerate(slides):
        slide.rank = rank
        slide.note = " ".join(notes.get(slide.pk, slide.note).split())[: Slide.LONGEST_NOTE]
    Slide.objects.bulk_update(slides, ["rank", "note"])


def move_slide(puzzle: AssignedPuzzle, pk: int, by: int) -> None:
    """Move the slide with this primary key one place forward (-1) or back (1)."""
    order = list(puzzle.slides.values_list("pk", flat=True))
    if pk in order and 0 <= order.index(pk) + by < len(order):
        at = order.index(pk)
        order[at], order[at + by] = order[at + by], order[at]
        save_slides(puzzle, order, {})


# What the class sees


def picture_of(slide: Slide) -> Picture:
    """Return the board of a slide. A mistake has a ring where the move went wrong."""
    puzzle = slide.puzzle
    if slide.sort != Sort.MISTAKE:
        return drawn_after(puzzle, slide.line)
    cells = puzzle.kind.cells_of(puzzle.kind.read_move(slide.move))
    return drawn_after(puzzle, slide.line).annotated(rings={"fault": cells})


def mistake_said(slide: Slide) -> Message | None:
    """Return what the rules say about the mistake of a slide; None for other slides."""
    if slide.sort != Sort.MISTAKE:
        return None
    kind = slide.puzzle.kind
    try:
        kind.play(slide.puzzle.after(slide.line), kind.read_move(slide.move))
    except IllegalMove as refused:
        return refused.message
    return LOST_HERE


def compared(one: Slide, other: Slide) -> tuple[Picture, Picture, int | None]:
    """Return the boards of two slides with a ring on what differs, and the move at which they part.

    Nothing else is marked, not even a mistake.
    In a sequence the ring is at the first move that differs. In a placement, where the order of the
    moves does not matter, all cells that differ have a ring, and there is no such move. The board
    of a mistake then has the move that was wrong, if the rules allow it.
    """
    kind = one.puzzle.kind
    if kind.family == "placement":
        lines = [line_with_mistake(slide) for slide in (one, other)]
        rings = {"changed": _different_cells(one.puzzle, lines)}
        pictures = [drawn_after(one.puzzle, line).annotated(rings=rings) for line in lines]
        return pictures[0], pictures[1], None
    boards = [drawn_after(slide.puzzle, slide.line) for slide in (one, other)]
    moves_of = [split_moves(f"{slide.line} {slide.move}") for slide in (one, other)]
    at = first_difference(*moves_of)
    marked = []
    for board, line in zip(boards, moves_of):
        moves = line[at - 1 : at] if at else []
        cells = [cell for move in moves for cell in kind.cells_of(kind.read_move(move))]
        marked.append(board.annotated(rings={"changed": cells}))
    return marked[0], marked[1], at


def _different_cells(puzzle: AssignedPuzzle, lines: Iterable[str]) -> list[Cell]:
    """Return the cells with different signs on the boards of a placement after these lines."""
    size = puzzle.kind.editor.size(puzzle.position)
    texts = [puzzle.kind.draw(puzzle.after(line)).text.split("\n") for line in lines]
    return [
        (row, column)
        for row, column in product(*map(range, size))
        if len({text[row][column : column + 1] for text in texts}) > 1
    ]
