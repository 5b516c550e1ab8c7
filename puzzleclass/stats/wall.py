"""The live wall: every student's board as it stands, and who needs help now.

It is read every moment, so everything is read in a fixed number of queries, what the worker has
to say comes stored beside the tries (`dead_ends`), and only tiles that look other than before are
drawn and sent.
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
    Count,
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

from puzzleclass.assignments.dealing import solutions_needed
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, Part
from puzzleclass.classes.models import Enrolment
from puzzleclass.language import reader, say, speaker
from puzzleclass.play.models import Attempt, FoundSolution, RefusedMove
from puzzleclass.prepared_queries import Prepared
from puzzleclass.stats.models import still_lost
from solvers.kind import split_moves
from solvers.message import Message
from solvers.picture import to_svg
from solvers.registry import get_kind

AWAY = timedelta(minutes=3)
"""Whose last press is older does something else."""

RECENT = timedelta(minutes=12)
"""Whose last press is older needs no help now: the lesson is over, or the student not there."""

REFUSALS_LATELY = timedelta(minutes=2)
MANY_REFUSALS = 3
"""Moves against the rules within `REFUSALS_LATELY` that say: somebody does not know them."""

MANY_TRIES = 4
"""The try at one puzzle from which on a student seems to guess."""


class WallState(TextChoices):
    """What a student does now. Each has a colour, a shape and a word of its own."""

    NOT_STARTED = "not-started", gettext_lazy("Not started")
    WORKING = "working", gettext_lazy("Working")
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
    """The most pressing reason has the lowest."""
    seconds: float
    """Since the last press: the latest comes first."""
    reason: str


@dataclass(frozen=True)
class Tile:
    """A student on the wall."""

    student: int
    """The user's pk."""
    number: int
    name: str
    state: WallState
    said: str
    """The state in words, with the move or the time."""
    puzzle: AssignedPuzzle | None = None
    """The one the student is at; None before the first move."""
    line: str = ""
    attempt: Attempt | None = None
    solved: int = 0
    """Puzzles of the assignment."""
    need: Need | None = None

    @property
    def style(self) -> str:
        """The classes of its style."""
        return f"{self.state.value} needs-help" if self.need else self.state.value

    @cached_property
    def version(self) -> str:
        """A text that changes with what the tile shows."""
        shown = (self.number, self.name, self.said, self.puzzle and self.puzzle.pk, self.line)
        return f"{self.student}.{crc32(repr((*shown, self.solved, bool(self.need))).encode()):x}"

    @property
    def board(self) -> SafeString:
        """The board as SVG; empty before the first move."""
        if self.puzzle is None:
            return mark_safe("")
        looks = get_language(), reader()
        return _board(self.puzzle.kind_slug, self.puzzle.position, self.line, looks)


@lru_cache(maxsize=1024)
def _board(kind_slug: str, start: str, line: str, looks: tuple[object, ...]) -> SafeString:
    """Return a board as SVG. `looks` is what else it depends on: language and reader."""
    drawn = get_kind(kind_slug).draw(_position(kind_slug, start, _moves(line)))
    # What it shows is said beside it, and its letters would be read aloud forty times over.
    svg = to_svg(drawn, speaker(), text=False)
    return mark_safe(svg)  # noqa: S308 - `to_svg` escapes what it is given


MOST_KEPT = 200
"""Moves of a line whose positions are all kept; a longer one is played anew."""


@lru_cache(maxsize=2048)
def _position(kind_slug: str, start: str, moves: tuple[str, ...]) -> Any:
    """Return the position after the moves: one that is kept, and as a rule one move more."""
    kind = get_kind(kind_slug)
    if not moves:
        return kind.read(start)
    if len(moves) > MOST_KEPT:
        return kind.play_line(_position(kind_slug, start, ()), " ".join(moves))
    return kind.play(_position(kind_slug, start, moves[:-1]), kind.read_move(moves[-1]))


@lru_cache(maxsize=1024)
def _moves(line: str) -> tuple[str, ...]:
    return tuple(split_moves(line))


