"""The live wall: every student's board as it stands, and who needs help now.

Pages ask for it all the time. Therefore everything is read in a fixed number of queries, the
results of the worker are stored beside the attempts (`dead_ends`), and only tiles that have changed
are drawn and sent.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple
from zlib import crc32

from django.db.models import (
    BigIntegerField,
    DateTimeField,
    OuterRef,
    QuerySet,
    Subquery,
    TextChoices,
)
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from puzzleclass.assignments.models import AssignedPuzzle, Assignment, Part
from puzzleclass.classes.models import Enrolment
from puzzleclass.jobs.workers import silent_queues
from puzzleclass.language.furigana import name_with_reading
from puzzleclass.language.reader import reader, say, speaker
from puzzleclass.play.models import Attempt, RefusedMove
from puzzleclass.play.progress import PuzzleState, PuzzleStatus, class_progress
from puzzleclass.puzzles.positions import position_after
from puzzleclass.storage.prepared_queries import Prepared
from solvers.message import Message
from solvers.picture import to_svg
from solvers.registry import kind_or_missing

AWAY_AFTER = timedelta(minutes=3)
"""Students who have not pressed anything for this long are shown as away."""

RECENT = timedelta(minutes=12)
"""Students who have not pressed anything for this long are not shown as needing help: the lesson is
over, or the student is not there."""

REFUSALS_LATELY = timedelta(minutes=2)
MANY_REFUSALS = 3
"""The number of moves against the rules within `REFUSALS_LATELY` that shows that a student does not
know the rules."""

MANY_TRIES = 4
"""The number of the attempt at one puzzle from which on a student seems to guess."""


class WallState(TextChoices):
    """What a student does now. Each state has its own colour, symbol and word."""

    NOT_STARTED = "not-started", gettext_lazy("Not started")
    WORKING = "working", gettext_lazy("In progress")
    DEAD_END = "dead-end", gettext_lazy("Dead end")
    SOLVED = "solved", gettext_lazy("Solved")
    AWAY = "away", gettext_lazy("No moves now")

    @property
    def symbol(self) -> str:
        return {"not-started": "–", "working": "…", "dead-end": "!", "solved": "✓", "away": "Z"}[
            self.value
        ]


class Need(NamedTuple):
    """Why a student needs help now."""

    rank: int
    """The rank of the reason; the most pressing one has the lowest."""
    seconds: float
    """Seconds since the last press. Of equal ranks, the latest press comes first."""
    reason: str


@dataclass(frozen=True)
class Tile:
    """A student's tile on the wall."""

    student: int
    """The student's primary key."""
    number: int
    name: str
    state: WallState
    description: str
    """The state in words, with the number of the move or the time without a move."""
    puzzle: AssignedPuzzle | None = None
    """The puzzle that the student is working at; None before the first move."""
    line: str = ""
    attempt: Attempt | None = None
    status: PuzzleStatus | None = None
    """The student's status at that puzzle; None when the student is at none."""
    need: Need | None = None

    @property
    def style(self) -> str:
        """The tile's CSS classes."""
        return f"{self.state.value} needs-help" if self.need else self.state.value

    @cached_property
    def version(self) -> str:
        """A text that changes with what the tile shows."""
        puzzle = self.puzzle and self.puzzle.pk
        shown = (self.number, self.name, self.description, puzzle, self.line)
        return f"{self.student}.{crc32(repr((*shown, self.state, bool(self.need))).encode()):x}"

    @property
    def puzzle_label(self) -> str:
        """The number of the puzzle in the assignment, in words; empty before the first move."""
        return _("No. {n}").format(n=self.puzzle.number) if self.puzzle else ""

    @property
    def board(self) -> SafeString:
        """The board as SVG; empty before the first move."""
        if self.puzzle is None:
            return mark_safe("")
        looks = get_language(), reader()
        return _board(self.puzzle.kind_slug, self.puzzle.position, self.line, looks)


@lru_cache(maxsize=1024)
def _board(kind_slug: str, start: str, line: str, looks: tuple[object, ...]) -> SafeString:
    """Return a board as SVG. `looks` is what else the picture depends on: language and reader."""
    kind = kind_or_missing(kind_slug)
    drawn = kind.draw(position_after(kind, start, line))
    # A text beside the board says what it shows, and a screen reader would read its letters forty
    # times.
    svg = to_svg(drawn, speaker(), text=False)
    return mark_safe(svg)  # noqa: S308 - `to_svg` escapes what it is given


