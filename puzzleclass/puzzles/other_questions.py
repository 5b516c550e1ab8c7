"""The questions of a kind without a dedicated page, and their answers.

An answer shows whatever it has: tables, boards and files. docs/adding-a-kind.md describes them.
They may also come with a job's progress, so they may still grow.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.urls import reverse

from puzzleclass.accounts.models import User
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.language.reader import say
from puzzleclass.puzzles.answers import jobs_about
from puzzleclass.puzzles.forms import OptionsForm
from puzzleclass.puzzles.models import Board, Puzzle
from solvers.answers import Answer, AnswerFile, AnswerTable, ShownAnswer, ShownBoard, TableCell
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.picture import Picture
from solvers.question import Option, Question
from solvers.registry import AnyKind

_NAMES = "count solve estimate rate solutions repair generate survey hint review reason groups"
_NAMES += " trial forbidden redraw complete"
ASKED_ELSEWHERE = frozenset(_NAMES.split())
"""The questions with a dedicated page."""

PREFIX = "with"
"""The prefix of an option's name in an address, which tells it from `step` and `page`."""

MAX_FORMER = 12
"""The number of earlier answers on a question's page."""

A_PAGE = 24
"""The number of boards on one page."""


@dataclass(frozen=True, slots=True)
class OtherQuestion:
    """A question that can be asked about a puzzle, with its job."""

    name: str
    question: Question
    job: Job | None
    """The job of the question; None for a question with options, which may have many jobs."""
    refusal: Message | None
    """The reason why there can't be an answer, if it is known without a job."""


@dataclass(frozen=True, slots=True)
class PreviousAnswer:
    """A question that was asked before, with its options at that time."""

    options: list[tuple[str, str]]
    """The title and the chosen value of each option."""
    query: str
    """The query string with the options, for the address of the question's page."""
    job: Job


def other_questions(user: User, puzzle: Puzzle) -> list[OtherQuestion]:
    """Return the questions about the puzzle without a dedicated page. Uses one query."""
    others = {
        name: asked for name, asked in puzzle.kind.questions.items() if name not in ASKED_ELSEWHERE
    }
    plain = {name: None for name, question in others.items() if not question.options}
    answers = jobs_about(user, puzzle, plain)
    return [
        OtherQuestion(
            name,
            question,
            answers.get(name),
            None if question.options else refusal_of(question, puzzle, {}),
        )
        for name, question in others.items()
    ]


def previous_answers(user: User, puzzle: Puzzle, name: str) -> list[PreviousAnswer]:
    """Return what the user has asked before, with any options, the latest first."""
    options = puzzle.kind.questions[name].options
    if not options:
        return []
    asked = Job.objects.filter(
        askers=user, kind_slug=puzzle.kind_slug, question=name, position=puzzle.position
    )
    return [
        PreviousAnswer(
            [
                (option.title, _option_in_words(option, job.options[key]))
                for key, option in options.items()
            ],
            options_query(options, job.options),
            job,
        )
        for job in asked.order_by("-asked_at")[:MAX_FORMER]
        # An older version of the solver may have known other options.
        if job.key == job_key(puzzle.kind_slug, name, puzzle.position, job.options)
    ]


def _option_in_words(option: Option, value: Any) -> str:
    """Return the value of an option as a text for the reader."""
    text = option.write(value)
    return say(Message(option.choices[text])) if text in option.choices else text


def refusal_of(question: Question, board: Board, options: dict[str, Any]) -> Message | None:
    """Return the reason why the question can't have an answer, if it is known without a job."""
    try:
        question.refuse_impossible(board.start, **options)
    except PuzzleError as error:
        return error.message
    return None


def options_form(question: Question, sent: Mapping[str, str]) -> OptionsForm:
    """Return the form of the options. An option that was not sent has its default."""
    texts = {_field(name): option.default for name, option in question.options.items()}
    return OptionsForm(
        question, {field: sent.get(field, text) for field, text in texts.items()}, prefix=PREFIX
    )


def _field(option: str) -> str:
    return f"{PREFIX}-{option}"


def options_query(options: Mapping[str, Option], values: Mapping[str, Any]) -> str:
    """Return the query string with the options."""
    return urlencode({_field(name): option.write(values[name]) for name, option in options.items()})


def question_address(puzzle: Puzzle, name: str, options: Mapping[str, Any]) -> str:
    """Return the address of a question's page with these options."""
    address = reverse("puzzle_question", args=[puzzle.pk, name])
    query = options_query(puzzle.kind.questions[name].options, options)
    return f"{address}?{query}" if query else address


# The contents of an answer


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, as text for the reader."""

    text: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the answer, ready to be shown."""

    title: Message | None
    head: list[tuple[Message, bool]]
    """The title of each column, and whether the column has only numbers."""
    rows: list[list[Cell]]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board of the answer, ready to be shown."""

    start: str
    """The text with which the editor opens the board."""
    picture: Picture
    caption: Message | None


@dataclass(frozen=True, slots=True)
class Findings:
    """What a job has to show: its answer, or what it has found so far."""

    kind: AnyKind
    answer: Answer

    @property
    def tables(self) -> list[Table]:
        return [_shown_table(table) for table in self._shown.tables if table.rows]

    @property
    def files(self) -> tuple[AnswerFile, ...]:
        return self._shown.files

    @property
    def says_something(self) -> bool:
        """Whether there is more to show than that the job is done."""
        parts = self._shown.tables or self._shown.files or self._shown.boards
        return bool(parts or self.answer.note or self.answer.moves) or self.answer.value is not None

    def page(self, number: str | None) -> "Page[ShownBoard]":
        """Return a page of the boards.

        `number` may come straight from a URL. If it is out of range, return the nearest page.
        """
        return Paginator(self._shown.boards, A_PAGE).get_page(number)

    def drawn(self, board: ShownBoard) -> Drawing:
        position = self.kind.read(board.position)
        return Drawing(self.kind.write_start(position), self.kind.draw(position), board.caption)

    @property
    def seconds(self) -> str:
        """The time that the answer took, in seconds, to two figures; empty if it is not known."""
        took = self.answer.seconds
        if took is None:
            return ""
        return f"{took:,.0f}" if took >= 100 else f"{max(took, 0.0001):.2g}"

    @property
    def _shown(self) -> ShownAnswer:
        return self.answer if isinstance(self.answer, ShownAnswer) else ShownAnswer()


def _shown_table(table: AnswerTable) -> Table:
    rows = [[_shown_cell(cell) for cell in row] for row in table.rows]
    return Table(
        table.title,
        [
            (name, all(cell.is_number for row in rows for cell in row[column : column + 1]))
            for column, name in enumerate(table.head)
        ],
        rows,
    )


def _shown_cell(value: TableCell) -> Cell:
    """Return a cell with text in the reader's language, or with a number in groups of three."""
    if isinstance(value, Message):
        return Cell(say(value), False)
    return Cell("" if value is None else f"{value:,}", True)
