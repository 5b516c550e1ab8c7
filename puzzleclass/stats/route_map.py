"""Where a class went at a puzzle: how often each move was taken, what it left, where the class
left the ways that can be solved, and what it tried against the rules.

Of a sequence the map shows a board after some moves, and the moves that followed there; of a
placement, where the order does not matter, all moves at once. All moves count, those that were
taken back too.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import job_key
from puzzleclass.play.models import Attempt, HintUse, RefusedMove, Step
from puzzleclass.puzzles.answers import COUNT, answer_in
from puzzleclass.stats.models import Look
from puzzleclass.stats.reviews import Review, known_reviews, review_key
from solvers.answers import CountAnswer
from solvers.kind import Cell, split_moves
from solvers.message import Message
from solvers.picture import CELL, Circle, Picture, Text

MOST_STEPS = 50_000
"""Steps read for one map, those of the latest tries: a class of 40 makes some thousands."""

MOST_LEAVINGS = 5
MOST_REASONS = 4


@dataclass(slots=True)
class Taken:
    """A move, and what the class did with it."""

    move: str
    cell: Cell
    described: Message
    tries: int
    students: int
    first: int
    """Tries that began with it."""
    left: int | None = None
    """Solutions left after it, exactly; None where that was not counted."""
    is_lost: bool | None = None
    """No solution was left; None where that is not known."""
    line: str = ""
    """The moves up to it: where the map goes on."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """A move with which tries left the ways that can be solved."""

    number: int
    """Of the move in the line, from 1."""
    described: Message
    tries: int
    before: str
    """The line before it."""
    picture: Picture


@dataclass(slots=True)
class Misunderstanding:
    """A reason for which the rules refused moves."""

    reason: Message
    """Of the move tried most often."""
    meaning: str
    """What may be behind it, in the kind's words, as a marked text; empty for slips."""
    times: int = 0
    students: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Middle:
    """What is in the middle of a class: half of the students have less. None without anybody."""

    students: int
    """Who have begun."""
    solvers: int
    seconds: float | None
    """At the board until the first solution, of those who found one."""
    tries: float | None
    """Until then, that one included."""
    hints: float | None
    """Of all who have begun."""


@dataclass(frozen=True, slots=True)
class RouteMap:
    """All of it, after the moves of `line`."""

    puzzle: AssignedPuzzle
    line: str
    picture: Picture
    taken: list[Taken]
    """The most frequent ones first."""
    leavings: list[Leaving]
    misunderstandings: list[Misunderstanding]
    middle: Middle
    is_cut: bool
    """There are more steps than were read."""

    @property
    def most(self) -> int:
        return max((taken.tries for taken in self.taken), default=1)

    @property
    def back(self) -> str:
        """The line without its last move."""
        return " ".join(split_moves(self.line)[:-1])

    @property
    def moves(self) -> int:
        return len(split_moves(self.line))


def route_map(puzzle: AssignedPuzzle, line: str = "") -> RouteMap:
    """Return the map of all tries of the class after the moves of `line` (canonical; of a
    sequence). Eight queries. Raises PuzzleError for moves that can't be made."""
    kind = puzzle.kind
    position = kind.play_line(puzzle.start, line)
    in_class = puzzle.assignment.classroom.enrolments.order_by().values("student")
    tries = list(
        Attempt.objects.filter(puzzle=puzzle, student__in=in_class, next_step__gt=0).order_by(
            "student", "number"
        )
    )
    whose = {attempt.pk: attempt.student_id for attempt in tries}
    steps = list(
        Step.objects.filter(attempt__in=Attempt.objects.filter(puzzle=puzzle))
        .order_by("-attempt", "number")
        .values_list("attempt", "action", "move")[: MOST_STEPS + 1]
    )
    reviews = known_reviews(review_key(puzzle, attempt.line) for attempt in tries).reviews
    known = [
        (split_moves(attempt.line), reviews[key])
        for attempt in tries
        if attempt.line and (key := review_key(puzzle, attempt.line)) in reviews
    ]
    known += _seen(puzzle, whose)
    taken = _taken(puzzle, line, steps[:MOST_STEPS], whose)
    _judge(puzzle, line, taken, known)
    return RouteMap(
        puzzle,
        line,
        _drawn(kind.draw(position), taken),
        taken,
        _leavings(puzzle, tries, reviews),
        _misunderstandings(puzzle, whose.values()),
        _middle(puzzle, tries),
        is_cut=len(steps) > MOST_STEPS,
    )


def _seen(puzzle: AssignedPuzzle, whose: Mapping[int, int]) -> list[tuple[list[str], Review]]:
    """Return what the looks at running tries say, as reviews."""
    looks = Look.objects.filter(attempt__puzzle=puzzle, is_lost__isnull=False)
    rows = looks.values_list("attempt", "line", "is_lost", "since")
    return [
        (split_moves(line), Review(fatal=since or 0, never=False, left=()))
        for attempt, line, is_lost, since in rows
        if attempt in whose and (since or not is_lost)
    ]


