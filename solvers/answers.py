"""What questions are answered with: a frozen type for each answer, and its JSON.

Inside the project answers have fields; JSON is what jobs store and the command line prints:

    {"value": "8", "proven": true, "moves": ["1,1", "1,3"], "details": {"by_move": {"1,1": "4"}}}

`details` holds the fields that only some answers have, left out where they have their default.
An `Exact` is a decimal string there, because JSON readers round large numbers. A kind that has
more to say than these types derives its own from them and names it in `Question.answer`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeVar

import msgspec

from solvers.message import Message, gettext_noop

BANDS = (
    gettext_noop("easy"),
    gettext_noop("medium"),
    gettext_noop("hard"),
    gettext_noop("very hard"),
)
"""The names of the difficulties, the easiest first: the same for all kinds."""


def level_of(band: str | int) -> int:
    """Return the difficulty of a band from 1, easy, to 4, very hard; 0 when it is not known."""
    if isinstance(band, int):
        return band
    return BANDS.index(band) + 1 if band in BANDS else 0


class Exact(int):
    """A count: an integer of any size, a decimal string in JSON."""


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What every answer has."""

    value: Exact | None = None
    """What was asked for; None where there is no such number. A lower bound unless `proven`."""
    moves: tuple[str, ...] = ()
    """A line of moves that proves or shows the answer; replayed before anyone sees it."""
    proven: bool = True
    note: Message | None = None
    """What the solver says of its answer in words, such as why it is no proof."""
    at_most: Exact | None = None
    """A proven upper bound of the value, where one is known."""
    seconds: float | None = None
    """What it took to find."""
    limit: Literal["", "time"] = ""
    """What cut the work short."""

    def to_json(self) -> dict[str, Any]:
        """Return the answer as JSON values; see the top of the module for their shape."""
        fields = _with_safe_integers(msgspec.to_builtins(self, enc_hook=str))
        shared = {
            "value": fields.pop("value", None),
            "proven": fields.pop("proven", True),
            "moves": fields.pop("moves", []),
        }
        return {**shared, "details": fields}


A = TypeVar("A", bound=Answer)


def from_json(answer: type[A], stored: Mapping[str, Any]) -> A:
    """Return the answer of this type that `to_json` made.

    Raises ValueError, naming the field, for what does not fit the type.
    """
    if not isinstance(stored, Mapping) or not isinstance(stored.get("details"), Mapping):
        raise ValueError("an answer is an object with details")
    shared = {name: stored[name] for name in ("value", "proven", "moves") if name in stored}
    return msgspec.convert(
        {**stored["details"], **shared}, answer, strict=False, dec_hook=_read_exact
    )


def _read_exact(wanted: type, stored: object) -> Exact:
    if wanted is not Exact or not isinstance(stored, int | str):
        raise ValueError(f"{stored!r} is no exact number")
    return Exact(stored)


_SAFE = 2**53
"""From here on a JSON reader that has floating-point numbers only rounds."""


def _with_safe_integers(stored: Any) -> Any:
    """Return JSON values with integers too large for some readers as decimal strings."""
    if isinstance(stored, dict):
        return {name: _with_safe_integers(value) for name, value in stored.items()}
    if isinstance(stored, list | tuple):
        return [_with_safe_integers(value) for value in stored]
    return str(stored) if isinstance(stored, int) and abs(stored) > _SAFE else stored


# Counting and solving


class EstimateAnswer(Answer, frozen=True, kw_only=True):
    """About how many solutions there are: the mean over random games."""

    estimate: float | None = None
    error: float | None = None
    """The standard error of `estimate`."""
    estimate_note: Message | None = None
    """How it was found, in words."""


class CountAnswer(EstimateAnswer, frozen=True, kw_only=True):
    """How many solutions there are; an estimate beside a count that was cut short."""

    by_move: dict[str, Exact] = {}
    """Legal move -> the solutions that begin with it; empty where that was not counted."""
    up_to_mirror: Exact | None = None
    """The number when a solution and its mirror image count once, where that was counted."""
    states: int | None = None
    """Situations looked at."""


class SolutionsAnswer(Answer, frozen=True, kw_only=True):
    """A page of the solutions."""

    solutions: tuple[str, ...] = ()
    """Each a line of moves as text."""
    more: bool = False
    """Solutions follow the page."""


class BestAnswer(Answer, frozen=True, kw_only=True):
    """The best score; its moves build a board that has it."""

    board: str = ""
    """The best board known, as the kind writes it."""
    proof: Message | None = None
    """What proves that there is no better one."""


# Play

State = Literal["", "live", "trapped", "doomed"]
"""Of a board: it can be solved; it can't, though that is not seen yet; it can't, as some place
shows. Empty when it was not decided."""


class HintAnswer(Answer, frozen=True, kw_only=True):
    """Whether a board can still be solved, and how it can go on.

    Value: 1 while it can be solved, 0 when not, None when that was not decided. `moves` holds
    the next good move, where so much may be told. Places are texts `row,column`.
    """

    state: State = ""
    left: Exact | None = None
    """Solutions left, where that was counted."""
    goal: int | None = None
    """The score that solves the puzzle, of kinds with a score."""
    reach: int | None = None
    """The best score that can still be reached, where that is known."""
    optimum: int | None = None
    """The best score from the start on."""
    keep: int | None = None
    """Of a lost board: how many of the moves played may stay, where going back helps."""
    reason: Message | None = None
    """Why a start can't be solved."""
    region: tuple[str, ...] = ()
    """The places among which the next good move is."""
    doomed: tuple[str, ...] = ()
    """Of a lost board: the places that show it."""
    wrong: tuple[str, ...] | None = None
    """Of a lost board: places that, cleared, make it solvable again."""
    sure: bool | None = None
    """Every solution has the move."""