@dataclass(frozen=True)
class Wall:
    """A class at an assignment, as it is now."""

    tiles: list[Tile]
    """The tiles sorted by number. Without names, their order does not reveal any student's
    number."""
    puzzles: list[AssignedPuzzle]

    @cached_property
    def counts(self) -> list[tuple[WallState, int]]:
        """Each state with the number of students in it."""
        counted = Counter(tile.state for tile in self.tiles)
        return [(state, counted[state]) for state in WallState]

    @cached_property
    def in_need(self) -> list[Tile]:
        """The tiles of the students who need help now, by the rank of the reason, then by the
        latest press."""
        return sorted((t for t in self.tiles if t.need), key=lambda tile: tile.need or ())

    @property
    def has_no_worker(self) -> bool:
        """Whether no worker looks at the boards, so that it is not known which of them can still be
        solved."""
        return "hint" in silent_queues()

    @property
    def version(self) -> str:
        """A text that changes with the counts, with the students who need help, and with their
        reasons."""
        needs = [(t.student, t.need and t.need.reason) for t in self.in_need]
        return f"{crc32(repr((self.counts, needs, self.has_no_worker)).encode()):x}"

    def changed(self, seen: Iterable[str]) -> list[Tile]:
        """Return the tiles that have none of the versions seen."""
        have = set(seen)
        return [tile for tile in self.tiles if tile.version not in have]

    def is_same_class(self, seen: Iterable[str]) -> bool:
        """Return whether the versions seen belong to the students who are in the class now."""
        return {version.partition(".")[0] for version in seen} == {
            str(tile.student) for tile in self.tiles
        }


def wall_of(
    assignment: Assignment,
    only: int | None = None,
    *,
    student: int | None = None,
    named: bool = True,
    kana: bool = False,
) -> Wall:
    """Return the wall of an assignment, of one of its puzzles (a pk), or of one student.

    The number of queries does not depend on how many students and attempts there are. With `named`
    False, the wall holds neither names nor numbers; with `kana`, names have their furigana.
    """
    now = timezone.now()
    one = {"puzzle": only is not None, "student": student is not None}
    read = _queries(for_some=assignment.for_some, **one)
    puzzles = list(read.puzzles.objects(assignment.pk, 0, 0))
    by_pk = {puzzle.pk: puzzle for puzzle in puzzles}
    keys_asked = assignment.pk, only if only in by_pk else 0, student or 0
    enrolments = list(read.enrolments.rows(*keys_asked))
    attempts = {attempt.student_id: attempt for attempt in read.attempts.objects(*keys_asked)}
    for puzzle in puzzles:
        puzzle.assignment = assignment
    progress = class_progress(assignment, puzzles, [pk for pk, *_ in enrolments])
    refusals = _refusals(read.refusals.rows(assignment.pk, now - REFUSALS_LATELY))
    begun = 2 * len(attempts) >= len(enrolments) and any(
        now - attempt.last_at < RECENT for attempt in attempts.values()
    )

    tiles = []
    for student_pk, number, name, reading in enrolments:
        shown_name = name_with_reading(name, reading) if kana else name
        attempt = attempts.get(student_pk)
        if attempt is not None:
            attempt.puzzle = by_pk[attempt.puzzle_id]
        at = attempt.puzzle_id if attempt else keys_asked[1]
        status = progress[student_pk, at] if at else None
        state, description = _state(attempt, status, now)
        tiles.append(
            Tile(
                student=student_pk,
                number=number if named else 0,
                name=shown_name if named else "",
                state=state,
                description=description,
                puzzle=attempt.puzzle if attempt else None,
                line=attempt.line if attempt else "",
                attempt=attempt,
                status=status,
                need=_need(
                    attempt, status, state, description, refusals.get(student_pk, ()), begun, now
                ),
            )
        )
    if not named:
        tiles.sort(key=lambda tile: crc32(b"%d" % (tile.student * 7919)))
    return Wall(tiles, puzzles)


class Refusal(NamedTuple):
    """A move that the rules have refused lately."""

    times: int
    reason: Message


def _refusals(rows: Iterable[tuple[int, int, Any]]) -> dict[int, list[Refusal]]:
    """Return student (pk) -> the moves that the rules have refused lately."""
    refusals: dict[int, list[Refusal]] = {}
    for student, times, reason in rows:
        refusals.setdefault(student, []).append(Refusal(times, Message.from_json(reason)))
    return refusals


class _Queries(NamedTuple):
    """The queries of a wall. They take the primary keys of the assignment, a puzzle and a
    student."""

    puzzles: Prepared[AssignedPuzzle]
    enrolments: Prepared[Enrolment]
    """The enrolments, as rows of student, number, name and reading."""
    attempts: Prepared[Attempt]
    """The latest attempt of each student, among those with a step."""
    refusals: Prepared[RefusedMove]
    """The refused moves, as rows of student, times and reason. This query takes the assignment and
    a moment."""


