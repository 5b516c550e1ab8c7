"""What the API answers. The same types make the answers and, through their JSON Schemas, the
OpenAPI document, so the two can't disagree.

All rows are flat, so that every list can be read as CSV, too. Counts of solutions are decimal
strings, because they can exceed what a number in JSON holds exactly. Nothing is computed here: the
rows repeat what `stats` and `play.progress` say.
"""

import csv
import io
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Annotated, Any, Literal, TypeVar, cast

import msgspec
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils import timezone
from msgspec import Meta, Struct

from puzzleclass.address import absolute
from puzzleclass.api.access import BadQuery
from puzzleclass.http import Request
from puzzleclass.play.status import PuzzleState
from puzzleclass.spreadsheets.writing import csv_row
from solvers.message import Message, gettext_noop

ROWS_PER_PAGE = 500
HIGHEST_PAGE = 100_000

ResultState = Literal["not_assigned", "not_started", "in_progress", "stuck", "solved"]
STATES: dict[PuzzleState, ResultState] = {
    PuzzleState.NOT_ASSIGNED: "not_assigned",
    PuzzleState.NOT_STARTED: "not_started",
    PuzzleState.IN_PROGRESS: "in_progress",
    PuzzleState.STUCK: "stuck",
    PuzzleState.SOLVED: "solved",
}

Key = Annotated[int, Meta(ge=1)]
Number = Annotated[int, Meta(ge=0)]
Time = Annotated[datetime, Meta(tz=True)]
Digits = Annotated[str, Meta(pattern="^[0-9]+$")]

SourcedId = Annotated[
    str | None,
    Meta(
        description=gettext_noop(
            "The identifier on the school's roster; null without one, and for a teacher's token"
        )
    ),
]

# Rows


class ClassEntry(Struct):
    id: Annotated[Key, Meta(description=gettext_noop("The key of the class"))]
    name: Annotated[str, Meta(description=gettext_noop("The name of the class"))]
    grade: Annotated[int | None, Meta(description=gettext_noop("The year at school, from 1 to 12"))]
    school: Annotated[str | None, Meta(description=gettext_noop("The name of the school"))]
    role: Annotated[
        Literal["owner", "teacher", "substitute"] | None,
        Meta(description=gettext_noop("Your role in the class; null for a school's token")),
    ]
    students: Annotated[Number, Meta(description=gettext_noop("The number of students"))]
    archived: Annotated[bool, Meta(description=gettext_noop("Whether the class is archived"))]
    sourced_id: SourcedId


class StudentEntry(Struct):
    id: Annotated[Key, Meta(description=gettext_noop("The key of the student"))]
    number: Annotated[Number, Meta(description=gettext_noop("The number on the class list"))]
    name: Annotated[str, Meta(description=gettext_noop("The name of the student"))]
    reading: Annotated[str, Meta(description=gettext_noop("The name in kana, or nothing"))]
    sourced_id: SourcedId


class AssignmentEntry(Struct):
    id: Annotated[Key, Meta(description=gettext_noop("The key of the assignment"))]
    title: Annotated[str, Meta(description=gettext_noop("The title of the assignment"))]
    starts_at: Annotated[
        Time | None, Meta(description=gettext_noop("The time from which students see it"))
    ]
    due_at: Annotated[Time, Meta(description=gettext_noop("The time at which it is due"))]
    is_draft: Annotated[
        bool, Meta(description=gettext_noop("Whether it is a draft, which students don't see"))
    ]
    is_gallery: Annotated[bool, Meta(description=gettext_noop("Whether it is the class's gallery"))]
    puzzles: Annotated[Number, Meta(description=gettext_noop("The number of puzzles"))]


class PuzzleEntry(Struct):
    id: Annotated[Key, Meta(description=gettext_noop("The key of the assigned puzzle"))]
    number: Annotated[Number, Meta(description=gettext_noop("Its place in the assignment"))]
    title: Annotated[str, Meta(description=gettext_noop("The title of the puzzle"))]
    kind: Annotated[str, Meta(description=gettext_noop("The kind of puzzle, such as goishi"))]
    position: Annotated[str, Meta(description=gettext_noop("The start as text"))]
    solutions: Annotated[
        Digits | None,
        Meta(
            description=gettext_noop(
                "The number of solutions of the puzzle in decimal digits, of any size; null if "
                "nobody has counted them"
            )
        ),
    ]
    solutions_proven: Annotated[
        bool,
        Meta(description=gettext_noop("Whether the number is exact and not only a lower bound")),
    ]
    students: Annotated[
        Number, Meta(description=gettext_noop("The number of students to whom it is assigned"))
    ]
    solved: Annotated[
        Number, Meta(description=gettext_noop("The number of students who have solved it"))
    ]
    found: Annotated[
        Digits,
        Meta(
            description=gettext_noop(
                "The number of different solutions that the class has found, in decimal digits"
            )
        ),
    ]
    goal: Annotated[
        int | None, Meta(description=gettext_noop("The score that solves it, if it has scores"))
    ]
    best_score: Annotated[
        int | None, Meta(description=gettext_noop("The best score of the class, if there is one"))
    ]


