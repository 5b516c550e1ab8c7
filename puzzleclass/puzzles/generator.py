"""Random boards: the new puzzles that solvers find, and surveys of what such boards are like."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from django.contrib import messages
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest
from puzzleclass.charts import Curve, NumberTable, Words, chart, table
from puzzleclass.jobs.models import Job
from puzzleclass.language.reader import say
from puzzleclass.puzzles.forms import KNOWN, SaveForm
from puzzleclass.puzzles.library import check_room
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.titles import NUMBER_SIGN, free_title, numbered_titles, titles_of
from puzzleclass.puzzles.worlds import find_board
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
from solvers.registry import AnyKind, CollectedPuzzle

GENERATE, SURVEY = "generate", "survey"
"""The names of the two questions."""

MAX_SEARCHES = 5
"""The number of earlier searches on the generator's page."""

MAX_SURVEYS = 6
"""The most surveys in one chart, because more lines can't be told apart."""

MAX_WAITING = 200
"""The most boards of a user that wait to be assigned."""

MAX_NAMED = 3
"""The most saved puzzles that a message lists by title. Of more, it says only how many they are."""


# New puzzles


@dataclass(frozen=True, slots=True)
class FoundBoard:
    """A board that a solver has found."""

    number: int
    puzzle: Puzzle
    """The board as an unsaved puzzle."""
    board: GeneratedBoard
    """The solver's facts about the board."""
    is_known: bool
    """Whether the teacher's library already has the board."""


def library_positions(user: User, kind_slug: str) -> set[str]:
    """Return the positions of a kind that are in the user's library."""
    puzzles = Puzzle.objects.filter(owner=user, kind_slug=kind_slug)
    return set(puzzles.values_list("position", flat=True))


def found_boards(user: User, job: Job) -> list[FoundBoard]:
    """Return the boards that the job has found so far, in the order in which they were found."""
    known = library_positions(user, job.kind_slug)
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
    user: User,
    kind_slug: str,
    boards: Sequence[GeneratedBoard],
    pattern: str,
    titles: Mapping[str, str] = MappingProxyType({}),
    *,
    is_in_library: bool = True,
) -> list[Puzzle]:
    """Save the boards that the user's library does not have yet. Return the new puzzles.

    Without `is_in_library` they get there only when they are assigned; the user's latest
    `MAX_WAITING` of them are kept so long.

    Each puzzle keeps what the generator found out about it. Its title is that of its position in
    `titles`, with a number if the library has the title. The title of the others is the pattern,
    with `#` replaced by a number that makes the title unique. A pattern without `#` gets the number
    at its end, unless there is only one board. Raise QuotaReached if the library has no room.
    """
    # Two requests at the same moment, such as two presses of a button, save one after the other.
    User.objects.select_for_update().get(pk=user.pk)
    known, at = library_positions(user, kind_slug), timezone.now()
    new = {board.position: board for board in boards if board.position not in known}
    check_room(user, len(new))
    saved = []
    for board, title in zip(new.values(), _titles(user, pattern, new, titles)):
        puzzle = Puzzle(
            owner=user,
            kind_slug=kind_slug,
            position=board.position,
            title=title,
            is_in_library=is_in_library,
        )
        puzzle.fill_columns()
        if not puzzle.solutions:
            puzzle.set_answer(CountAnswer(board.solutions, moves=tuple(split_moves(board.line))))
        if not puzzle.level:
            puzzle.set_answer(RateAnswer(band=board.band_word))
        puzzle.save()
        saved.append(puzzle)
    # With one time for all, the library keeps them in this order.
    Puzzle.every.filter(pk__in=[puzzle.pk for puzzle in saved]).update(changed_at=at)
    if not is_in_library:
        waiting = Puzzle.every.filter(owner=user, is_in_library=False).order_by("-pk")
        surplus = list(waiting.values_list("pk", flat=True)[MAX_WAITING:])
        Puzzle.every.filter(pk__in=surplus).delete()
    return saved


def save_collected(
    user: User, kind: AnyKind, collected: Iterable[CollectedPuzzle], *, is_in_library: bool
) -> tuple[int, list[int]]:
    """Save puzzles of the kind's collection for the user, like `save_boards`.

    Each has its own number in the collection. Return how many of them are new, and the primary keys
    of all of them.
    """
    boards = [
        GeneratedBoard(
            position=puzzle.position, solutions=Exact(puzzle.solutions), band=puzzle.band
        )
        for puzzle in collected
    ]
    name, positions = say(kind.name), [board.position for board in boards]
    titles = {
        text: f"{name} {board.title}" for text in positions if (board := find_board(kind, text))
    }
    new = save_boards(user, kind.slug, boards, name, titles, is_in_library=is_in_library)
    return len(new), library_keys(user, kind.slug, positions)