@dataclass(frozen=True)
class Wall:
    """A class at an assignment, as it is now."""

    tiles: list[Tile]
    """By number; without names in an order that tells nobody's place."""
    puzzles: list[AssignedPuzzle]

    @cached_property
    def counts(self) -> list[tuple[WallState, int]]:
        """Each state with the number of students in it."""
        counted = Counter(tile.state for tile in self.tiles)
        return [(state, counted[state]) for state in WallState]

    @cached_property
    def in_need(self) -> list[Tile]:
        """Who needs help now: the most pressing reasons first, and of those the latest."""
        return sorted((t for t in self.tiles if t.need), key=lambda tile: tile.need or ())

    @property
    def version(self) -> str:
        """A text that changes with the counts and with who needs help, and why."""
        needs = [(t.student, t.need and t.need.reason) for t in self.in_need]
        return f"{crc32(repr((self.counts, needs)).encode()):x}"

    def changed(self, seen: Iterable[str]) -> list[Tile]:
        """Return the tiles that look other than those with the versions seen."""
        have = set(seen)
        return [tile for tile in self.tiles if tile.version not in have]

    def is_same_class(self, seen: Iterable[str]) -> bool:
        """Return whether the versions seen are of the students who are in the class now."""
        return {version.partition(".")[0] for version in seen} == {
            str(tile.student) for tile in self.tiles
        }


def wall_of(
    assignment: Assignment,
    only: int | None = None,
    *,
    student: int | None = None,
    named: bool = True,
) -> Wall:
    """Return the wall of an assignment, or of one of its puzzles (a pk), or with one student.

    Five queries for the class, however many students and tries there are. Without names neither
    names nor numbers are in it.
    """
    now = timezone.now()
    one = {"puzzle": only is not None, "student": student is not None}
    read = _queries(for_some=assignment.for_some, **one)
    puzzles = list(read.puzzles.objects(assignment.pk, 0, 0))
    by_pk = {puzzle.pk: puzzle for puzzle in puzzles}
    asked = assignment.pk, only if only in by_pk else 0, student or 0
    seats = list(read.seats.rows(*asked))
    attempts = {attempt.student_id: attempt for attempt in read.attempts.objects(*asked)}
    for puzzle in puzzles:
        puzzle.assignment = assignment
    needed = solutions_needed(puzzles)
    solved: dict[int | None, set[int]] = {}
    for who, puzzle, number in read.found.rows(*asked):
        if puzzle in needed and number >= needed[puzzle]:
            solved.setdefault(who, set()).add(puzzle)
    refusals = _refusals(read.refusals.rows(assignment.pk, now - REFUSALS_LATELY))
    begun = 2 * len(attempts) >= len(seats) and any(
        now - attempt.last_at < RECENT for attempt in attempts.values()
    )

    tiles = []
    for who, number, name in seats:
        attempt = attempts.get(who)
        if attempt is not None:
            attempt.puzzle = by_pk[attempt.puzzle_id]
        done = solved.get(who, set())
        state, said = _state(attempt, done, now)
        tiles.append(
            Tile(
                student=who,
                number=number if named else 0,
                name=name if named else "",
                state=state,
                said=said,
                puzzle=attempt.puzzle if attempt else None,
                line=attempt.line if attempt else "",
                attempt=attempt,
                solved=len(done),
                need=_need(attempt, state, said, refusals.get(who, ()), begun, now),
            )
        )
    if not named:
        tiles.sort(key=lambda tile: crc32(b"%d" % (tile.student * 7919)))
    return Wall(tiles, puzzles)


class Refusal(NamedTuple):
    """A move against the rules, tried lately."""

    times: int
    reason: Message


def _refusals(rows: Iterable[tuple[int, int, Any]]) -> dict[int, list[Refusal]]:
    """Return student (pk) -> what the rules forbade lately."""
    refusals: dict[int, list[Refusal]] = {}
    for student, times, reason in rows:
        refusals.setdefault(student, []).append(Refusal(times, Message.from_json(reason)))
    return refusals


class _Queries(NamedTuple):
    """What a wall is made of. Each is asked with the assignment, a puzzle and a student (pks)."""

    puzzles: Prepared[AssignedPuzzle]
    seats: Prepared[Enrolment]
    """Student, number, name."""
    attempts: Prepared[Attempt]
    """The latest that was begun of each."""
    found: Prepared[FoundSolution]
    """Student, puzzle, how many."""
    refusals: Prepared[RefusedMove]
    """Student, times, reason: asked with the assignment and a moment."""


