"""The map of a class at a puzzle: how many students made each move, what it left, where the class
left the lines that can be solved, and which moves the rules refused.

For a sequence, the map shows a board after some moves, and the moves that were made on it. For a
placement, where the order of moves does not matter, it shows all moves at once. Moves that were
taken back are counted, too.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from django.db.models import Q

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import job_key
from puzzleclass.play.hints import hints_used
from puzzleclass.play.models import Attempt, RefusedMove, Step
from puzzleclass.play.reviews import Review, known_reviews, review_key
from puzzleclass.puzzles.answers import COUNT, answer_in
from puzzleclass.puzzles.player import way_through
from puzzleclass.stats.models import Look
from solvers.answers import CountAnswer, Reason
from solvers.kind import Cell, split_moves
from solvers.message import Message
from solvers.picture import CELL, Circle, Picture, Shape, Text

MAX_STEPS = 50_000
"""The most steps that are read for one map, those of the latest attempts. A class of 40 makes a few
thousand."""

MAX_WRONG_TURNS = 5
MAX_REASONS = 4


@dataclass(slots=True)
class MapMove:
    """A move on the map, with the figures of the class."""

    move: str
    cells: tuple[Cell, ...]
    """The cells that the move names; the move ends at the last one."""
    described: Message
    students: set[int]
    """The students (pks) who made the move from this board, also if they took it back."""
    first: int
    """The number of students who began with this move."""
    left: int | None = None
    """The exact number of solutions left after this move; None when they have not been counted."""
    is_lost: bool | None = None
    """Whether no solution was left; None when that is not known."""
    line: str = ""
    """The line up to and including this move, at which the map continues."""


@dataclass(frozen=True, slots=True)
class WrongTurn:
    """A move with which students left the lines that can be solved."""

    number: int
    """The number of the move in the line, from 1."""
    move: str
    described: Message
    before: str
    """The line before the move."""
    picture: Picture
    students: set[int]
    """The students (pks) who made the move from this board, also if they took it back."""
    why: Reason | None = None
    """The reason why the board can't be solved after the move, if it was found."""


@dataclass(slots=True)
class Misunderstanding:
    """A reason for which the rules refused moves."""

    reason: Message
    """The message for the move that was refused most often."""
    meaning: str
    """What the students may have misunderstood, in the kind's words, as a marked text; empty for a
    slip."""
    line: str
    """The moves on the board on which a move was refused most often."""
    move: str
    """The move that was refused most often."""
    times: int = 0
    students: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Medians:
    """The medians of a class. A median is None when it is taken over no students."""

    students: int
    """The number of students who have begun."""
    solvers: int
    """The number of those who have found a solution, even if the assignment asks for more."""
    seconds: float | None
    """The time at the board up to the first solution, for the students who have found one."""
    tries: float | None
    """The number of attempts up to and including the one with the first solution."""
    hints: float | None
    """The number of hints, for all students who have begun."""


@dataclass(frozen=True, slots=True)
class RouteMap:
    """The map of a class at a puzzle, after the moves of `line`."""

    puzzle: AssignedPuzzle
    line: str
    picture: Picture
    taken: list[MapMove]
    """The moves that were made, the most frequent one first."""
    wrong_turns: list[WrongTurn]
    misunderstandings: list[Misunderstanding]
    medians: Medians
    is_cut: bool
    """Whether there are more steps than were read."""

    @property
    def most(self) -> int:
        return max((len(taken.students) for taken in self.taken), default=1)

    @property
    def back(self) -> str:
        """The line without its last move."""
        return " ".join(split_moves(self.line)[:-1])

    @property
    def moves(self) -> int:
        return len(split_moves(self.line))


def route_map(puzzle: AssignedPuzzle, line: str = "") -> RouteMap:
    """Return the map of all attempts of the class after the moves of `line`, which is canonical and
    empty unless the kind is a sequence. Uses eight queries. Raises PuzzleError for moves that can't
    be made."""
    kind = puzzle.kind
    position = puzzle.after(line)
    in_class = puzzle.assignment.classroom.enrolments.order_by().values("student")
    tries = list(
        Attempt.objects.filter(puzzle=puzzle, student__in=in_class, next_step__gt=0).order_by(
            "student", "number"
        )
    )
    steps = steps_made(puzzle)
    reviews = known_reviews(review_key(puzzle, attempt.line) for attempt in tries).reviews
    known = [
        (split_moves(attempt.line), reviews[key])
        for attempt in tries
        if attempt.line and (key := review_key(puzzle, attempt.line)) in reviews
    ]
    known += _reviews_from_looks(puzzle, {attempt.pk for attempt in tries})
    taken = _taken(puzzle, line, steps)
    _set_outcomes(puzzle, line, taken, known)
    return RouteMap(
        puzzle,
        line,
        draw_counts(kind.draw(position), taken),
        taken,
        wrong_turns(puzzle, tries, reviews, steps),
        misunderstandings_at(puzzle),
        _medians(puzzle, tries),
        is_cut=len(steps) > MAX_STEPS,
    )


