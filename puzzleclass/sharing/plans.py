"""Lesson plans that come with the product: texts in both languages, puzzles of the collections."""

from functools import cache
from pathlib import Path

import msgspec
from django.utils.translation import get_language

from puzzleclass.language import say
from puzzleclass.sharing.models import PackedPuzzle
from solvers.message import Message
from solvers.registry import CollectedPuzzle, collection, get_kind

FILE = Path(__file__).parent / "plans.toml"


class PlanText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a plan says in a language; {n} stands for the number of puzzles."""

    title: str
    grades: str
    aim: str
    course: str
    wrap_up: str


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson of 45 minutes."""

    slug: str
    kind: str
    level: int
    numbers: tuple[int, ...]
    """Places in the level of the collection, from 1."""
    unique: bool
    """Each of its puzzles has one solution, as its text says."""
    ja: PlanText
    en: PlanText

    @property
    def collected(self) -> list[CollectedPuzzle]:
        """Its puzzles, from the kind's collection."""
        level = [each for each in collection(get_kind(self.kind)) if each.level == self.level]
        return [level[number - 1] for number in self.numbers]

    @property
    def puzzles(self) -> list[PackedPuzzle]:
        """Its puzzles as those of a pack, not saved."""
        title = say(Message(get_kind(self.kind).title))
        return [
            PackedPuzzle(number=n, kind_slug=self.kind, title=f"{title} {n}", position=one.position)
            for n, one in enumerate(self.collected, 1)
        ]

    @property
    def text(self) -> PlanText:
        """What it says in the active language."""
        text = self.ja if (get_language() or "").startswith("ja") else self.en
        course = text.course.strip().replace("{n}", str(len(self.numbers)))
        wrap_up = text.wrap_up.replace("{n}", str(len(self.numbers)))
        return msgspec.structs.replace(text, course=course, wrap_up=wrap_up)


class _Plans(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    plan: tuple[Plan, ...]


@cache
def plans() -> dict[str, Plan]:
    """Return slug -> plan, from the youngest students to the oldest."""
    read = msgspec.toml.decode(FILE.read_bytes(), type=_Plans)
    return {plan.slug: plan for plan in read.plan}
