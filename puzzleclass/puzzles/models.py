import hashlib
import re
from collections.abc import Hashable
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from puzzleclass.http import HIGHEST_KEY
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.jobs.services import find_all
from solvers.answers import BANDS, Answer, CountAnswer, Exact, RateAnswer
from solvers.kind import split_moves
from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import AnyKind, examples, get_kind

TITLE_LENGTH = 60
TAG_LENGTH = 30


class Board(models.Model):
    """What a puzzle is: a kind and a starting position as canonical text."""

    kind_slug = models.SlugField(max_length=20)
    position = models.TextField()
    title = models.CharField(_("Title"), max_length=TITLE_LENGTH)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.title

    @property
    def copied(self) -> dict[str, str]:
        """Field -> value, for another row with the same puzzle."""
        return {"kind_slug": self.kind_slug, "position": self.position, "title": self.title}

    @property
    def kind(self) -> AnyKind:
        return get_kind(self.kind_slug)

    @cached_property
    def start(self) -> Any:
        """The starting position, as the kind's own object."""
        return _start(self.kind, self.position)

    @property
    def known_count(self) -> CountAnswer | None:
        """The number of solutions as far as it stands with the board itself."""
        return None

    @property
    def picture(self) -> Picture:
        """The board before the first move."""
        return self.kind.draw(self.start)

    @property
    def facts(self) -> tuple[Message, ...]:
        """What there is to say of it in a word or two each: its size, its stones."""
        return self.kind.facts(self.start)

    @property
    def obstacle(self) -> Message | None:
        """Why it can't be solved, as far as that is seen without a search."""
        return obstacle_of(self.kind, self.start)


@lru_cache(maxsize=500)
def _start(kind: AnyKind, position: str) -> Any:
    """Read a board. A class makes its moves on the same few."""
    return kind.read(position)


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


class Puzzle(Board):
    """A puzzle in a teacher's library.

    What the library is searched and sorted by stands in columns: `save` reads it from the
    board, and answers about the board are kept there as they come (`keep_answer`).
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzles"
    )
    note = models.TextField(_("Note to yourself"), blank=True, max_length=2000)
    author = models.CharField(_("Author"), blank=True, max_length=60)
    """Who made it, where that is not the owner."""
    tags = models.ManyToManyField(Tag, related_name="puzzles")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    title_key = models.CharField(max_length=600, default="", editable=False)
    """The title, with numbers written so that 10 comes after 9."""
    fingerprint = models.CharField(max_length=64, default="", editable=False, db_index=True)
    """Equal for equal boards of a kind."""
    rows = models.PositiveSmallIntegerField(default=0, editable=False)
    columns = models.PositiveSmallIntegerField(default=0, editable=False)
    stones = models.PositiveIntegerField(default=0, editable=False)
    """The number that the kind names after the size: stones, pieces to place ..."""
    solutions = models.TextField(default="", editable=False)
    """How many it has, a decimal string; empty while nothing is known."""
    is_counted = models.BooleanField(default=False, editable=False)
    """`solutions` is proven, no lower bound."""
    solutions_order = models.BigIntegerField(null=True, editable=False)
    """`solutions`, cut to what a database can sort."""
    solution = models.TextField(default="", editable=False)
    """A line of moves that solves it, where one is known."""
    level = models.PositiveSmallIntegerField(default=0, editable=False)
    """Its difficulty, 1 to 4; 0 while it is not known."""

    class Meta:
        # Those of one moment stand as they were made.
        ordering = ["-changed_at", "pk"]
        indexes = [models.Index(fields=["owner", "-changed_at"], name="library_latest_first")]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save; of a board that is new or changed, read what the library is searched by."""
        self.describe()
        super().save(*args, **kwargs)

    @property
    def trial_name(self) -> str:
        """What the teacher's own try at it is called (`play.trial`)."""
        return f"library-{self.pk}"

    def describe(self) -> None:
        """Set the columns that follow from title and board, and those that answers are known for.

        One query when the board has changed, none otherwise.
        """
        self.title_key = natural_key(self.title)
        mark = fingerprint(self.kind_slug, self.position)
        if mark == self.fingerprint:
            return
        self.fingerprint = mark
        self.rows, self.columns = self.kind.editor.size(self.position)
        self.__dict__.pop("start", None)
        numbers = [n for fact in self.facts[1:2] for n in fact.values.values()]
        self.stones = next((n for n in numbers if isinstance(n, int) and n >= 0), 0)
        self.solutions, self.is_counted, self.solutions_order = "", False, None
        self.solution, self.level = "", 0
        keys = [job_key(self.kind_slug, question, self.position) for question in ("count", "rate")]
        for job in find_all(keys).values():
            if job.result:
                self.keep(job.result)

    def keep(self, answer: Answer) -> None:
        """Set the columns that a count or a rating tells."""
        for name, value in kept_of(answer).items():
            setattr(self, name, value)

    @property
    def known_count(self) -> CountAnswer | None:
        """The count as far as the library knows it."""
        if not self.solutions:
            return None
        moves = tuple(split_moves(self.solution))
        return CountAnswer(Exact(self.solutions), moves=moves, proven=self.is_counted)

    @property
    def known_rating(self) -> RateAnswer | None:
        """The difficulty as far as the library knows it."""
        return RateAnswer(band=BANDS[self.level - 1]) if self.level else None

    def copy(self) -> "Puzzle":
        """Return a new puzzle of the same owner, like this one but for the title; what is known of
        the board is known of the copy."""
        room = TITLE_LENGTH - len(gettext("{title} (copy)").format(title=""))
        title = gettext("{title} (copy)").format(title=self.title[:room])
        columns = {field.attname: getattr(self, field.attname) for field in self._meta.fields}
        copied = Puzzle.objects.create(**columns | {"id": None, "title": title})
        copied.tags.set(self.tags.all())
        return copied