def _reviews_from_looks(
    puzzle: AssignedPuzzle, attempts: Collection[int]
) -> list[tuple[list[str], Review]]:
    """Return as reviews what is known from the looks at attempts under way."""
    looks = Look.objects.filter(attempt__puzzle=puzzle, is_lost__isnull=False)
    rows = looks.values_list("attempt", "line", "is_lost", "since")
    return [
        (split_moves(line), Review(fatal=since or 0, never=False, left=()))
        for attempt, line, is_lost, since in rows
        if attempt in attempts and (since or not is_lost)
    ]


StepMade = tuple[int, int, str, str]
"""The attempt and the student (primary keys), the action and the move of a step."""


def steps_made(puzzle: AssignedPuzzle) -> list[StepMade]:
    """Return the steps of the students who are in the class, by attempt, the latest attempt first.

    There are at most `MAX_STEPS` and one. One query.
    """
    in_class = puzzle.assignment.classroom.enrolments.order_by().values("student")
    steps = Step.objects.filter(attempt__puzzle=puzzle, attempt__student__in=in_class)
    rows = steps.order_by("-attempt", "number")
    return list(rows.values_list("attempt", "attempt__student", "action", "move")[: MAX_STEPS + 1])


def _moves_in(steps: Iterable[StepMade]) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the student, the move and the moves before it, for each move that was made, also for
    those that were taken back. The list must not be kept."""
    standing: list[str] = []
    last = None
    for attempt, student, action, move in steps:
        if attempt != last:
            last, standing = attempt, []
        if action == Step.Action.UNDO:
            standing.pop()
            continue
        yield student, move, standing
        standing.append(move)


def _taken(puzzle: AssignedPuzzle, line: str, steps: Iterable[StepMade]) -> list[MapMove]:
    """Return the moves that were made on the board after `line`, those of most students first."""
    in_order = puzzle.kind.family == "sequence"
    here = split_moves(line)
    students: defaultdict[str, set[int]] = defaultdict(set)
    first: defaultdict[str, set[int]] = defaultdict(set)
    for student, move, before in _moves_in(steps):
        if not before:
            first[move].add(student)
        if not in_order or before == here:
            students[move].add(student)
    kind = puzzle.kind
    taken = []
    for text, made_by in students.items():
        move = kind.read_move(text)
        on = f"{line} {text}".strip() if in_order else ""
        taken.append(
            MapMove(
                text,
                kind.cells_of(move),
                kind.describe(move),
                students=made_by,
                first=0 if in_order and here else len(first[text]),
                line=on,
            )
        )
    return sorted(taken, key=lambda move: (-len(move.students), move.move))


def _who_turned(
    puzzle: AssignedPuzzle, turns: Collection[tuple[str, ...]], steps: Iterable[StepMade]
) -> dict[tuple[str, ...], set[int]]:
    """Return the students who made the last move of each line on the board before it."""

    def board(moves: Sequence[str]) -> tuple[str, ...]:
        # In a placement, the order of the moves does not matter.
        return tuple(moves if puzzle.kind.family == "sequence" else sorted(moves))

    wanted = {(board(turn[:-1]), turn[-1]): turn for turn in turns}
    lengths = {len(turn) - 1 for turn in turns}
    students: dict[tuple[str, ...], set[int]] = {turn: set() for turn in turns}
    for student, move, before in _moves_in(steps):
        if len(before) in lengths and (turn := wanted.get((board(before), move))):
            students[turn].add(student)
    return students


def _set_outcomes(
    puzzle: AssignedPuzzle,
    line: str,
    taken: list[MapMove],
    known: Iterable[tuple[list[str], Review]],
) -> None:
    """Set what each move left: from the count of the board if there is one, otherwise from the
    reviews."""
    position = f"{puzzle.position} | {line}" if line else puzzle.position
    key = job_key(puzzle.kind_slug, COUNT, position)
    count = answer_in(jobs.find_all([key]).get(key), CountAnswer)
    by_move: Mapping[str, int] = count.by_move if count and count.proven else {}
    here = split_moves(line)
    outcomes: dict[str, tuple[int | None, bool]] = {}
    for moves, review in known if puzzle.kind.family == "sequence" else ():
        at = len(here) + 1
        if len(moves) >= at and moves[: len(here)] == here:
            left = review.left[at] if at < len(review.left) else None
            is_lost = review.never or 0 < review.fatal <= at
            # When two reviews know this board, the one that has counted its solutions says more.
            if moves[at - 1] not in outcomes or left is not None:
                outcomes[moves[at - 1]] = left, is_lost
    for move in taken:
        if move.move in by_move:
            move.left = by_move[move.move]
            move.is_lost = not move.left
        elif move.move in outcomes:
            move.left, move.is_lost = outcomes[move.move]
            if move.is_lost:
                move.left = 0


def draw_counts(picture: Picture, taken: Iterable[MapMove], *, shows_lost: bool = True) -> Picture:
    """Return the board with the number of students on each cell at which moves end. With
    `shows_lost`, the cell has a ring when no solution was left. A line leads to it from the other
    cells of a move."""
    students: defaultdict[Cell, set[int]] = defaultdict(set)
    lost: defaultdict[Cell, list[bool | None]] = defaultdict(list)
    shapes: list[Shape] = []
    for move in taken:
        students[move.cells[-1]] |= move.students
        lost[move.cells[-1]].append(move.is_lost)
        shapes += way_through(move.cells, "move-way")
    for (row, column), made_by in students.items():
        x, y = column * CELL + CELL / 2, row * CELL + CELL / 2
        if shows_lost and all(lost[row, column]):
            shapes.append(Circle(x, y, CELL / 2 - 2, "fault"))
        shapes.append(Text(x, y, str(len(made_by)), "label"))
    return picture.with_shapes(shapes)


def wrong_turns(
    puzzle: AssignedPuzzle,
    tries: Iterable[Attempt],
    reviews: Mapping[str, Review],
    steps: Iterable[StepMade] | None = None,
) -> list[WrongTurn]:
    """Return the moves with which most students left the lines that can be solved.

    `reviews` maps the keys of the attempts' reviews to what they say. One query, unless the steps
    (`steps_made`) are given.
    """
    kind = puzzle.kind
    turns: dict[tuple[str, ...], Reason | None] = {}
    for attempt in tries:
        review = reviews.get(review_key(puzzle, attempt.line))
        if review and review.fatal and not attempt.has_solved:
            moves = tuple(split_moves(attempt.line)[: review.fatal])
            turns[moves] = review.why or turns.get(moves)
    if not turns:
        return []
    students = _who_turned(puzzle, turns, steps_made(puzzle) if steps is None else steps)
    wrong = []
    for moves in sorted(turns, key=lambda turn: (-len(students[turn]), turn))[:MAX_WRONG_TURNS]:
        before, move = " ".join(moves[:-1]), kind.read_move(moves[-1])
        picture = kind.draw(puzzle.after(before))
        ringed = picture.annotated(rings={"fault": kind.cells_of(move)})
        described, by = kind.describe(move), students[moves]
        wrong.append(WrongTurn(len(moves), moves[-1], described, before, ringed, by, turns[moves]))
    return wrong


def misunderstandings_at(puzzle: AssignedPuzzle) -> list[Misunderstanding]:
    """Return the reasons for which moves were refused, the most frequent one first."""
    by_reason: dict[str, Misunderstanding] = {}
    rows = RefusedMove.objects.filter(puzzle=puzzle).order_by("-times", "pk")
    in_class = puzzle.assignment.classroom.enrolments.order_by().values("student")
    for refused in rows.filter(student__in=in_class):
        text = refused.message.text
        if text not in by_reason:
            meaning = puzzle.kind.misunderstandings.get(text, "")
            at = refused.line, refused.move
            by_reason[text] = Misunderstanding(refused.message, meaning, *at)
        by_reason[text].times += refused.times
        by_reason[text].students.add(refused.student_id)
    return sorted(by_reason.values(), key=lambda reason: -reason.times)[:MAX_REASONS]


def _medians(puzzle: AssignedPuzzle, tries: Iterable[Attempt]) -> Medians:
    """Return the medians of the class. `tries` are sorted by student and number."""
    seconds: defaultdict[int, int] = defaultdict(int)
    numbers: defaultdict[int, int] = defaultdict(int)
    solvers: set[int] = set()
    for attempt in tries:
        student = attempt.student_id
        if student in solvers:
            continue
        seconds[student] += attempt.seconds
        numbers[student] += 1
        if attempt.has_solved:
            solvers.add(student)
    used = hints_used(Q(attempt__puzzle=puzzle))
    hints = [used.get((student, puzzle.pk), 0) for student in seconds]
    return Medians(
        students=len(seconds),
        solvers=len(solvers),
        seconds=median(seconds[student] for student in solvers) if solvers else None,
        tries=median(numbers[student] for student in solvers) if solvers else None,
        hints=median(hints) if hints else None,
    )
