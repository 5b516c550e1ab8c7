"""The types of answers, and their JSON form. Each question has a frozen answer type.

Python code uses the fields of an answer. Jobs store JSON, and the command line prints it:

    {"value": "8", "proven": true, "moves": ["1,1", "1,3"], "details": {"by_move": {"1,1": "4"}}}

`details` holds the fields that only some answers have and leaves out those with their default.
An `Exact` is a decimal string in JSON, because JSON readers round large numbers. A kind that needs
more fields derives its own answer type from these and names it in `Question.answer`.
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
"""The names of the difficulties of all kinds, from the easiest to the hardest."""


def level_of(band: str | int) -> int:
    """Return the difficulty of a band from 1, easy, to 4, very hard, or 0 if it is not known."""
    if isinstance(band, int):
        return band
    return BANDS.index(band) + 1 if band in BANDS else 0


def band_of(level: int) -> str:
    """Return the band of a difficulty from 1, easy, to 4, very hard; empty for 0, not known."""
    return BANDS[level - 1] if level else ""


class Exact(int):
    """A count: an integer of any size, written as a decimal string in JSON."""


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The fields that every answer has."""

    value: Exact | None = None
    """The answer as a number, or None if there is none. It is a lower bound unless `proven`."""
    moves: tuple[str, ...] = ()
    """A line of moves that proves or shows the answer. It is replayed before anyone sees it."""
    proven: bool = True
    note: Message | None = None
    """A remark of the solver about its answer, such as the reason why it is not proven."""
    at_most: Exact | None = None
    """A proven upper bound of the value, if one is known."""
    seconds: float | None = None
    """The time that the solver took, in seconds."""
    limit: Literal["", "time"] = ""
    """The limit that ended the work early. Empty if none did."""

    def to_json(self) -> dict[str, Any]:
        """Return the answer as JSON values. The module's docstring describes their shape."""
        fields = _with_safe_integers(msgspec.to_builtins(self, enc_hook=str))
        shared = {
            "value": fields.pop("value", None),
            "proven": fields.pop("proven", True),
            "moves": fields.pop("moves", []),
        }
        return {**shared, "details": fields}


A = TypeVar("A", bound=Answer)


def from_json(answer: type[A], stored: Mapping[str, Any]) -> A:
    """Return an answer of the given type from the JSON values that `to_json` made.

    Raise ValueError, naming the field, if a value does not fit the type.
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
"""The largest integer that JSON readers with only floating-point numbers read without rounding."""


def _with_safe_integers(stored: Any) -> Any:
    """Return JSON values in which integers too large for some readers are decimal strings."""
    if isinstance(stored, dict):
        return {name: _with_safe_integers(value) for name, value in stored.items()}
    if isinstance(stored, list | tuple):
        return [_with_safe_integers(value) for value in stored]
    return str(stored) if isinstance(stored, int) and abs(stored) > _SAFE else stored


# Counting and solving


class EstimateAnswer(Answer, frozen=True, kw_only=True):
    """An estimate of the number of solutions: the mean over random games."""

    estimate: float | None = None
    error: float | None = None
    """The standard error of `estimate`."""
    between: tuple[float, float] | None = None
    """The numbers between which the number of solutions lies 95 times in 100."""
    estimate_note: Message | None = None
    """A description of the method of the estimate."""


class CountAnswer(EstimateAnswer, frozen=True, kw_only=True):
    """The number of solutions. A count that was cut short also has an estimate."""

    by_move: dict[str, Exact] = {}
    """A legal move -> the number of solutions that begin with it: those that `count` finds after
    the move. A move that was not counted is missing."""
    up_to_mirror: Exact | None = None
    """The number of solutions if a solution and its mirror image count as one, if counted."""
    states: int | None = None
    """The number of states that the solver examined."""


class SolutionsAnswer(Answer, frozen=True, kw_only=True):
    """A page of the list of solutions."""

    solutions: tuple[str, ...] = ()
    """The solutions of the page, each a line of moves as text."""
    more: bool = False
    """Whether more solutions follow the page."""


class CountedGroup(msgspec.Struct, frozen=True, omit_defaults=True):
    """Solutions that have something in common."""

    key: str
    """The text that the solutions share, as `Grouping.key` returns it, or a move as text."""
    size: Exact
    line: str = ""
    """One of the solutions, as a line of moves. Empty if none was found in time."""


class GroupedSolutions(msgspec.Struct, frozen=True, omit_defaults=True):
    """All solutions of a board, grouped in one way."""

    number: Exact
    """The number of groups. More than `groups` has if there are very many."""
    groups: tuple[CountedGroup, ...]
    """The groups, the largest first."""


class GroupsAnswer(Answer, frozen=True, kw_only=True):
    """The solutions of a board, grouped by how they differ. The value is their number."""

    groupings: dict[str, GroupedSolutions] = {}
    """The name of a grouping of the kind -> the groups. Empty if the solutions were not listed."""
    by_move: tuple[CountedGroup, ...] = ()
    """Where there are too many solutions to list: the exact number of solutions that
    `CountAnswer.by_move` counts under each move, which is the group's key. In a placement a
    solution is in several of these groups."""


class BestAnswer(Answer, frozen=True, kw_only=True):
    """The best score. The answer's `moves` build a board that has it."""

    board: str = ""
    """The best board known, as the kind writes it."""
    proof: Message | None = None
    """The proof that no score is better, in words."""