def fingerprint(kind_slug: str, position: str) -> str:
    """Return a text that is equal for equal boards of a kind, given as canonical text."""
    return hashlib.sha256(f"{kind_slug} {position}".encode()).hexdigest()


def natural_key(title: str) -> str:
    """Return a text by which titles sort as people count.

    >>> sorted(["B 10", "b 9", "A"], key=natural_key)
    ['A', 'b 9', 'B 10']
    """
    return re.sub(r"[0-9]+", lambda number: number[0].zfill(10), title.casefold())[:600]


def kept_of(answer: Answer) -> dict[str, Any]:
    """Return the columns of `Puzzle` that the answer to "count" or "rate" tells."""
    if isinstance(answer, RateAnswer):
        return {"level": answer.level} if answer.level else {}
    if not isinstance(answer, CountAnswer) or answer.value is None:
        return {}
    return {
        "solutions": str(answer.value),
        "is_counted": answer.proven,
        "solutions_order": min(answer.value, HIGHEST_KEY),
        "solution": " ".join(answer.moves),
    }


def keep_answer(job: Job) -> None:
    """Let all libraries that have the job's board know its answer. One query."""
    if job.question in ("count", "rate") and job.result and (known := kept_of(job.result)):
        Puzzle.objects.filter(fingerprint=fingerprint(job.kind_slug, job.position)).update(**known)


def obstacle_of(kind: AnyKind, start: Hashable) -> Message | None:
    """Return why a start can't be solved, as far as that is seen without a search."""
    return kind.obstacles.obstacle(start) if kind.obstacles else None


def showpiece(kind: AnyKind) -> dict[str, object]:
    """Return the kind with a picture of the example that shows it best, in the middle of play."""
    instances = examples(kind)
    best = next((example for example in instances if example.shown), instances[0])
    position = kind.play_line(kind.read(best.position), best.shown)
    return {"kind": kind, "picture": kind.draw(position)}
