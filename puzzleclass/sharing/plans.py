"""Lesson plans that come with the product, with collected puzzles and texts in every language.

They have the form of a 指導案: aim, criteria, materials, course with times and what to watch,
blackboard.
"""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
from django.conf import settings
from django.utils.translation import to_locale

from puzzleclass.language import languages
from puzzleclass.language.reader import say
from puzzleclass.sharing.models import PackedPuzzle
from solvers.message import Message
from solvers.registry import CollectedPuzzle, collection, get_kind

FILE = Path(__file__).parent / "plans.toml"


_STAGE = re.compile(r"([0-9]+[–〜][0-9]+ ?\w+)[:：　] *(.*?) \|\| (.*)")


class PlanStage(NamedTuple):
    """A part of a lesson."""

    time: str
    activity: str
    watch: str
    """What the teacher watches."""


class PlanText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a plan in one language. In it, {n} stands for the number of puzzles."""

    title: str
    grades: str
    aim: str
    criteria: str
    """By what the teacher sees that the aim is reached."""
    materials: str
    course: str
    """A line for each stage: its time, what happens, and after || what to watch."""
    wrap_up: str
    board: str
    """What is on the blackboard at the end."""
    example: str = ""
    """The example with which a plan for a young class begins."""

    @property
    def stages(self) -> list[PlanStage]:
        """The stages of the course. Raise ValueError for a line that is none."""
        matches = [(line, _STAGE.fullmatch(line)) for line in self.course.splitlines()]
        for line, match in matches:
            if match is None:
                raise ValueError(f"no stage of a lesson: {line}")
        return [PlanStage(*match.groups()) for _line, match in matches if match]

    @property
    def course_of_pack(self) -> str:
        """The example and the course as the text of a pack."""
        lines = [f"{stage.time} {stage.activity}\n　{stage.watch}" for stage in self.stages]
        return "\n".join([*filter(None, [self.example]), *lines])


class LessonPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plan for a lesson of 45 minutes."""

    slug: str
    kind: str
    level: int
    numbers: tuple[int, ...]
    """The numbers of the puzzles within the level of the collection, from 1."""
    unique: bool
    """Whether each of the puzzles has exactly one solution, as the text then says."""
    english: PlanText

    @property
    def collected(self) -> list[CollectedPuzzle]:
        """The puzzles of the plan, from the kind's collection."""
        level = [each for each in collection(get_kind(self.kind)) if each.level == self.level]
        return [level[number - 1] for number in self.numbers]

    @property
    def puzzles(self) -> list[PackedPuzzle]:
        """The puzzles of the plan as unsaved puzzles of a pack."""
        title = say(Message(get_kind(self.kind).title))
        return [
            PackedPuzzle(number=n, kind_slug=self.kind, title=f"{title} {n}", position=one.position)
            for n, one in enumerate(self.collected, 1)
        ]

    @property
    def text(self) -> PlanText:
        """The text of the plan in the active language, or in English if there is no translation."""
        text = translations(languages.active()).get(self.slug, self.english)
        course = text.course.strip().replace("{n}", str(len(self.numbers)))
        wrap_up = text.wrap_up.replace("{n}", str(len(self.numbers)))
        return msgspec.structs.replace(text, course=course, wrap_up=wrap_up)


class _Plans(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    plan: tuple[LessonPlan, ...]


def translations(language: str) -> dict[str, PlanText]:
    """Return a mapping from slug to text: `plans.toml` in the folders of the language."""
    name = Path(to_locale(language), "plans.toml")
    return {
        slug: text
        for folder in settings.LOCALE_PATHS
        for slug, text in _translations(Path(folder) / name).items()
    }


@cache
def _translations(path: Path) -> dict[str, PlanText]:
    if not path.exists():
        return {}
    return msgspec.toml.decode(path.read_bytes(), type=dict[str, PlanText])


@cache
def plans() -> dict[str, LessonPlan]:
    """Return a mapping from slug to plan, from the youngest students to the oldest."""
    read = msgspec.toml.decode(FILE.read_bytes(), type=_Plans)
    return {plan.slug: plan for plan in read.plan}