class ReviewAnswer(Answer, frozen=True, kw_only=True):
    """Where a line of moves lost its last solution.

    Value: the number of that move, counted from 1; 0 while a solution is left; None when there
    never was one or, not proven, when that was not decided.
    """

    left: tuple[Exact | None, ...] = ()
    """For 0, 1, ... moves the solutions left, None where they were not counted."""
    reach: tuple[int | None, ...] = ()
    """The same for the best score that was left, of kinds with a score."""
    goal: int | None = None
    """The score that solves the puzzle, of kinds with a score."""


class RateAnswer(Answer, frozen=True, kw_only=True):
    """How hard a puzzle is. Chances are from 0 to 1, levels their negative decimal logarithms."""

    band: str = ""
    """One of `BANDS`; empty when the difficulty is not known."""
    random: float | None = None
    """The chance of a player who picks evenly among all legal moves."""
    careful: float | None = None
    """The chance of one who picks among the moves that are not visibly lost."""
    random_level: float | None = None
    careful_level: float | None = None
    branching: float | None = None
    """Moves to choose from, in the mean."""
    trap_depth: float | None = None
    """Moves from a mistake until it shows, in the mean."""
    missing: float | None = None
    """Of kinds with a score: what the careful player falls short of the goal by, in the mean."""
    error: float | None = None
    """The standard error of what was estimated."""
    solutions: Exact | None = None

    @property
    def level(self) -> int:
        return level_of(self.band)


# Making puzzles


class GeneratedBoard(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A puzzle that a generator has made."""

    position: str
    """The start as the kind writes it."""
    solutions: Exact | None = None
    band: str | int = ""
    """One of `BANDS`; answers of earlier versions have its number, counted from 1."""
    line: str = ""
    """A solution, as a line of moves."""
    clues: int | None = None
    """Pieces or points that are given."""
    careful_level: float | None = None
    missing: float | None = None
    """As in `RateAnswer`."""

    @property
    def level(self) -> int:
        return level_of(self.band)

    @property
    def band_word(self) -> str:
        """One of `BANDS`; empty when the difficulty is not known."""
        return BANDS[self.level - 1] if self.level else ""


class GenerateAnswer(Answer, frozen=True, kw_only=True):
    """Puzzles made to order. Value: how many; proven when as many as were wanted, or all."""

    boards: tuple[GeneratedBoard, ...] = ()

    @classmethod
    def of(
        cls, boards: Iterable[GeneratedBoard], many: int, note: Message | None = None
    ) -> "GenerateAnswer":
        """Return the answer with these boards; what is said when they are fewer than `many`."""
        made = tuple(boards)
        is_all = len(made) == many
        return cls(Exact(len(made)), proven=is_all, boards=made, note=None if is_all else note)


class Diagnosis(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that rules a solution out."""

    message: Message
    cells: tuple[str, ...] = ()
    """Where it is, as `row,column`; empty when it is in no place."""


class Change(msgspec.Struct, frozen=True):
    """A change of one place of a board."""

    cell: str
    """`row,column`."""
    message: Message
    """What is changed there, in words."""


class Repair(msgspec.Struct, frozen=True, omit_defaults=True):
    """A way to make a puzzle solvable."""

    position: str
    """The changed start as the kind writes it."""
    changes: tuple[Change, ...]
    solutions: Exact | None = None
    """How many it then has, where they were counted."""


class RepairAnswer(Answer, frozen=True, kw_only=True):
    """Why a puzzle has no solution, and the smallest changes after which it has some.

    Value: the least number of changes, 0 when none is needed; None when none that is small
    enough helps or, not proven, when that was not decided.
    """

    diagnosis: tuple[Diagnosis, ...] = ()
    repairs: tuple[Repair, ...] = ()
    """Those with the most solutions first."""
    is_all: bool = msgspec.field(default=False, name="all")
    """No other change of the same size helps."""


class SurveyRow(msgspec.Struct, frozen=True, kw_only=True):
    """What random boards with one number of stones are like."""

    stones: int
    boards: int
    """How many were looked at."""
    is_all: bool
    """These are all boards that there are."""
    solvable: int
    unique: int
    undecided: int
    """Boards of which not even that is known."""
    median: Exact | None
    """Of the numbers of solutions of the solvable boards; None without any."""
    is_bound: bool
    """The median is only a lower bound."""
    careful_level: float | None
    random_level: float | None
    """As in `RateAnswer`, in the mean of some of the solvable boards; None without any."""
    band: str = ""
    """That of the mean `careful_level`, one of `BANDS`; empty where there is none."""


class SurveyAnswer(Answer, frozen=True, kw_only=True):
    """What random boards are like. Value: how many were looked at."""

    survey: tuple[SurveyRow, ...] = ()


# Answers that the site shows as they are

TableCell = Message | int | float | None
"""A text, a number, or nothing."""


class AnswerTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table to be shown; its rows are as long as its head."""

    head: tuple[Message, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    title: Message | None = None


class ShownBoard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A board to be shown."""

    position: str
    """A start, or `start | line`."""
    caption: Message | None = None


class AnswerFile(msgspec.Struct, frozen=True):
    """A text to be downloaded."""

    name: str
    """As it is saved."""
    title: Message
    text: str


class ShownAnswer(Answer, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer with tables, boards and files that the question's own page shows.

    Stored before its tables had this shape, it is refused: half of it would not be seen.
    """

    tables: tuple[AnswerTable, ...] = ()
    boards: tuple[ShownBoard, ...] = ()
    files: tuple[AnswerFile, ...] = ()
