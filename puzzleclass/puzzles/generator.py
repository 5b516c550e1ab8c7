"""What solvers find among random boards: new puzzles, and surveys of what such boards are like."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.models import User
from puzzleclass.charts import Line, NumberTable, Words, chart, table
from puzzleclass.jobs.models import Job
from puzzleclass.language import say
from puzzleclass.puzzles.forms import KNOWN, NUMBER_SIGN
from puzzleclass.puzzles.library import check_room
from puzzleclass.puzzles.models import Puzzle
from solvers.answers import (
    CountAnswer,
    Exact,
    GenerateAnswer,
    GeneratedBoard,
    RateAnswer,
    SurveyAnswer,
    SurveyRow,
)
from solvers.kind import split_moves
from solvers.message import Message
from solvers.registry import AnyKind, CollectedPuzzle, get_kind

GENERATE, SURVEY = "generate", "survey"
"""Questions of the kinds."""

LAST = 5
"""Former searches on the generator's page."""

SHOWN = 6
"""Surveys in one chart: more lines can't be told apart."""


# New puzzles


@dataclass(frozen=True, slots=True)
class FoundBoard:
    """A board that a solver has found."""

    number: int
    puzzle: Puzzle
    """Not saved."""
    board: GeneratedBoard
    """What the solver says of it."""
    is_known: bool
    """The teacher's library has it."""


def library(user: User, kind_slug: str) -> set[str]:
    """Return the positions that the user's library has."""
    puzzles = Puzzle.objects.filter(owner=user, kind_slug=kind_slug)
    return set(puzzles.values_list("position", flat=True))


def found_boards(user: User, job: Job) -> list[FoundBoard]:
    """Return what the job has found so far, in the order in which it was found."""
    known = library(user, job.kind_slug)
    return [
        FoundBoard(
            number,
            Puzzle(kind_slug=job.kind_slug, position=board.position),
            board,
            board.position in known,
        )
        for number, board in enumerate(job.known(GenerateAnswer).boards, 1)
    ]


@transaction.atomic
def save_boards(
    user: User, kind_slug: str, boards: Sequence[GeneratedBoard], pattern: str
) -> list[Puzzle]:
    """Put the boards into the user's library, but for those that it has, with what the generator
    found out about them. Returns the new puzzles. Raises QuotaReached.

    Each is called by the pattern, with a number in the place of `#` that no title has yet; a
    pattern without `#` gets the number at its end, unless there is only one board.
    """
    known, at = library(user, kind_slug), timezone.now()
    new = {board.position: board for board in boards if board.position not in known}
    check_room(user, len(new))
    saved = []
    for board, title in zip(new.values(), _titles(user, pattern, len(new))):
        puzzle = Puzzle(owner=user, kind_slug=kind_slug, position=board.position, title=title)
        puzzle.describe()
        if not puzzle.solutions:
            puzzle.keep(CountAnswer(board.solutions, moves=tuple(split_moves(board.line))))
        if not puzzle.level:
            puzzle.keep(RateAnswer(band=board.band_word))
        puzzle.save()
        saved.append(puzzle)
    # Made at one moment, they stand in the library in this order.
    Puzzle.objects.filter(pk__in=[puzzle.pk for puzzle in saved]).update(changed_at=at)
    return saved


def save_collected(
    user: User, kind_slug: str, collected: Iterable[CollectedPuzzle], pattern: str
) -> tuple[int, list[int]]:
    """Put puzzles of the kind's collection into the user's library as `save_boards` does. Returns
    how many are new, and the keys of all of them."""
    boards = [
        GeneratedBoard(position=one.position, solutions=Exact(one.solutions), band=one.band)
        for one in collected
    ]
    new = save_boards(user, kind_slug, boards, pattern)
    return len(new), in_library(user, kind_slug, [board.position for board in boards])


def in_library(user: User, kind_slug: str, positions: Sequence[str]) -> list[int]:
    """Return the keys of the user's puzzles with these boards, in this order, one for each."""
    puzzles = Puzzle.objects.filter(owner=user, kind_slug=kind_slug, position__in=positions)
    keys = dict(puzzles.order_by("-pk").values_list("position", "pk"))
    return [keys[text] for text in positions if text in keys]