def _taken(
    puzzle: AssignedPuzzle,
    line: str,
    steps: Iterable[tuple[int, str, str]],
    whose: Mapping[int, int],
) -> list[Taken]:
    """Return the moves that were made on the board after `line`."""
    in_order = puzzle.kind.family == "sequence"
    here = split_moves(line)
    who: defaultdict[str, set[int]] = defaultdict(set)
    first: Counter[str] = Counter()
    standing: list[str] = []
    last = None
    for attempt, action, move in steps:
        if attempt not in whose:
            continue
        if attempt != last:
            last, standing = attempt, []
            first[move] += 1
        if action == Step.Action.UNDO:
            standing.pop()
            continue
        if not in_order or standing == here:
            who[move].add(attempt)
        standing.append(move)
    kind = puzzle.kind
    taken = []
    for text, attempts in who.items():
        move = kind.read_move(text)
        students = {whose[attempt] for attempt in attempts}
        on = f"{line} {text}".strip() if in_order else ""
        taken.append(
            Taken(
                text,
                kind.cell_of(move),
                kind.describe(move),
                tries=len(attempts),
                students=len(students),
                first=first[text] if not (in_order and here) else 0,
                line=on,
            )
        )
    return sorted(taken, key=lambda move: (-move.tries, move.move))


def _judge(
    puzzle: AssignedPuzzle, line: str, taken: list[Taken], known: Iterable[tuple[list[str], Review]]
) -> None:
    """Write down what each move left: by the count of the board, else by what reviews say."""
    position = f"{puzzle.position} | {line}" if line else puzzle.position
    key = job_key(puzzle.kind_slug, COUNT, position)
    count = answer_in(jobs.find_all([key]).get(key), CountAnswer)
    by_move: Mapping[str, int] = count.by_move if count and count.proven else {}
    here = split_moves(line)
    said: dict[str, tuple[int | None, bool]] = {}
    for moves, review in known if puzzle.kind.family == "sequence" else ():
        at = len(here) + 1
        if len(moves) >= at and moves[: len(here)] == here:
            left = review.left[at] if at < len(review.left) else None
            is_lost = review.never or 0 < review.fatal <= at
            # Of two reviews of this board the one that has counted says more.
            if moves[at - 1] not in said or left is not None:
                said[moves[at - 1]] = left, is_lost
    for move in taken:
        if move.move in by_move:
            move.left = by_move[move.move]
            move.is_lost = not move.left
        elif move.move in said:
            move.left, move.is_lost = said[move.move]
            if move.is_lost:
                move.left = 0


def _drawn(picture: Picture, taken: Iterable[Taken]) -> Picture:
    """Return the board with the number of tries on each cell, ringed where nothing was left."""
    numbers: Counter[Cell] = Counter()
    lost: defaultdict[Cell, list[bool | None]] = defaultdict(list)
    for move in taken:
        numbers[move.cell] += move.tries
        lost[move.cell].append(move.is_lost)
    shapes: list[Any] = []
    for (row, column), number in numbers.items():
        x, y = column * CELL + CELL / 2, row * CELL + CELL / 2
        if all(lost[row, column]):
            shapes.append(Circle(x, y, CELL / 2 - 2, "fault"))
        shapes.append(Text(x, y, str(number), "label"))
    return picture.with_shapes(shapes)


def _leavings(
    puzzle: AssignedPuzzle, tries: Iterable[Attempt], reviews: Mapping[str, Review]
) -> list[Leaving]:
    kind = puzzle.kind
    lost: Counter[tuple[str, ...]] = Counter()
    for attempt in tries:
        review = reviews.get(review_key(puzzle, attempt.line))
        if review and review.fatal and not attempt.has_solved:
            lost[tuple(split_moves(attempt.line)[: review.fatal])] += 1
    leavings = []
    for moves, number in lost.most_common(MOST_LEAVINGS):
        before, move = " ".join(moves[:-1]), kind.read_move(moves[-1])
        picture = kind.draw(kind.play_line(puzzle.start, before))
        ringed = picture.annotated(rings={"fault": [kind.cell_of(move)]})
        leavings.append(Leaving(len(moves), kind.describe(move), number, before, ringed))
    return leavings


def _misunderstandings(puzzle: AssignedPuzzle, students: Iterable[int]) -> list[Misunderstanding]:
    """Return why moves were refused, the most frequent reason first."""
    found: dict[str, Misunderstanding] = {}
    rows = RefusedMove.objects.filter(puzzle=puzzle).order_by("-times", "pk")
    in_class = puzzle.assignment.classroom.enrolments.order_by().values("student")
    for refused in rows.filter(student__in=in_class):
        text = refused.message.text
        if text not in found:
            meaning = puzzle.kind.misunderstandings.get(text, "")
            found[text] = Misunderstanding(refused.message, meaning)
        found[text].times += refused.times
        found[text].students.add(refused.student_id)
    return sorted(found.values(), key=lambda reason: -reason.times)[:MOST_REASONS]


def _middle(puzzle: AssignedPuzzle, tries: Iterable[Attempt]) -> Middle:
    """`tries` by student, in order."""
    seconds: defaultdict[int, int] = defaultdict(int)
    numbers: defaultdict[int, int] = defaultdict(int)
    solvers: set[int] = set()
    for attempt in tries:
        who = attempt.student_id
        if who in solvers:
            continue
        seconds[who] += attempt.seconds
        numbers[who] += 1
        if attempt.has_solved:
            solvers.add(who)
    uses = HintUse.objects.filter(attempt__puzzle=puzzle).order_by()
    hints = Counter(uses.values_list("attempt__student", flat=True))
    return Middle(
        students=len(seconds),
        solvers=len(solvers),
        seconds=median(seconds[who] for who in solvers) if solvers else None,
        tries=median(numbers[who] for who in solvers) if solvers else None,
        hints=median(hints[who] for who in seconds) if seconds else None,
    )
