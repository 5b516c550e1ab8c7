"""The questions of a kind that have no place of their own on the site, and what answers them.

An answer shows by itself whatever it has: tables, boards and files. Their shapes are in
docs/adding-a-kind.md. They may also come with a job's progress, so what is here may still grow.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.urls import reverse

from puzzleclass.accounts.models import User
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.language import say
from puzzleclass.puzzles.answers import jobs_about
from puzzleclass.puzzles.forms import OptionsForm
from puzzleclass.puzzles.models import Board, Puzzle
from solvers.answers import Answer, AnswerFile, AnswerTable, ShownAnswer, ShownBoard, TableCell
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.picture import Picture
from solvers.question import Option, Question
from solvers.registry import AnyKind

_PLACED = "count solve estimate rate solutions repair generate survey hint review"
PLACED = frozenset(_PLACED.split())
"""The questions that the site asks elsewhere."""

PREFIX = "with"
"""Before the name of an option in an address, so that it can't be taken for `step` or `page`."""

FORMER = 12
"""Earlier answers on a question's page."""

A_PAGE = 24
"""Boards on one page."""


@dataclass(frozen=True, slots=True)
class OtherQuestion:
    """A question that can be asked about a puzzle, and how far its answer is."""

    name: str
    question: Question
    job: Job | None
    """Its job; None for a question with options, whose answers are many."""
    refusal: Message | None
    """Why there is no answer, where that is known at once."""


@dataclass(frozen=True, slots=True)
class FormerAnswer:
    """The same question, asked before with other options."""

    options: list[tuple[str, str]]
    """Their titles, and what was chosen."""
    query: str
    """The same as in the address of its page."""
    job: Job


def other_questions(user: User, puzzle: Puzzle) -> list[OtherQuestion]:
    """Return the questions about the puzzle that have no place of their own. One query."""
    others = {name: asked for name, asked in puzzle.kind.questions.items() if name not in PLACED}
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


def former_answers(user: User, puzzle: Puzzle, name: str) -> list[FormerAnswer]:
    """Return what the user has asked with other options, the latest first."""
    options = puzzle.kind.questions[name].options
    if not options:
        return []
    asked = Job.objects.filter(
        askers=user, kind_slug=puzzle.kind_slug, question=name, position=puzzle.position
    )
    return [
        FormerAnswer(
            [
                (option.title, _option_in_words(option, job.options[key]))
                for key, option in options.items()
            ],
            options_query(options, job.options),
            job,
        )
        for job in asked.order_by("-asked_at")[:FORMER]
        # An older version of the solver may have known other options.
        if job.key == job_key(puzzle.kind_slug, name, puzzle.position, job.options)
    ]


def _option_in_words(option: Option, value: Any) -> str:
    """Return the value of an option as a reader knows it."""
    text = option.write(value)
    return say(Message(option.choices[text])) if text in option.choices else text


def refusal_of(question: Question, board: Board, options: dict[str, Any]) -> Message | None:
    """Return why the question has no answer, where that is known at once."""
    try:
        question.refuse_impossible(board.start, **options)
    except PuzzleError as error:
        return error.message
    return None


def options_form(question: Question, sent: Mapping[str, str]) -> OptionsForm:
    """Return the form of the options: what was sent for each, else its default."""
    texts = {_field(name): option.default for name, option in question.options.items()}
    return OptionsForm(
        question, {field: sent.get(field, text) for field, text in texts.items()}, prefix=PREFIX
    )


def _field(option: str) -> str:
    return f"{PREFIX}-{option}"


def options_query(options: Mapping[str, Option], values: Mapping[str, Any]) -> str:
    """Return the options as they stand in an address."""
    return urlencode({_field(name): option.write(values[name]) for name, option in options.items()})


def question_address(puzzle: Puzzle, name: str, options: Mapping[str, Any]) -> str:
    """Return the address of a question's page with these options."""
    address = reverse("puzzle_question", args=[puzzle.pk, name])
    query = options_query(puzzle.kind.questions[name].options, options)
    return f"{address}?{query}" if query else address


# What an answer shows


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell of a table, in words or digits as the reader sees it."""

    text: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table; each column knows whether it has numbers only."""

    title: Message | None
    head: list[tuple[Message, bool]]
    rows: list[list[ShownCell]]


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """A board of the answer."""

    start: str
    """The text by which the editor takes it."""
    picture: Picture
    caption: Message | None


@dataclass(frozen=True, slots=True)
class Findings:
    """What a job has to show: its answer, or what has been found of it so far."""

    kind: AnyKind
    answer: Answer

    @property
    def tables(self) -> list[ShownTable]:
        return [_shown_table(table) for table in self._shown.tables if table.rows]

    @property
    def files(self) -> tuple[AnswerFile, ...]:
        return self._shown.files

    @property
    def says_something(self) -> bool:
        """There is more to see than that the work is done."""
        shown = self._shown.tables or self._shown.files or self._shown.boards
        return bool(shown or self.answer.note or self.answer.moves) or self.answer.value is not None

    def page(self, number: str | None) -> "Page[ShownBoard]":
        """Return a page of the boards, the nearest one to a number that may come from a URL."""
        return Paginator(self._shown.boards, A_PAGE).get_page(number)

    def drawn(self, board: ShownBoard) -> DrawnBoard:
        position = self.kind.read(board.position)
        return DrawnBoard(self.kind.write_start(position), self.kind.draw(position), board.caption)

    @property
    def seconds(self) -> str:
        """How long the answer took to work out, to two figures; empty while there is none."""
        took = self.answer.seconds
        if took is None:
            return ""
        return f"{took:,.0f}" if took >= 100 else f"{max(took, 0.0001):.2g}"

    @property
    def _shown(self) -> ShownAnswer:
        return self.answer if isinstance(self.answer, ShownAnswer) else ShownAnswer()


def _shown_table(table: AnswerTable) -> ShownTable:
    rows = [[_shown_cell(cell) for cell in row] for row in table.rows]
    return ShownTable(
        table.title,
        [
            (name, all(cell.is_number for row in rows for cell in row[column : column + 1]))
            for column, name in enumerate(table.head)
        ],
        rows,
    )


def _shown_cell(value: TableCell) -> ShownCell:
    """Return a cell: a text in the reader's language, a number with its digits in threes."""
    if isinstance(value, Message):
        return ShownCell(say(value), False)
    return ShownCell("" if value is None else f"{value:,}", True)
