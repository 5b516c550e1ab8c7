import hashlib
import re
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from puzzleclass.classes.models import Classroom
from puzzleclass.database.bin import Deletable, OutsideBin
from puzzleclass.http import HIGHEST_KEY
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.jobs.services import find_all
from puzzleclass.puzzles.positions import position_after
from puzzleclass.puzzles.worlds import BoardKey, find_board
from puzzleclass.templating.crumbs import Crumb
from solvers.answers import Answer, CountAnswer, Exact, RateAnswer, band_of, level_of
from solvers.kind import PuzzleError, split_moves
from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import AnyKind, collected_counts, examples, kind_or_missing

TITLE_LENGTH = 60
READING_LENGTH = 120
TAG_LENGTH = 30


class Board(models.Model):
    """A puzzle: a kind, a starting position as canonical text, and a title."""

    kind_slug = models.SlugField(max_length=40)
    position = models.TextField()
    title = models.CharField(_("Title"), max_length=TITLE_LENGTH)
    reading = models.CharField(
        _("Reading of the title"), max_length=READING_LENGTH, blank=True, default=""
    )
    """The title in kana, which students who read with furigana see above it."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.title

    @classmethod
    def asked_positions(cls) -> Iterator[BoardKey]:
        """Yield the kind and the start of every stored board, about which questions may be asked.

        A board with a goal is also yielded without its goal, because the question for the best
        score is asked about that position.
        """
        boards = cls._base_manager.order_by().values_list("kind_slug", "position").distinct()
        for slug, position in boards.iterator():
            yield slug, position
            kind = kind_or_missing(slug)
            with suppress(PuzzleError):  # The kind can't read the board any more.
                if kind.score:
                    yield slug, kind.write(kind.read(kind.score.with_goal(position, "")))

    @property
    def key(self) -> BoardKey:
        """The kind and the position, which boards that are alike share."""
        return self.kind_slug, self.position

    @property
    def copied(self) -> dict[str, str]:
        """The fields of another row with the same puzzle, by name."""
        copied = {"kind_slug": self.kind_slug, "position": self.position, "title": self.title}
        return copied | {"reading": self.reading}

    @property
    def kind(self) -> AnyKind:
        return kind_or_missing(self.kind_slug)

    @cached_property
    def start(self) -> Any:
        """The starting position, as an object of the kind's own type."""
        return self.after("")

    def after(self, line: str) -> Any:
        """Return the position after the moves of a line. Raise BadText or IllegalMove."""
        return position_after(self.kind, self.position, line)

    @property
    def known_count(self) -> CountAnswer | None:
        """The number of solutions if it is known without a job, else None.

        That is the case for a board of the ready collection.
        """
        number = collected_counts(self.kind).get(self.position)
        return None if number is None else CountAnswer(Exact(number), proven=True)

    @property
    def picture(self) -> Picture:
        """The board before the first move."""
        return self.kind.draw(self.start)

    @property
    def facts(self) -> tuple[Message, ...]:
        """The facts about the board in a word or two each, like its size and its stones."""
        return self.kind.facts(self.start)

    @property
    def obstacle(self) -> Message | None:
        """The reason why the board can't be solved, if one is seen without a search."""
        return obstacle_of(self.kind, self.start)


