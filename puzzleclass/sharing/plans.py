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
from puzzleclass.puzzles.worlds import worlds
from puzzleclass.sharing.models import PackedPuzzle
from solvers.message import Message
from solvers.registry import CollectedPuzzle, collection, get_kind

FILE = Path(__file__).parent / "plans.toml"


_TIME = r"[0-9]+ ?[–〜-] ?[0-9]+ ?\w+"
_STAGE = re.compile(rf"({_TIME})[:：　] *(.*?) \|\| (.*)")
_STAGE_OF_PACK = re.compile(rf"({_TIME})[:：]?[ 　]+(.*)")


class PlanStage(NamedTuple):
    """A part of a lesson."""

    time: str
    activity: str
    watch: str
    """What the teacher watches."""


def course_in(text: str) -> tuple[str, list[PlanStage]]:
    """Return what stands before the stages in the course of a pack, and the stages.

    A stage is a line that begins with its time, and the lines after it that begin with a blank,
    which say what to watch. There are no stages if another line stands among them.
    """
    before: list[str] = []
    stages: list[PlanStage] = []
    for line in filter(str.strip, text.splitlines()):
        if match := _STAGE_OF_PACK.fullmatch(line.rstrip()):
            stages.append(PlanStage(match[1], match[2], ""))
        elif not stages:
            before.append(line)
        elif line[0] in " 　":
            watch = f"{stages[-1].watch}\n{line.strip()}".strip()
            stages[-1] = stages[-1]._replace(watch=watch)
        else:
            return text, []
    return "\n".join(before), stages


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
    grades: tuple[int, ...]
    """The grades for which the plan is offered first; empty if it is for any."""
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
        level = world_puzzles(self.kind, self.level)
        return [level[number - 1] for number in self.numbers]

    @property
    def text(self) -> PlanText:
        """The text of the plan in the active language, or in English if there is no translation."""
        text = translations(languages.active()).get(self.slug, self.english)
        course = text.course.strip().replace("{n}", str(len(self.numbers)))
        wrap_up = text.wrap_up.replace("{n}", str(len(self.numbers)))
        return msgspec.structs.replace(text, course=course, wrap_up=wrap_up)


class _BoardSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    grades: tuple[int, ...]
    kind: str
    levels: tuple[int, ...]


class _Plans(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    plan: tuple[LessonPlan, ...]
    set: tuple[_BoardSet, ...]


def world_puzzles(kind_slug: str, level: int) -> list[PackedPuzzle]:
    """Return a level of a kind's collection as unsaved puzzles. A title says where each stands."""
    kind = get_kind(kind_slug)
    return [
        PackedPuzzle(
            number=board.number,
            kind_slug=kind_slug,
            title=f"{say(Message(kind.title))} {board.title}",
            position=board.position,
        )
        for board in worlds(kind).get(level, ())
    ]


def plans_for(grade: int | None) -> list[LessonPlan]:
    """Return the plans for the grade, then those for any grade. Without a grade, the other way."""
    fitting = [plan for plan in plans().values() if grade in plan.grades]
    any_grade = [plan for plan in plans().values() if not plan.grades]
    return [*fitting, *any_grade] if fitting else [*any_grade, *list(plans().values())[:1]]


def sets_for(grade: int | None) -> list[tuple[str, int]]:
    """Return the kinds and levels of the collection whose first boards make a lesson."""
    return [
        (each.kind, level)
        for each in _read().set
        if (grade in each.grades if grade else not each.grades)
        for level in each.levels
    ]


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
    return {plan.slug: plan for plan in _read().plan}


@cache
def _read() -> _Plans:
    return msgspec.toml.decode(FILE.read_bytes(), type=_Plans)