class ResultEntry(Struct):
    student: Annotated[Key, Meta(description=gettext_noop("The key of the student"))]
    number: Annotated[Number, Meta(description=gettext_noop("The number on the class list"))]
    name: Annotated[str, Meta(description=gettext_noop("The name of the student"))]
    puzzle: Annotated[Key, Meta(description=gettext_noop("The key of the assigned puzzle"))]
    puzzle_number: Annotated[
        Number, Meta(description=gettext_noop("The puzzle's place in the assignment"))
    ]
    title: Annotated[str, Meta(description=gettext_noop("The title of the puzzle"))]
    state: Annotated[
        ResultState, Meta(description=gettext_noop("How far the student is, as in the class table"))
    ]
    was_stuck: Annotated[
        bool | None,
        Meta(
            description=gettext_noop(
                "Whether the student was stuck at some time, solved later or not; null if no board "
                "has been examined"
            )
        ),
    ]
    found: Annotated[
        Digits,
        Meta(
            description=gettext_noop(
                "The number of different solutions that the student has found, in decimal digits"
            )
        ),
    ]
    needed: Annotated[
        Digits,
        Meta(description=gettext_noop("The number of solutions asked for, in decimal digits")),
    ]
    attempts: Annotated[
        Number, Meta(description=gettext_noop("The number of attempts with a move"))
    ]
    seconds: Annotated[Number, Meta(description=gettext_noop("The time at the board, in seconds"))]
    hints: Annotated[Number, Meta(description=gettext_noop("The number of hints taken"))]
    best_score: Annotated[
        int | None, Meta(description=gettext_noop("The student's best score, if there is one"))
    ]
    since: Annotated[
        Time | None,
        Meta(description=gettext_noop("The time at which the status began; null before any move")),
    ]
    due_at: Annotated[
        Time, Meta(description=gettext_noop("The time at which it is due for the student"))
    ]
    class_due_at: Annotated[
        Time, Meta(description=gettext_noop("The time at which it is due for the class"))
    ]
    late: Annotated[
        bool, Meta(description=gettext_noop("Whether it was solved or begun after the due date"))
    ]
    absent_on: Annotated[
        date | None,
        Meta(description=gettext_noop("The day of an absence, if nothing has been begun")),
    ]
    sourced_id: SourcedId
    solved_first: Annotated[
        bool | None,
        Meta(
            description=gettext_noop(
                "Whether it was solved in the first attempt and without a hint; null until a day "
                "after that attempt was begun"
            )
        ),
    ]


class ClassResultEntry(Struct):
    student: Annotated[Key, Meta(description=gettext_noop("The key of the student"))]
    number: Annotated[Number, Meta(description=gettext_noop("The number on the class list"))]
    name: Annotated[str, Meta(description=gettext_noop("The name of the student"))]
    assignment: Annotated[Key, Meta(description=gettext_noop("The key of the assignment"))]
    title: Annotated[str, Meta(description=gettext_noop("The title of the assignment"))]
    due_at: Annotated[Time, Meta(description=gettext_noop("The time at which it is due"))]
    boards: Annotated[
        Number, Meta(description=gettext_noop("The number of puzzles assigned to the student"))
    ]
    started: Annotated[
        Number, Meta(description=gettext_noop("The number of puzzles at which a move was made"))
    ]
    solved: Annotated[Number, Meta(description=gettext_noop("The number of puzzles solved"))]
    stuck: Annotated[
        Number,
        Meta(description=gettext_noop("The number of puzzles at which the student is stuck")),
    ]
    was_stuck: Annotated[
        Number | None,
        Meta(
            description=gettext_noop(
                "The number of puzzles at which the student was stuck at some time, solved later "
                "or not; null if no board has been examined"
            )
        ),
    ]
    hints: Annotated[Number, Meta(description=gettext_noop("The number of hints taken"))]
    seconds: Annotated[Number, Meta(description=gettext_noop("The time at the boards, in seconds"))]
    class_due_at: Annotated[
        Time, Meta(description=gettext_noop("The time at which it is due for the class"))
    ]
    late: Annotated[
        Number,
        Meta(description=gettext_noop("The number of puzzles solved or begun after the due date")),
    ]
    absent_on: Annotated[
        date | None,
        Meta(description=gettext_noop("The day of an absence, if nothing has been begun")),
    ]
    sourced_id: SourcedId
    solved_first: Annotated[
        Number | None,
        Meta(
            description=gettext_noop(
                "The number of puzzles solved in the first attempt and without a hint; null until "
                "a day after the first of these attempts was begun"
            )
        ),
    ]