class Tag(models.Model):
    """A word by which a teacher finds puzzles again."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tags"
    )
    name = models.CharField(_("Tag"), max_length=TAG_LENGTH)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["owner", "name"], name="tag_once")]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Measured:
    """How many students of classes that share their figures solved a board at the first attempt."""

    students: int
    solved: int

    @property
    def percent(self) -> int:
        """The share of those who solved it, in per cent."""
        return round(100 * self.solved / self.students)


class InLibrary(OutsideBin["Puzzle"]):
    """The manager of the puzzles that a library shows."""

    def get_queryset(self) -> QuerySet["Puzzle"]:
        return super().get_queryset().filter(is_in_library=True)


class Puzzle(Board, Deletable):
    """A puzzle in a teacher's library, or a board on its way from elsewhere into an assignment.

    The library is searched and sorted by columns. `save` fills them from the board, and
    `store_answer` stores answers about the board in them as they come.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzles"
    )
    is_in_library = models.BooleanField(default=True, editable=False)
    """Whether the library has the puzzle. A board that a collection, a generator or a text gives to
    a class gets there when it is assigned; if it is not, it is deleted after a day."""
    note = models.TextField(_("Note to yourself"), blank=True, max_length=2000)
    author = models.CharField(_("Author"), blank=True, max_length=60)
    """The name of the puzzle's author, if that is not the owner."""
    tags = models.ManyToManyField(Tag, related_name="puzzles")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    title_key = models.CharField(max_length=600, default="", editable=False)
    """The title, with numbers written so that 10 comes after 9."""
    fingerprint = models.CharField(max_length=64, default="", editable=False, db_index=True)
    """A hash that is equal for equal boards of a kind."""
    rows = models.PositiveSmallIntegerField(default=0, editable=False)
    columns = models.PositiveSmallIntegerField(default=0, editable=False)
    stones = models.PositiveIntegerField(default=0, editable=False)
    """The number that the kind's facts name after the size, like stones or pieces to place."""
    solutions = models.TextField(default="", editable=False)
    """The number of solutions as a decimal string; empty while nothing is known."""
    is_counted = models.BooleanField(default=False, editable=False)
    """Whether `solutions` is proven and not only a lower bound."""
    solutions_order = models.BigIntegerField(null=True, editable=False)
    """The number `solutions`, capped to what a database can sort."""
    solution = models.TextField(default="", editable=False)
    """A line of moves that solves the puzzle, if one is known."""
    level = models.PositiveSmallIntegerField(default=0, editable=False)
    """The difficulty, from 1 to 4; 0 while it is not known."""

    objects = InLibrary()
    every = models.Manager["Puzzle"]()

    measured: Measured | None = None
    """How often classes have solved the board, if it is known. Only `measured.measure` sets it."""

    class Meta:
        # Puzzles that were saved at the same moment keep the order in which they were made.
        ordering = ["-changed_at", "pk"]
        indexes = [
            models.Index(
                fields=["owner", "-changed_at", "id"],
                condition=models.Q(deleted_at=None),
                name="library_latest_first",
            ),
            models.Index(
                fields=["deleted_at"],
                condition=models.Q(deleted_at__isnull=False),
                name="puzzles_in_bin",
            ),
        ]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the puzzle, and fill the columns for searching if the board is new or changed."""
        self.fill_columns()
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("puzzle", args=[self.pk])

    @classmethod
    def expired(cls) -> QuerySet["Puzzle"]:
        """Return the puzzles whose time in the bin is over, and those that were not assigned."""
        left = models.Q(is_in_library=False, changed_at__lt=timezone.now() - timedelta(days=1))
        return super().expired() | cls.every.filter(left)

    def crumb(self) -> Crumb:
        """Return the page in the breadcrumbs of the pages below it."""
        return Crumb(self.get_absolute_url(), self.title, "puzzle_list")

    @property
    def trial_name(self) -> str:
        """The name of the teacher's own attempt at the puzzle (`play.trial`)."""
        return f"library-{self.pk}"

    def fill_columns(self) -> None:
        """Set the columns that follow from the title, the board and known answers about it.

        Three queries at most if the board has changed, none otherwise.
        """
        self.title_key = natural_key(self.title)
        board_fingerprint = fingerprint(self.kind_slug, self.position)
        if board_fingerprint == self.fingerprint:
            return
        self.fingerprint = board_fingerprint
        self.rows, self.columns = self.kind.editor.size(self.position)
        self.__dict__.pop("start", None)
        numbers = [number for fact in self.facts[1:2] for number in fact.values.values()]
        self.stones = next(
            (number for number in numbers if isinstance(number, int) and number >= 0), 0
        )
        self.solutions, self.is_counted, self.solutions_order = "", False, None
        self.solution = ""
        self.level = levels_of([self])[self.key]
        for job in find_all([job_key(self.kind_slug, "count", self.position)]).values():
            if job.result:
                self.set_answer(job.result)

    def set_answer(self, answer: Answer) -> None:
        """Set the columns that follow from a count or a rating."""
        for name, value in columns_from(answer).items():
            setattr(self, name, value)

    @property
    def known_count(self) -> CountAnswer | None:
        """The number of solutions as far as the library knows it, else None."""
        if not self.solutions:
            return None
        moves = tuple(split_moves(self.solution))
        return CountAnswer(Exact(self.solutions), moves=moves, proven=self.is_counted)

    @property
    def known_rating(self) -> RateAnswer | None:
        """The difficulty if the library knows it, else None."""
        return RateAnswer(band=band_of(self.level)) if self.level else None

    def copy(self, title: str) -> "Puzzle":
        """Save and return a copy for the same owner, with another title.

        The copy keeps what is known about the board.
        """
        columns = {field.attname: getattr(self, field.attname) for field in self._meta.fields}
        copied = Puzzle.objects.create(**columns | {"id": None, "title": title})
        copied.tags.set(self.tags.all())
        return copied