def _titles(user: User, pattern: str, number: int) -> list[str]:
    if NUMBER_SIGN not in pattern:
        if number == 1:
            return [pattern]
        pattern = f"{pattern} {NUMBER_SIGN}"
    taken = set(Puzzle.objects.filter(owner=user).values_list("title", flat=True))
    titles = (pattern.replace(NUMBER_SIGN, str(n)) for n in count(1))
    free = (title for title in titles if title not in taken)
    return [next(free) for _ in range(number)]


def last_searches(user: User, kind: AnyKind) -> list[tuple[Job, int]]:
    """Return the user's last searches and how many boards each has brought."""
    asked = Job.objects.filter(askers=user, kind_slug=kind.slug, question=GENERATE)
    return [
        (job, len(job.known(GenerateAnswer).boards)) for job in asked.order_by("-asked_at")[:LAST]
    ]


def generator_fields(job: Job) -> dict[str, str]:
    """Return the options and the board of a search, as the texts of the generator's form."""
    question = get_kind(job.kind_slug).questions[GENERATE]
    texts = {
        name: option.write(job.options[name])
        for name, option in question.options.items()
        if name in job.options and name != KNOWN
    }
    is_given = job.position != question.position
    return texts | {"position": job.position if is_given else ""}


def next_search_fields(job: Job) -> dict[str, str]:
    """Return the same for a search with another seed; empty where there is none."""
    if "seed" not in job.options:
        return {}
    texts = generator_fields(job)
    option = get_kind(job.kind_slug).questions[GENERATE].options["seed"]
    return texts | {"seed": option.write(job.options["seed"] + 1)}


# Surveys


@dataclass(frozen=True, slots=True)
class Survey:
    """A survey that has been asked for, as far as it has come."""

    job: Job
    title: str
    rows: tuple[SurveyRow, ...]

    @property
    def numbers(self) -> NumberTable:
        """What boards with so many stones are like, a row for each number of them."""
        return table(
            [
                *(_("Number of stones"), _("Boards"), _("Solvable"), _("Exactly one solution")),
                *(_("Solutions (median)"), _("Difficulty"), _("Not decided")),
            ],
            (
                [
                    row.stones,
                    _numbered(row.boards, _("(all)")) if row.is_all else row.boards,
                    f"{_percent(row.solvable, row)} %",
                    f"{_percent(row.unique, row)} %",
                    f"≥ {row.median:,}" if row.median is not None and row.is_bound else row.median,
                    _numbered(row.careful_level, say(Message(row.band)))
                    if row.band
                    else row.careful_level,
                    row.undecided,
                ]
                for row in self.rows
            ),
        )


def _numbered(number: float | None, words: Words) -> str:
    return f"{number} {words}"


def _percent(number: int, row: SurveyRow) -> float:
    return round(100 * number / row.boards, 1)


def surveys_of(user: User, kind: AnyKind) -> list[Survey]:
    """Return the user's last surveys, the latest first."""
    asked = Job.objects.filter(askers=user, kind_slug=kind.slug, question=SURVEY)
    return [
        Survey(job, _survey_title(kind, job), job.known(SurveyAnswer).survey)
        for job in asked.order_by("-asked_at")[:SHOWN]
    ]


def _survey_title(kind: AnyKind, job: Job) -> str:
    """Return the size of the boards, and how many were looked at."""
    size = kind.questions[SURVEY].options["size"].write(job.options["size"])
    return f"{size} · {job.options['boards']}"


def charts_of(surveys: list[Survey]) -> list[dict[str, object]]:
    """Return what explore.js draws: a line for each survey in each chart."""

    def drawn(
        name: str, title: Words, value: Callable[[SurveyRow], float | None]
    ) -> dict[str, object]:
        lines = [
            Line(
                survey.title,
                [(row.stones, value(row)) for row in survey.rows],
                {row.stones: say(Message(row.band)) for row in survey.rows if row.band}
                if name == "level"
                else {},
            )
            for survey in surveys
            if survey.rows
        ]
        return chart(name, title, _("Number of stones"), lines, is_logarithmic=name == "median")

    return [
        drawn("solvable", _("Boards that can be solved, in %"), lambda r: _percent(r.solvable, r)),
        drawn("median", _("Solutions of a board that can be solved (median)"), lambda r: r.median),
        drawn("level", _("Difficulty for a careful player (level)"), lambda r: r.careful_level),
        drawn(
            "unique", _("Boards with exactly one solution, in %"), lambda r: _percent(r.unique, r)
        ),
    ]
