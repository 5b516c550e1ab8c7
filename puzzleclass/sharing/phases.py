"""A lesson plan (指導案): its words, its phases, and the one action of each phase.

An action is a line such as `lead board 2`: a verb, and boards by their numbers in the plan. The
same line stands in every language, so the words on the button are made from it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from django.utils.translation import gettext as _

from puzzleclass.database.texts import STORABLE

MAX_PHASES = 20
MAX_MINUTES = 120
MAX_WORDS = 2000
"""The most characters of a text of a phase."""

MAX_CHARACTERS = 4000
"""The most characters of each part of a lesson plan."""

PlanPart = Annotated[str, msgspec.Meta(max_length=MAX_CHARACTERS, pattern=STORABLE)]


class PlanWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The words of a lesson plan, in their order."""

    unit: PlanPart = ""
    """単元名"""
    in_unit: PlanPart = ""
    """本時の位置"""
    children: PlanPart = ""
    """児童観・生徒観"""
    material: PlanPart = ""
    """教材観"""
    teaching: PlanPart = ""
    """指導観"""
    aim: PlanPart = ""
    """本時の目標"""
    knowledge: PlanPart = ""
    """評価規準: 知識・技能"""
    thinking: PlanPart = ""
    """思考・判断・表現"""
    attitude: PlanPart = ""
    """主体的に学習に取り組む態度"""
    goal: PlanPart = ""
    """めあて"""
    materials: PlanPart = ""
    """準備物"""
    board: PlanPart = ""
    """板書計画"""
    wrap_up: PlanPart = ""
    """まとめ"""
    look_back: PlanPart = ""
    """振り返り"""
    evaluation: PlanPart = ""
    """評価方法"""


Words = Annotated[str, msgspec.Meta(max_length=MAX_WORDS, pattern=STORABLE)]


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What students may answer (予想される反応), and what the teacher then does (手立て)."""

    answer: Words
    then: Words


class Phase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A phase of a lesson (展開)."""

    minutes: Annotated[int, msgspec.Meta(ge=1, le=MAX_MINUTES)]
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=STORABLE)]
    activity: Words = ""
    question: Words = ""
    """The main question (主発問)."""
    expected: tuple[Expected, ...] = ()
    watch: Words = ""
    """The points to watch (留意点)."""
    assess: Words = ""
    """The viewpoint, the sign, and how it is seen."""
    do: Annotated[str, msgspec.Meta(max_length=60, pattern=STORABLE)] = ""
    """The line of the action; empty if nothing is to be pressed."""

    @property
    def action(self) -> "Action":
        return read_action(self.do)


Phases = Annotated[tuple[Phase, ...], msgspec.Meta(max_length=MAX_PHASES)]


@dataclass(frozen=True)
class Action:
    """What a phase does when it begins."""

    verb: str = ""
    """`lead`, `free`, `ask`, `show` or `look-back`; empty for nothing."""
    what: str = ""
    """The sort of the question, or what is shown."""
    board: int = 0
    """The number of the board; 0 if the action has none."""
    minutes: int = 0
    """The minutes on the clock; 0 without a clock."""
    is_twice: bool = False
    """Whether the question is answered twice."""
    right: str = ""
    """The right answer of a question in the teacher's own words, if there is one."""

    def __str__(self) -> str:
        """Return the line of the action."""
        at_board = f"board {self.board}" if self.board else ""
        parts = {
            "lead": ["lead", at_board],
            "free": ["free"],
            "ask": ["ask", self.what, at_board],
            "show": ["show", f"found {self.board} {self.what}" if self.board else self.what],
            "look-back": ["look-back", at_board],
        }.get(self.verb, [])
        parts += [f"clock {self.minutes}"] if self.minutes else []
        parts += ["twice"] if self.is_twice else []
        parts += [f"= {self.right}"] if self.right else []
        return " ".join(filter(None, parts))

    @property
    def words(self) -> str:
        """What the button says."""
        words = _verbs()[self.verb, self.what] if self.verb else ""
        details = [_("board {n}").format(n=self.board)] if self.board else []
        details += [_("{n} min").format(n=self.minutes)] if self.minutes else []
        details += [_("answer twice")] if self.is_twice else []
        return " · ".join([words, *details]) if words else ""


WITH_BOARD = {
    ("lead", ""),
    *(("ask", what) for what in ("move", "solvable", "count", "solve")),
    *(("show", what) for what in ("solutions", "groups", "tree", "map")),
}
"""The actions that need a board."""
MAY_HAVE_BOARD = WITH_BOARD | {("look-back", "")}
WITH_CLOCK = {("lead", ""), ("free", "")}
TWICE = {("ask", what) for what in ("move", "solvable", "count", "number", "sentence")}
WITH_ANSWER = {("ask", "number")}