class BoardFigures(models.Model):
    """How often a board that was assigned to a class was solved there at a student's first attempt.

    The row holds two numbers and no student, and stays when a student is deleted. It helps to
    estimate difficulties in its class, and leaves it only if `Classroom.shares_figures` is on.
    """

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="board_figures")
    kind_slug = models.SlugField(max_length=40)
    fingerprint = models.CharField(max_length=64, db_index=True)
    """A hash that is equal for equal boards of a kind."""
    difficulty = models.FloatField()
    """The difficulty as it is computed, in log-odds (`practice.skill.scaled`)."""
    students = models.PositiveIntegerField(default=0)
    """The students who began their first attempt at the board at least a day ago."""
    solved = models.PositiveIntegerField(default=0)
    """Those of them who had solved the board in this attempt by then, without a hint."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["classroom", "fingerprint"], name="figures_once_a_class"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind_slug} {self.fingerprint[:8]}: {self.solved}/{self.students}"


class SavedSearch(models.Model):
    """A search of the library that a teacher has saved under a name."""

    MAX_COUNT = 20
    """The most saved searches of one teacher."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_searches"
    )
    name = models.CharField(_("Name"), max_length=TAG_LENGTH)
    query = models.TextField(blank=True)
    """The search as the query string of the library's address (`library.SearchForm.query`)."""

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["owner", "name"], name="saved_search_once")]

    def __str__(self) -> str:
        return self.name


def fingerprint(kind_slug: str, position: str) -> str:
    """Return a hash that is equal for equal boards of a kind. `position` is canonical text."""
    return hashlib.sha256(f"{kind_slug} {position}".encode()).hexdigest()


def natural_key(title: str) -> str:
    """Return a text by which titles sort in natural order, with 10 after 9.

    >>> sorted(["B 10", "b 9", "A"], key=natural_key)
    ['A', 'b 9', 'B 10']
    """
    return re.sub(r"[0-9]+", lambda number: number[0].zfill(10), title.casefold())[:600]


def columns_from(answer: Answer) -> dict[str, Any]:
    """Return the values of the columns of `Puzzle` that follow from a count or a rating."""
    if isinstance(answer, RateAnswer):
        # A board that is proven to have no solution has no difficulty.
        return {"level": answer.level} if answer.level or answer.proven else {}
    if not isinstance(answer, CountAnswer) or answer.value is None:
        return {}
    return {
        "solutions": str(answer.value),
        "is_counted": answer.proven,
        "solutions_order": min(answer.value, HIGHEST_KEY),
        "solution": " ".join(answer.moves),
    }


def store_answer(job: Job) -> None:
    """Store the job's answer in all library rows that have its board. One query."""
    if job.question == "rate" and stated_level((job.kind_slug, job.position)):
        return
    if job.question in ("count", "rate") and job.result and (columns := columns_from(job.result)):
        Puzzle.every.filter(fingerprint=fingerprint(job.kind_slug, job.position)).update(**columns)


def stated_level(board: BoardKey) -> int:
    """Return the difficulty that the ready collection states for its board, from 1 to 4; 0 for any
    other board."""
    slug, position = board
    collected = find_board(kind_or_missing(slug), position)
    return level_of(collected.band) if collected else 0


def levels_of(boards: Iterable[Board]) -> dict[BoardKey, int]:
    """Return the difficulty of each board, from 1 to 4; 0 while it is not known.

    It is what the ready collection states, else what a generator or a rating has found. Every page
    and file shows this. Two queries at most.
    """
    levels = {key: stated_level(key) for key in {board.key for board in boards}}
    unknown = {fingerprint(*key): key for key, level in levels.items() if not level}
    if unknown:
        rows = Puzzle.every.filter(fingerprint__in=unknown, level__gt=0).order_by("pk")
        for mark, level in rows.values_list("fingerprint", "level"):
            levels[unknown[mark]] = level
    unrated = {
        job_key(slug, "rate", text): (slug, text) for slug, text in levels if not levels[slug, text]
    }
    for key, job in find_all(unrated).items() if unrated else ():
        if isinstance(job.result, RateAnswer):
            levels[unrated[key]] = job.result.level
    return levels


def obstacle_of(kind: AnyKind, start: Hashable) -> Message | None:
    """Return the reason why a start can't be solved, if one is seen without a search."""
    return kind.obstacles.obstacle(start) if kind.obstacles else None


def kind_with_picture(kind: AnyKind) -> dict[str, object]:
    """Return the kind, and a picture of the example that shows it best in the middle of play, or of
    an empty board if it has no examples."""
    instances = examples(kind)
    if not instances:
        return {"kind": kind, "picture": kind.draw(kind.read_start(kind.editor.blank(4, 4)))}
    best = next((example for example in instances if example.shown), instances[0])
    position = position_after(kind, best.position, best.shown)
    return {"kind": kind, "picture": kind.draw(position)}
