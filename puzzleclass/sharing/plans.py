"""Lesson plans that come with the product, with collected puzzles and texts in every language.

`plans.toml` has what is the same in all languages: boards, minutes, actions, what is set. The words
are in `plans_en.toml` and in the folders of the languages. They have the full form of a 指導案.
"""

from functools import cache
from pathlib import Path

import msgspec
from django.conf import settings
from django.utils.translation import to_locale

from puzzleclass.language import languages
from puzzleclass.language.reader import say
from puzzleclass.puzzles.worlds import worlds
from puzzleclass.sharing.models import PackedPuzzle
from puzzleclass.sharing.phases import Expected, Phase, PlanWords, read_action
from solvers.registry import CollectedPuzzle, collection, get_kind, ready_kinds

FILE = Path(__file__).parent / "plans.toml"
ENGLISH = Path(__file__).parent / "plans_en.toml"


class PhaseText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a phase in one language."""

    title: str
    activity: str
    watch: str
    assess: str
    question: str = ""
    expected: tuple[tuple[str, str], ...] = ()
    """Answers, each with what to do about it."""


class PlanText(PlanWords, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The words of a plan in one language."""

    title: str
    grades: str
    phases: tuple[PhaseText, ...]


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is the same of a phase in all languages."""

    minutes: int
    do: str = ""


class LessonPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plan for a lesson of 45 minutes."""

    slug: str
    kind: str
    """A kind, or the name of a ready table."""
    grades: tuple[int, ...]
    """The grades for which the plan is offered first; empty if it is for any."""
    level: int
    numbers: tuple[int, ...]
    """The numbers of the puzzles within the level of the collection, from 1."""
    unique: bool
    """Whether each of the puzzles has exactly one solution, as the text then says."""
    phases: tuple[Step, ...]
    wanted: int = 1
    shows_total: bool = True

    def __post_init__(self) -> None:
        for step in self.phases:
            read_action(step.do, len(self.numbers))

    @property
    def kind_slug(self) -> str:
        """The slug of the plan's kind."""
        ready = ready_kinds().get(self.kind)
        return ready.slug if ready else self.kind

    @property
    def collected(self) -> list[CollectedPuzzle]:
        """The puzzles of the plan, from the kind's collection."""
        level = [each for each in collection(get_kind(self.kind_slug)) if each.level == self.level]
        return [level[number - 1] for number in self.numbers]

    @property
    def puzzles(self) -> list[PackedPuzzle]:
        """The puzzles of the plan as unsaved puzzles of a pack."""
        level = world_puzzles(self.kind_slug, self.level)
        return [level[number - 1] for number in self.numbers]

    @property
    def text(self) -> PlanText:
        """The words of the plan in the active language; in English without a translation."""
        return translations(languages.active()).get(self.slug) or _words_in(ENGLISH)[self.slug]

    @property
    def title(self) -> str:
        return self.text.title

    @property
    def goal(self) -> str:
        return self.text.goal

    @property
    def course(self) -> tuple[Phase, ...]:
        """The phases with their words."""
        return tuple(
            Phase(
                step.minutes,
                words.title,
                words.activity,
                words.question,
                tuple(Expected(*pair) for pair in words.expected),
                words.watch,
                words.assess,
                step.do,
            )
            for step, words in zip(self.phases, self.text.phases, strict=True)
        )


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
            title=f"{say(kind.name)} {board.title}",
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
    """Return a mapping from slug to words in a language other than English: the `plans.toml` in
    the folders of the language."""
    name = Path(to_locale(language), "plans.toml")
    return {
        slug: text
        for folder in settings.LOCALE_PATHS
        for slug, text in _words_in(Path(folder) / name).items()
    }


@cache
def _words_in(path: Path) -> dict[str, PlanText]:
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