def _verbs() -> dict[tuple[str, str], str]:
    """Return the words of every verb with what it is about."""
    return {
        ("lead", ""): _("Everybody to one board"),
        ("free", ""): _("Free choice of boards"),
        ("ask", "move"): _("Ask: which move next?"),
        ("ask", "solvable"): _("Ask: can it still be solved?"),
        ("ask", "count"): _("Ask: how many solutions?"),
        ("ask", "solve"): _("Everybody begins at the same second"),
        ("ask", "number"): _("Ask the main question: a number"),
        ("ask", "sentence"): _("Ask the main question: a sentence"),
        ("show", "solutions"): _("Show the solutions found"),
        ("show", "groups"): _("Show the groups of solutions"),
        ("show", "tree"): _("Show the tree diagram"),
        ("show", "map"): _("Show the class map"),
        ("show", "wall"): _("Show the wall"),
        ("look-back", ""): _("Look back at the lesson"),
    }


def action_choices() -> list[tuple[str, str]]:
    """Return every verb with what it is about, as a form offers them."""
    choices = [(" ".join(filter(None, key)), words) for key, words in _verbs().items()]
    return [("", _("Nothing to press")), *choices]


_LINE = re.compile(
    r"(?P<verb>lead|free|ask|show|look-back)"
    r"(?: (?P<what>move|solvable|count|solve|number|sentence|wall))?"
    r"(?: (?:board|found) (?P<board>[1-9][0-9]{0,2}))?"
    r"(?: (?P<view>solutions|groups|tree|map))?"
    r"(?: clock (?P<minutes>[1-9][0-9]{0,2}))?(?P<twice> twice)?(?: = (?P<right>\S.{0,29}))?"
)


def read_action(text: str, boards: int = 999) -> Action:
    """Return the action of a line, in a plan with this number of boards.

    Raises ValueError for a line that is none.
    """
    line = " ".join(text.split())
    if not line:
        return Action()
    found = _LINE.fullmatch(line)
    if found:
        action = Action(
            found["verb"],
            found["view"] or found["what"] or "",
            int(found["board"] or 0),
            int(found["minutes"] or 0),
            bool(found["twice"]),
            found["right"] or "",
        )
        if not fault_of(action, boards) and str(action) == line:
            return action
    raise ValueError(line)


def fault_of(action: Action, boards: int) -> str:
    """Return why a plan with this number of boards can't have the action; empty if it can."""
    key = (action.verb, action.what)
    if key not in _verbs():
        return _("This action does not exist.")
    if action.board > boards or (key in WITH_BOARD and not action.board):
        return _("Choose a board for this action, from 1 to {n}.").format(n=boards)
    if action.board and key not in MAY_HAVE_BOARD:
        return _("This action has no board.")
    if action.minutes and (key not in WITH_CLOCK or action.minutes > MAX_MINUTES):
        return _("This action has no clock.")
    if action.is_twice and key not in TWICE:
        return _("Only a question can be answered twice.")
    if action.right and key not in WITH_ANSWER:
        return _("Only a question whose answer is a number can have a right answer.")
    return ""


def phases_of(stored: Sequence[Any]) -> tuple[Phase, ...]:
    """Return phases that were stored as JSON."""
    return msgspec.convert(stored, tuple[Phase, ...])


def stored(phases: Iterable[Phase]) -> list[Any]:
    """Return the phases as JSON."""
    return [msgspec.to_builtins(phase) for phase in phases]


_STAGE = re.compile(r"([0-9]+) ?[–〜-] ?([0-9]+) ?\w+[:：]?[ 　]+(.*)")


def phases_in(course: str) -> tuple[Phase, ...]:
    """Return the course in the file of a pack of version 1 or 2 as phases.

    A stage is a line that begins with its time, and the lines after it that begin with a blank,
    which say what to watch. A course in other words is one phase.
    """
    phases: list[Phase] = []
    before: list[str] = []
    for line in filter(str.strip, course.splitlines()):
        if match := _STAGE.fullmatch(line.rstrip()):
            minutes = min(max(int(match[2]) - int(match[1]), 1), MAX_MINUTES)
            activity = "\n".join([*before, match[3]])[:MAX_WORDS]
            phases.append(Phase(minutes, _("Phase {n}").format(n=len(phases) + 1), activity))
            before = []
        elif not phases:
            before.append(line)
        elif line[0] in " 　":
            watch = f"{phases[-1].watch}\n{line.strip()}".strip()[:MAX_WORDS]
            phases[-1] = msgspec.structs.replace(phases[-1], watch=watch)
        else:
            before = []
            phases = []
            break
    if not phases and course.strip():
        parts = [course[at : at + MAX_WORDS] for at in range(0, len(course), MAX_WORDS)]
        phases = [Phase(45, _("Course of the lesson"), part) for part in parts]
    return tuple(phases[:MAX_PHASES])