# Play


class Reason(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Why a board can't be solved: a set that already makes a solution impossible.

    `solvers.reasons` says what the elements of the set are.
    """

    word: str
    """The sort of the reason, such as `attack` or `parity`. Each kind has its own."""
    message: Message
    """The reason in a sentence. It says no more than what is proven."""
    cells: tuple[str, ...] = ()
    """The cells of the elements, as `row,column`. Empty if the start has no solution at all."""
    is_minimal: bool = False
    """Whether the board could be solved if any one of the elements were left out."""
    is_smallest: bool = False
    """Whether it is proven that no smaller set makes a solution impossible."""


class ReasonAnswer(Answer, frozen=True, kw_only=True):
    """Why a board can't be solved. The value is the number of elements of the reason. It is proven
    if no smaller set makes a solution impossible. Without a reason, the board can be solved, or it
    was not decided in time."""

    reason: Reason | None = None


State = Literal["", "live", "trapped", "doomed"]
"""The state of a board: `live` can be solved. `trapped` can't be solved, but no cell shows it yet.
`doomed` can't be solved, and some cells show it. The state is empty if it was not decided."""


class HintAnswer(Answer, frozen=True, kw_only=True):
    """Whether a board can still be solved, and how to go on.

    The value is 1 if it can be solved, 0 if not, and None if that was not decided. `moves` holds
    the next good move if the hint level includes it. Cells are texts `row,column`.
    """

    state: State = ""
    left: Exact | None = None
    """The number of solutions that are left, if it was counted."""
    goal: int | None = None
    """The score that solves the puzzle, for kinds with a score."""
    reach: int | None = None
    """The best score that can still be reached, if it is known."""
    optimum: int | None = None
    """The best score that can be reached from the start."""
    keep: int | None = None
    """The number of moves that may stay on an unsolvable board, if going back helps."""
    reason: Message | None = None
    """The reason why a start can't be solved."""
    region: tuple[str, ...] = ()
    """The cells that contain the next good move."""
    doomed: tuple[str, ...] = ()
    """The cells that show that the board can't be solved."""
    wrong: tuple[str, ...] | None = None
    """The cells that make an unsolvable board solvable again when they are cleared."""
    sure: bool | None = None
    """Whether every solution contains the move."""
    why: Reason | None = None
    """The reason why a board that was lost by a move can't be solved, if it was found."""


class ReviewAnswer(Answer, frozen=True, kw_only=True):
    """The move after which a line had no solution any more.

    The value is the number of that move, counted from 1, or 0 while a solution is left. It is None
    if there never was a solution, and None and not proven if that was not decided.
    """

    left: tuple[Exact | None, ...] = ()
    """The number of solutions left after 0, 1, ... moves. None stands for counts not made."""
    reach: tuple[int | None, ...] = ()
    """The best score left after 0, 1, ... moves, for kinds with a score. None stands for scores
    that are not known."""
    goal: int | None = None
    """The score that solves the puzzle, for kinds with a score."""
    why: Reason | None = None
    """The reason why no solution is left after that move, if it was found."""


class RateAnswer(Answer, frozen=True, kw_only=True):
    """The difficulty of a puzzle. Chances range from 0 to 1, and a level is the negative decimal
    logarithm of a chance."""

    band: str = ""
    """One of `BANDS`, or empty if the difficulty is not known."""
    random: float | None = None
    """The chance of a random player, who chooses uniformly among all legal moves."""
    careful: float | None = None
    """The chance of a careful player, who chooses among the moves that are not visibly lost."""
    random_level: float | None = None
    careful_level: float | None = None
    branching: float | None = None
    """The mean number of legal moves to choose from."""
    trap_depth: float | None = None
    """The mean number of moves from a mistake until it shows."""
    missing: float | None = None
    """The mean score by which the careful player misses the goal, for kinds with a score."""
    error: float | None = None
    """The standard error of the estimate."""
    solutions: Exact | None = None

    @property
    def level(self) -> int:
        return level_of(self.band)


# Making puzzles


class GeneratedBoard(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A puzzle made by a generator."""

    position: str
    """The start as the kind writes it."""
    solutions: Exact | None = None
    band: str | int = ""
    """One of `BANDS`. Answers of earlier versions hold its number instead, counted from 1."""
    line: str = ""
    """A solution, as a line of moves."""
    clues: int | None = None
    """The number of clues of the puzzle."""
    careful_level: float | None = None
    missing: float | None = None
    """The mean score by which the careful player misses the goal, as in `RateAnswer`."""

    @property
    def level(self) -> int:
        return level_of(self.band)

    @property
    def band_word(self) -> str:
        """One of `BANDS`, or empty if the difficulty is not known."""
        return band_of(self.level)


class GenerateAnswer(Answer, frozen=True, kw_only=True):
    """Generated puzzles. The value is their number. It is proven if as many as wanted were made."""

    boards: tuple[GeneratedBoard, ...] = ()

    @classmethod
    def of(
        cls, boards: Iterable[GeneratedBoard], many: int, note: Message | None = None
    ) -> "GenerateAnswer":
        """Return the answer with these boards. Add the note if there are fewer than `many`."""
        made = tuple(boards)
        is_all = len(made) == many
        return cls(Exact(len(made)), proven=is_all, boards=made, note=None if is_all else note)


class Diagnosis(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reason why there is no solution."""

    message: Message
    cells: tuple[str, ...] = ()
    """The cells concerned, as `row,column`. Empty if the reason concerns no particular cell."""


class CellChange(msgspec.Struct, frozen=True):
    """A change of one cell of a board."""

    cell: str
    """The cell, as `row,column`."""
    message: Message
    """A description of the change."""


class Repair(msgspec.Struct, frozen=True, omit_defaults=True):
    """A way to make a puzzle solvable."""

    position: str
    """The changed start as the kind writes it."""
    changes: tuple[CellChange, ...]
    solutions: Exact | None = None
    """The number of solutions of the changed start, if it was counted."""


class RepairAnswer(Answer, frozen=True, kw_only=True):
    """The reasons why a puzzle has no solution, and the smallest changes that make it solvable.

    The value is the least number of changes, and 0 if none is needed. It is None if no change up
    to the largest size tried helps, and None and not proven if that was not decided.
    """

    diagnosis: tuple[Diagnosis, ...] = ()
    repairs: tuple[Repair, ...] = ()
    """The repairs, ordered by their number of solutions, the largest first."""
    is_all: bool = msgspec.field(default=False, name="all")
    """Whether no other change of the same size helps."""


class SurveyRow(msgspec.Struct, frozen=True, kw_only=True):
    """Statistics of random boards with one number of stones."""

    stones: int
    boards: int
    """The number of boards examined."""
    is_all: bool
    """Whether these are all the boards that exist."""
    solvable: int
    unique: int
    undecided: int
    """The number of boards whose solvability is not known."""
    median: Exact | None
    """The median number of solutions of the solvable boards, or None if there are none."""
    is_bound: bool
    """Whether the median is only a lower bound."""
    careful_level: float | None
    random_level: float | None
    """The mean levels, as in `RateAnswer`, of some of the solvable boards. None without any."""
    band: str = ""
    """The band of the mean `careful_level`, one of `BANDS`. Empty if there is no level."""


class SurveyAnswer(Answer, frozen=True, kw_only=True):
    """Statistics of random boards. The value is the number of boards examined."""

    survey: tuple[SurveyRow, ...] = ()


# Answers that the site shows without code of their own

TableCell = Message | int | float | None
"""A text, a number, or nothing."""


class AnswerTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table to be shown. Each row is as long as the head."""

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
    """The name under which the file is saved."""
    title: Message
    text: str


class ShownAnswer(Answer, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer with tables, boards and files, which the question's own page shows.

    A stored answer with unknown fields, made before its tables had this shape, is refused, because
    the page would show only a part of it.
    """

    tables: tuple[AnswerTable, ...] = ()
    boards: tuple[ShownBoard, ...] = ()
    files: tuple[AnswerFile, ...] = ()