@cache
def _queries(*, for_some: bool, puzzle: bool, student: bool) -> _Queries:
    """Return the queries of a wall: for some students of the class, for one puzzle, for one
    student."""

    def enrolments(assignment: Any, one: Any, student_pk: Any) -> QuerySet[Enrolment]:
        found = Enrolment.objects.filter(classroom__assignments=assignment)
        if for_some:
            parts = Part.objects.filter(assignment=assignment).order_by()
            found = found.filter(student__in=parts.values("student"))
        return found.filter(student=student_pk) if student else found

    def attempts(assignment: Any, one: Any, student_pk: Any) -> QuerySet[Attempt]:
        begun = Attempt.objects.filter(student=OuterRef("student"), next_step__gt=0)
        begun = begun.filter(puzzle__assignment=assignment)
        begun = begun.filter(puzzle=one) if puzzle else begun
        latest = Subquery(begun.order_by("-last_at", "-pk").values("pk")[:1])
        latest_keys = enrolments(assignment, one, student_pk).order_by().annotate(latest=latest)
        return Attempt.objects.filter(pk__in=latest_keys.values("latest")).order_by()

    def refusals(assignment: Any, since: Any) -> Any:
        lately = RefusedMove.objects.filter(puzzle__assignment=assignment, at__gt=since)
        return lately.order_by().values_list("student", "times", "reason")

    keys = (BigIntegerField,) * 3
    return _Queries(
        Prepared(lambda pk, one, who: AssignedPuzzle.objects.filter(assignment=pk), *keys),
        Prepared(
            lambda *of: enrolments(*of).values_list(
                "student", "number", "student__name", "student__reading"
            ),
            *keys,
        ),
        Prepared(attempts, *keys),
        Prepared(refusals, BigIntegerField, DateTimeField),
    )


def _state(
    attempt: Attempt | None, status: PuzzleStatus | None, now: datetime
) -> tuple[WallState, str]:
    """Return what the student does now, and the same in words."""
    if status and status.is_solved:
        return WallState.SOLVED, str(WallState.SOLVED.label)
    if status and status.state == PuzzleState.NOT_ASSIGNED:
        return WallState.NOT_STARTED, str(status.state.label)
    if attempt is None or status is None:
        return WallState.NOT_STARTED, str(WallState.NOT_STARTED.label)
    idle = _describe_idle(now - attempt.last_at)
    # A board remains a dead end however long nobody presses it.
    if status.is_stuck:
        return WallState.DEAD_END, _joined(_describe_stuck(status), _describe_found(status), idle)
    if idle:
        return WallState.AWAY, _joined(_describe_found(status), idle)
    move = _("Move {n}").format(n=attempt.number_of_moves)
    return WallState.WORKING, _joined(_describe_found(status), move)


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _describe_found(status: PuzzleStatus) -> str:
    """Return in words how many solutions are found; empty when only one is asked for."""
    if status.needed == 1:
        return ""
    return _("{found} of {needed}").format(found=status.found, needed=status.needed)


def _describe_idle(time: timedelta) -> str:
    """Return in words how long nothing has been pressed; empty for a short time."""
    if time <= AWAY_AFTER:
        return ""
    minutes = int(time.total_seconds() // 60)
    if minutes >= 60:
        return _("No move for over an hour")
    return _("No move for {n} min").format(n=minutes)


def _describe_stuck(status: PuzzleStatus) -> str:
    """Return in words that the board is a dead end, and since which move if that is known."""
    if status.lost_at:
        return _("Stuck since move {n}").format(n=status.lost_at)
    return str(WallState.DEAD_END.label)


def _need(
    attempt: Attempt | None,
    status: PuzzleStatus | None,
    state: WallState,
    description: str,
    refusals: Sequence[Refusal],
    begun: bool,
    now: datetime,
) -> Need | None:
    """Return why the student needs help now; None when there is no sign of it.

    `begun` says whether half of the class has begun in this lesson.
    """
    confused = _describe_confusion(refusals)
    if status and status.state == PuzzleState.NOT_ASSIGNED:
        return None
    if attempt is None:
        if confused:
            return Need(2, 0, confused)
        return Need(5, 0, _("Has not started, though half the class has")) if begun else None
    ago = (now - attempt.last_at).total_seconds()
    if state == WallState.SOLVED or (now - attempt.last_at > RECENT and not confused):
        return None
    if state == WallState.DEAD_END:
        if attempt.is_jammed:
            description = _("{said}; no move is left").format(said=description)
        return Need(1, ago, description)
    if confused:
        return Need(2, ago, confused)
    if state == WallState.AWAY:
        return Need(3, ago, description)
    if attempt.number >= MANY_TRIES:
        return Need(4, ago, _("Attempt {n} at this puzzle").format(n=attempt.number))
    return None


def _describe_confusion(refusals: Sequence[Refusal]) -> str:
    """Return in words that the student keeps making moves that the rules forbid; otherwise an empty
    text."""
    times = sum(refusal.times for refusal in refusals)
    if times < MANY_REFUSALS:
        return ""
    most = max(refusals, key=lambda refusal: refusal.times)
    return _("Moves that break the rules: {n}. {why}").format(n=times, why=say(most.reason))
