"""The tiles of a lesson: every student's board as it stands, and who needs help now.

Pages ask for it all the time. Therefore everything is read in a fixed number of queries, the
results of the worker are stored beside the attempts (`dead_ends`), and only tiles that have changed
are drawn and sent.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property, lru_cache
from zlib import crc32

from django.db.models import OuterRef, Subquery, TextChoices
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from puzzleclass.assignments.dealing import enrolments_of
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.assignments.pace import running_pace
from puzzleclass.jobs.workers import silent_queues
from puzzleclass.language.furigana import name_with_reading
from puzzleclass.language.reader import reader, speaker
from puzzleclass.play.models import Attempt
from puzzleclass.play.needs import (
    Need,
    Reason,
    attending_now,
    describe_found,
    describe_idle,
    describe_stuck,
    idle_time,
    joined,
    needs_of,
    places_in,
    refusals_lately,
    stuck_now,
)
from puzzleclass.play.progress import class_progress
from puzzleclass.play.status import PuzzleState, PuzzleStatus
from puzzleclass.puzzles.positions import position_after
from solvers.picture import to_svg
from solvers.registry import kind_or_missing


class WallState(TextChoices):
    """What a student does now. Each state has its own colour, symbol and word."""

    NOT_STARTED = "not-started", gettext_lazy("Not started")
    WORKING = "working", gettext_lazy("In progress")
    STUCK = "stuck", gettext_lazy("Stuck now")
    SOLVED = "solved", gettext_lazy("Solved")
    AWAY = "away", gettext_lazy("Idle")
    NOT_HERE = "not-here", gettext_lazy("Not here yet")
    ABSENT = "absent", gettext_lazy("Absent")

    @property
    def symbol(self) -> str:
        return _SYMBOLS[self.value]


_SYMBOLS = {
    "not-started": "–",
    "working": "…",
    "stuck": "!",
    "solved": "✓",
    "away": "Z",
    "not-here": "○",
    "absent": "/",
}


_MAY_BE_MISSING = {WallState.NOT_STARTED, WallState.AWAY}
"""The states of students who may not have come to the lesson."""
_ONLY_IF_ANY = {WallState.NOT_HERE, WallState.ABSENT}
"""The states that are left out of the counts if nobody is in them."""


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
    """The puzzle that the student is working at; None before the student has opened one."""
    line: str = ""
    attempt: Attempt | None = None
    status: PuzzleStatus | None = None
    """The student's status at that puzzle; None when the student is at none."""
    need: Need | None = None
    is_here: bool = True
    """Whether the student has come to the lesson; outside a lesson, whether the student is not
    absent."""
    has_answered: bool = False
    """Whether the student has answered the question that is open, or has looked back."""

    @property
    def style(self) -> str:
        """The tile's CSS classes."""
        return f"{self.state.value} needs-help" if self.need else self.state.value

    @property
    def has_asked(self) -> bool:
        """Whether the student has said that this is not understood."""
        return self.need is not None and self.need.reason == Reason.ASKED

    @cached_property
    def version(self) -> str:
        """A text that changes with what the tile shows."""
        puzzle = self.puzzle and self.puzzle.pk
        parts = (self.number, self.name, self.description, puzzle, self.line)
        marks = (self.state, bool(self.need), self.has_asked, self.has_answered)
        return f"{self.student}.{crc32(repr((*parts, *marks)).encode()):x}"

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
    """The tiles sorted by number, with those of absent students at the end. Without names, their
    order does not reveal any student's number."""
    puzzles: list[AssignedPuzzle]
    came: int
    """The number of students who have come to the lesson."""

    def with_answers_of(self, students: Collection[int]) -> "Wall":
        """Return the wall with a mark at the students (pk) who have answered."""
        tiles = [replace(each, has_answered=each.student in students) for each in self.tiles]
        return replace(self, tiles=tiles)

    @cached_property
    def counts(self) -> list[tuple[WallState, int]]:
        """Each state with the number of students in it."""
        counted = Counter(tile.state for tile in self.tiles)
        return [
            (state, counted[state])
            for state in WallState
            if state not in _ONLY_IF_ANY or counted[state]
        ]

    @cached_property
    def in_need(self) -> list[Tile]:
        """The tiles of the students who need help now, by the rank of the reason, then by the
        latest press."""
        return sorted((t for t in self.tiles if t.need), key=lambda tile: tile.need or ())

    @property
    def present(self) -> list[Tile]:
        """The tiles of the students who are not absent."""
        return [tile for tile in self.tiles if tile.state != WallState.ABSENT]

    @property
    def here(self) -> list[Tile]:
        """The tiles of those who have come to the lesson, or have answered."""
        return [tile for tile in self.tiles if tile.is_here or tile.has_answered]

    @property
    def has_no_worker(self) -> bool:
        """Whether no worker looks at the boards, so that it is not known which of them can still be
        solved."""
        return "hint" in silent_queues()

    @property
    def version(self) -> str:
        """A text that changes with the counts, with the students who need help, and with their
        reasons."""
        needs = [(t.student, t.need and t.need.words) for t in self.in_need]
        return f"{crc32(repr((self.counts, self.came, needs, self.has_no_worker)).encode()):x}"

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
    puzzles = list(assignment.puzzles.all())
    by_pk = {puzzle.pk: puzzle for puzzle in puzzles}
    shown_puzzle = only if only in by_pk else 0
    people = enrolments_of(assignment)
    if student is not None:
        people = people.filter(student=student)
    opened = Attempt.objects.filter(student=OuterRef("student"), puzzle__assignment=assignment)
    if only is not None:
        opened = opened.filter(puzzle=shown_puzzle)
    latest = Subquery(opened.order_by("-last_at", "-pk").values("pk")[:1])
    keys = people.order_by().annotate(latest=latest).values("latest")
    attempts = {each.student_id: each for each in Attempt.objects.filter(pk__in=keys).order_by()}
    enrolments = list(people.values_list("student", "number", "student__name", "student__reading"))
    progress = class_progress(assignment, puzzles, [pk for pk, *_ in enrolments])
    attending = attending_now(assignment, progress)
    in_lesson = running_pace(assignment) is not None
    needs = needs_of(assignment, progress, refusals_lately(assignment), attending, shown_puzzle)
    places, stuck = places_in(progress), stuck_now(assignment, progress)

    tiles = []
    for student_pk, number, name, reading in enrolments:
        shown_name = name_with_reading(name, reading) if kana else name
        attempt = attempts.get(student_pk)
        if attempt is not None:
            attempt.puzzle = by_pk[attempt.puzzle_id]
        at = attempt.puzzle_id if attempt else shown_puzzle
        status = progress[student_pk, at] if at else None
        need = needs.get(student_pk)
        is_stuck = student_pk in stuck and places[student_pk].puzzle == at
        idle = idle_time(assignment, attempt.last_at, now) if attempt else timedelta()
        state, description = _state(attempt, status, idle, is_stuck=is_stuck)
        if student_pk in attending.absent:
            state, description = WallState.ABSENT, str(WallState.ABSENT.label)
        elif in_lesson and state in _MAY_BE_MISSING and student_pk not in attending.came:
            begun = "" if state == WallState.NOT_STARTED else description
            state = WallState.NOT_HERE
            description = joined(str(state.label), begun)
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
                need=need,
                is_here=student_pk not in attending.absent
                and (not in_lesson or student_pk in attending.came),
            )
        )
    if not named:
        tiles.sort(key=lambda tile: crc32(b"%d" % (tile.student * 7919)))
    tiles.sort(key=lambda tile: tile.state == WallState.ABSENT)
    return Wall(tiles, puzzles, len(attending.came & {tile.student for tile in tiles}))


def _state(
    attempt: Attempt | None, status: PuzzleStatus | None, idle: timedelta, *, is_stuck: bool
) -> tuple[WallState, str]:
    """Return what the student does now, and the same in words. `is_stuck` says whether the student
    is stuck there now, and `idle` for how long nothing was pressed."""
    if status and status.is_solved:
        return WallState.SOLVED, str(WallState.SOLVED.label)
    if status and status.state == PuzzleState.NOT_ASSIGNED:
        return WallState.NOT_STARTED, str(status.state.label)
    if attempt is None or status is None or not status.is_begun:
        return WallState.NOT_STARTED, str(WallState.NOT_STARTED.label)
    progress, said = describe_found(status), describe_idle(idle)
    if status.is_stuck:
        state = WallState.STUCK if is_stuck else WallState.AWAY
        # The board stays stuck however long nobody presses it, so the words always say so.
        return state, joined(describe_stuck(status), progress, said)
    if said:
        return WallState.AWAY, joined(progress, said)
    if not attempt.next_step:
        return WallState.WORKING, joined(progress, _("New board"))
    move = _("Move {n}").format(n=attempt.number_of_moves)
    return WallState.WORKING, joined(progress, move)