@cache
def _queries(*, for_some: bool, puzzle: bool, student: bool) -> _Queries:
    """Return the queries of a wall for some of the class, of one puzzle, of one student."""

    def seats(assignment: Any, one: Any, who: Any) -> QuerySet[Enrolment]:
        places = Enrolment.objects.filter(classroom__assignments=assignment)
        if for_some:
            parts = Part.objects.filter(assignment=assignment).order_by()
            places = places.filter(student__in=parts.values("student"))
        return places.filter(student=who) if student else places

    def attempts(assignment: Any, one: Any, who: Any) -> QuerySet[Attempt]:
        begun = Attempt.objects.filter(student=OuterRef("student"), next_step__gt=0)
        begun = begun.filter(puzzle__assignment=assignment)
        begun = begun.filter(puzzle=one) if puzzle else begun
        latest = Subquery(begun.order_by("-last_at", "-pk").values("pk")[:1])
        places = seats(assignment, one, who).order_by().annotate(latest=latest)
        chosen = Attempt.objects.filter(pk__in=places.values("latest"))
        return chosen.select_related("look").order_by()

    def found(assignment: Any, one: Any, who: Any) -> Any:
        solutions = FoundSolution.objects.filter(puzzle__assignment=assignment).order_by()
        return solutions.values_list("student", "puzzle").annotate(Count("pk"))

    def refusals(assignment: Any, since: Any) -> Any:
        lately = RefusedMove.objects.filter(puzzle__assignment=assignment, at__gt=since)
        return lately.order_by().values_list("student", "times", "reason")

    keys = (BigIntegerField,) * 3
    return _Queries(
        Prepared(lambda pk, one, who: AssignedPuzzle.objects.filter(assignment=pk), *keys),
        Prepared(lambda *of: seats(*of).values_list("student", "number", "student__name"), *keys),
        Prepared(attempts, *keys),
        Prepared(found, *keys),
        Prepared(refusals, BigIntegerField, DateTimeField),
    )


def dead_end(attempt: Attempt) -> tuple[bool, int | None]:
    """Return whether the open try is known to lead nowhere, and since which move, where known."""
    look = getattr(attempt, "look", None)
    if look:
        said = look.line, look.is_lost, look.since
        if still_lost(attempt.puzzle.kind.family, said, attempt.line):
            return True, look.since
    return attempt.is_jammed, None


def _state(attempt: Attempt | None, done: set[int], now: datetime) -> tuple[WallState, str]:
    """Return what the student does, and says it in words."""
    if attempt is None:
        return WallState.NOT_STARTED, str(WallState.NOT_STARTED.label)
    if attempt.has_solved or attempt.puzzle_id in done:
        return WallState.SOLVED, str(WallState.SOLVED.label)
    minutes = int((now - attempt.last_at).total_seconds() // 60)
    if now - attempt.last_at > AWAY:
        if minutes >= 60:
            return WallState.AWAY, _("No move for over an hour")
        return WallState.AWAY, _("No move for {n} min").format(n=minutes)
    lost = _lost(attempt)
    if lost:
        return WallState.DEAD_END, lost
    return WallState.WORKING, _("Move {n}").format(n=len(_moves(attempt.line)))


def _lost(attempt: Attempt) -> str:
    """Return in words that the open try leads nowhere; else an empty text."""
    is_lost, since = dead_end(attempt)
    if is_lost and since:
        return _("Dead end since move {n}").format(n=since)
    return str(WallState.DEAD_END.label) if is_lost else ""


def _need(
    attempt: Attempt | None,
    state: WallState,
    said: str,
    refusals: Sequence[Refusal],
    begun: bool,
    now: datetime,
) -> Need | None:
    """Return why the student needs help now; None when there is no sign of it.

    `begun`: half the class has, in this lesson.
    """
    confused = _confused(refusals)
    if attempt is None:
        if confused:
            return Need(2, 0, confused)
        return Need(5, 0, _("Has not begun, though half the class has")) if begun else None
    ago = (now - attempt.last_at).total_seconds()
    if state == WallState.SOLVED or (now - attempt.last_at > RECENT and not confused):
        return None
    if state == WallState.DEAD_END:
        if attempt.is_jammed:
            said = _("{said}; no move is left").format(said=said)
        return Need(1, ago, said)
    if confused:
        return Need(2, ago, confused)
    if state == WallState.AWAY:
        return Need(3, ago, " · ".join(filter(None, (said, _lost(attempt)))))
    if attempt.number >= MANY_TRIES:
        return Need(4, ago, _("Try {n} at this puzzle").format(n=attempt.number))
    return None


def _confused(refusals: Sequence[Refusal]) -> str:
    """Return in words that somebody keeps on trying what the rules forbid; else an empty text."""
    times = sum(refusal.times for refusal in refusals)
    if times < MANY_REFUSALS:
        return ""
    most = max(refusals, key=lambda refusal: refusal.times)
    return _("Moves against the rules: {n}. {why}").format(n=times, why=say(most.reason))