# Pages of rows


class Page(Struct, kw_only=True):
    """A part of a list. `items` of the subclasses holds its rows."""

    total: Annotated[Number, Meta(description=gettext_noop("The number of rows of all pages"))]
    next: Annotated[
        str | None, Meta(description=gettext_noop("The address of the next page; null at the end"))
    ]


class ClassPage(Page):
    items: list[ClassEntry]


class StudentPage(Page):
    items: list[StudentEntry]


class AssignmentPage(Page):
    items: list[AssignmentEntry]


class PuzzlePage(Page):
    items: list[PuzzleEntry]


class ResultPage(Page):
    items: list[ResultEntry]


class ClassResultPage(Page):
    items: list[ClassResultEntry]
    cut: Annotated[
        bool,
        Meta(
            description=gettext_noop(
                "Whether the earliest assignments are missing because there are too many; ask for "
                "fewer days"
            )
        ),
    ]


PAGES: tuple[type[Page], ...] = (
    *(ClassPage, StudentPage, AssignmentPage, PuzzlePage, ResultPage, ClassResultPage),
)

R = TypeVar("R")


def answer(
    request: Request,
    page_type: type[Page],
    rows: Sequence[R] | QuerySet[Any, R],
    made: Callable[[R], Struct],
    **more: object,
) -> HttpResponse:
    """Return the page of the rows that the request asks for, as JSON or CSV.

    The header `Link` (RFC 8288) has the address of the next page. Raises BadQuery.
    """
    number, form = _page_number(request), _format(request)
    total = rows.count() if isinstance(rows, QuerySet) else len(rows)
    first = (number - 1) * ROWS_PER_PAGE
    items = [made(row) for row in rows[first : first + ROWS_PER_PAGE]]
    following = None
    if first + ROWS_PER_PAGE < total:
        query = request.GET.copy()
        query["page"] = str(number + 1)
        following = absolute(f"{request.path}?{query.urlencode()}", request)
    if form == "csv":
        response = HttpResponse(_csv(page_type, items), content_type="text/csv; charset=utf-8")
    else:
        page = cast(Any, page_type)(items=items, total=total, next=following, **more)
        response = HttpResponse(msgspec.json.encode(page), content_type="application/json")
    if following:
        response["Link"] = f'<{following}>; rel="next"'
    return response


def local(time: datetime | None) -> datetime | None:
    """Return the time in the time zone of the request, so that its hour is the one on the pages."""
    return timezone.localtime(time) if time else None


def _page_number(request: Request) -> int:
    text = request.GET.get("page", "1")
    is_short = text.isascii() and text.isdecimal() and len(text) <= len(str(HIGHEST_PAGE))
    if not (is_short and 1 <= int(text) <= HIGHEST_PAGE):
        raise BadQuery(Message("The parameter “page” must be a number from 1 on."))
    return int(text)


def _format(request: Request) -> str:
    form = request.GET.get("format", "json")
    if form not in ("json", "csv"):
        raise BadQuery(Message("The parameter “format” must be “json” or “csv”."))
    return form


def _csv(page_type: type[Page], items: Sequence[Struct]) -> bytes:
    """Return the rows as CSV in UTF-8. The values are those of JSON; null is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    [row_type] = next(
        field.type.__args__ for field in msgspec.structs.fields(page_type) if field.name == "items"
    )
    writer.writerow(row_type.__struct_fields__)
    for item in items:
        values = msgspec.to_builtins(item).values()
        cells = (str(each).lower() if isinstance(each, bool) else each for each in values)
        writer.writerow(csv_row(cells))
    return text.getvalue().encode("utf-8-sig")