def library_keys(user: User, kind_slug: str, positions: Sequence[str]) -> list[int]:
    """Return the primary keys of the user's puzzles with these positions, one for each, in order.

    The one in the library comes before those that wait to be assigned, and of these the latest,
    which has the title that was typed last. Positions without a puzzle are left out.
    """
    puzzles = Puzzle.every.filter(
        owner=user, kind_slug=kind_slug, position__in=positions, deleted_at=None
    )
    keys = dict(puzzles.order_by("is_in_library", "pk").values_list("position", "pk"))
    return [keys[text] for text in positions if text in keys]


def _titles(
    user: User, pattern: str, positions: Collection[str], titles: Mapping[str, str]
) -> list[str]:
    """Return the titles of the new puzzles with these positions, in order."""
    taken = titles_of(user)
    own: dict[str, str] = {}
    for position in positions:
        if title := titles.get(position):
            own[position] = free_title(title, taken)
            taken.add(own[position])
    others = len(positions) - len(own)
    if NUMBER_SIGN not in pattern and others > 1:
        pattern = f"{pattern} {NUMBER_SIGN}"
    made = iter(numbered_titles(pattern, others, taken) if NUMBER_SIGN in pattern else [pattern])
    return [own.get(position) or next(made) for position in positions]


def last_searches(user: User, kind: AnyKind) -> list[tuple[Job, int]]:
    """Return the user's last searches, each with the number of boards it has found."""
    asked = Job.objects.filter(askers=user, kind_slug=kind.slug, question=GENERATE)
    return [
        (job, len(job.known(GenerateAnswer).boards))
        for job in asked.order_by("-asked_at")[:MAX_SEARCHES]
    ]


def generator_fields(job: Job) -> dict[str, str]:
    """Return the options and the board of a search, as the texts of the generator's form.

    Return an empty dict if the kind is not installed or makes no boards any more.
    """
    question = job.asks
    if question is None:
        return {}
    texts = {
        name: option.write(job.options[name])
        for name, option in question.options.items()
        if name in job.options and name != KNOWN
    }
    is_own = job.position != question.position
    return texts | {"position": job.position if is_own else ""}


def next_search_fields(job: Job) -> dict[str, str]:
    """Return the texts of the generator's form for the same search with the next seed.

    Return an empty dict if the search has no seed.
    """
    texts = generator_fields(job)
    if "seed" not in texts or job.asks is None:
        return {}
    option = job.asks.options["seed"]
    return texts | {"seed": option.write(job.options["seed"] + 1)}


# Surveys


@dataclass(frozen=True, slots=True)
class Survey:
    """A survey that was asked for, with the rows found so far."""

    job: Job
    title: str
    rows: tuple[SurveyRow, ...]

    @property
    def numbers(self) -> NumberTable:
        """The table of the survey, with a row for each number of stones."""
        return table(
            [
                *(_("Number of stones"), _("Boards"), _("Solvable"), _("Exactly one solution")),
                *(_("Solutions (median)"), _("Difficulty"), _("Not decided")),
            ],
            (
                [
                    row.stones,
                    _numbered(row.boards, _("(all)")) if row.is_all else row.boards,
                    f"{_percent(row.solvable, row)}%",
                    f"{_percent(row.unique, row)}%",
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
        for job in asked.order_by("-asked_at")[:MAX_SURVEYS]
    ]


def _survey_title(kind: AnyKind, job: Job) -> str:
    """Return a title with the size and the number of the boards."""
    size = kind.questions[SURVEY].options["size"].write(job.options["size"])
    return f"{size} · {job.options['boards']}"


def charts_of(surveys: list[Survey]) -> list[dict[str, object]]:
    """Return the charts that charts.js draws, each with a line for each survey."""

    def drawn(
        name: str, title: Words, value: Callable[[SurveyRow], float | None]
    ) -> dict[str, object]:
        lines = [
            Curve(
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


def save_chosen(
    request: SignedInRequest,
    kind: AnyKind,
    form: SaveForm,
    boards: list[GeneratedBoard],
    titles: Mapping[str, str] = MappingProxyType({}),
) -> list[int]:
    """Save the boards that are chosen in a valid form (`save_boards`), and say what was saved.

    If the form gives them to a class, they are not in the library yet, and nothing is said. Return
    their primary keys. Raise QuotaReached if the library has no room.
    """
    gives = bool(request.POST.get("give"))
    chosen = set(form.cleaned_data["boards"])
    selected = [board for board in boards if board.position in chosen]
    pattern = form.cleaned_data["title"]
    saved = save_boards(request.user, kind.slug, selected, pattern, titles, is_in_library=not gives)
    keys = library_keys(request.user, kind.slug, form.cleaned_data["boards"])
    if gives:
        return keys
    if len(saved) > MAX_NAMED:
        messages.success(
            request, gettext("Saved in “My puzzles”: {number}").format(number=len(saved))
        )
    elif saved:
        text = gettext("Saved in “My puzzles”: {titles}").format(
            titles=gettext(", ").join(puzzle.title for puzzle in saved)
        )
        messages.success(request, text)
    known = len(chosen) - len(saved)
    if known:
        text = gettext("Not saved because you already have these puzzles: {known}")
        messages.warning(request, text.format(known=known))
    return keys
