from collections.abc import Hashable
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import AnyKind, examples, get_kind

TITLE_LENGTH = 60


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
    def kind(self) -> AnyKind:
        return get_kind(self.kind_slug)

    @cached_property
    def start(self) -> Any:
        """The starting position, as the kind's own object."""
        return self.kind.read(self.position)

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


class Puzzle(Board):
    """A puzzle in a teacher's library."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzles"
    )
    note = models.TextField(_("Note to yourself"), blank=True, max_length=2000)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-changed_at", "-pk"]

    def copy(self) -> "Puzzle":
        """Return a new puzzle of the same owner, like this one but for the title."""
        room = TITLE_LENGTH - len(gettext("{title} (copy)").format(title=""))
        return Puzzle.objects.create(
            owner=self.owner,
            kind_slug=self.kind_slug,
            position=self.position,
            title=gettext("{title} (copy)").format(title=self.title[:room]),
            note=self.note,
        )


def obstacle_of(kind: AnyKind, start: Hashable) -> Message | None:
    """Return why a start can't be solved, as far as that is seen without a search."""
    return kind.obstacles.obstacle(start) if kind.obstacles else None


def showpiece(kind: AnyKind) -> dict[str, object]:
    """Return the kind with a picture of the example that shows it best, in the middle of play."""
    instances = examples(kind)
    best = next((example for example in instances if example.shown), instances[0])
    position = kind.play_line(kind.read(best.position), best.shown)
    return {"kind": kind, "picture": kind.draw(position)}
