"""Due dates as an iCalendar file (RFC 5545)."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import Assignment, OwnDue
from puzzleclass.classes.access import in_class_of
from puzzleclass.play.due import assignments_of

LINE_BYTES = 75
"""The most bytes of a line. A longer one is folded: it goes on after a line break and a space."""

PAST = timedelta(days=60)
"""The time for which a past due date stays in the calendar."""

MAX_DATES = 500
"""The most due dates in a calendar, the latest ones."""

REFRESH = "PT2H"
"""How often programs are asked to read the calendar again."""


class DueDate(NamedTuple):
    """An entry of the calendar."""

    key: str
    """A name that no other entry of the site has, and that stays when the entry changes."""
    at: datetime
    title: str
    text: str
    url: str


def assignments_in_calendar(user: User) -> QuerySet[Assignment]:
    """Return the assignments with due dates in the user's calendar, the latest first.

    Students have those that they see. Teachers have those of all their classes, also drafts.
    """
    if user.is_student:
        assignments = assignments_of(user)
    else:
        assignments = Assignment.objects.filter(
            in_class_of(user, "classroom"), classroom__archived_at=None, is_gallery=False
        ).select_related("classroom")
    since = timezone.now() - PAST
    later = OwnDue.objects.filter(student=user) | OwnDue.objects.filter(
        group__members__student=user
    )
    own = later.filter(due_at__gte=since).order_by().values("assignment")
    recent = assignments.filter(Q(due_at__gte=since) | Q(pk__in=own))
    return recent.order_by("-due_at", "-pk")[:MAX_DATES]


def calendar_text(name: str, dates: Iterable[DueDate], now: datetime) -> str:
    """Return the calendar as the text of an .ics file. Its lines end with CRLF."""
    lines = (_folded(line) for line in _lines(name, dates, now))
    return "".join(f"{line}\r\n" for line in lines)


def _lines(name: str, dates: Iterable[DueDate], now: datetime) -> Iterator[str]:
    yield "BEGIN:VCALENDAR"
    yield "VERSION:2.0"
    yield "PRODID:-//PuzzleClass//Due dates//EN"
    yield "CALSCALE:GREGORIAN"
    yield "METHOD:PUBLISH"
    yield f"NAME:{_escaped(name)}"
    # Google and Apple read the name and the interval only from these older properties.
    yield f"X-WR-CALNAME:{_escaped(name)}"
    yield f"REFRESH-INTERVAL;VALUE=DURATION:{REFRESH}"
    yield f"X-PUBLISHED-TTL:{REFRESH}"
    for each in dates:
        yield "BEGIN:VEVENT"
        yield f"UID:{each.key}"
        yield f"DTSTAMP:{_utc(now)}"
        # An event with a start alone ends when it starts (RFC 5545, 3.6.1).
        yield f"DTSTART:{_utc(each.at)}"
        yield f"SUMMARY:{_escaped(each.title)}"
        if each.text:
            yield f"DESCRIPTION:{_escaped(each.text)}"
        yield f"URL:{each.url}"
        yield "TRANSP:TRANSPARENT"
        yield "END:VEVENT"
    yield "END:VCALENDAR"


def _utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    """Return the text as a value of type TEXT. Control characters are left out."""
    escaped = re.sub(r"([\\;,])", r"\\\1", text)
    return re.sub(r"[\0-\x08\x0b-\x1f\x7f]", "", re.sub(r"\r\n?|\n", r"\\n", escaped))


def _folded(line: str) -> str:
    """Return the line in pieces of at most `LINE_BYTES` bytes. No character is cut in two."""
    pieces, size = [""], 0
    for character in line:
        width = len(character.encode())
        if size + width > LINE_BYTES:
            pieces.append(" ")
            size = 1
        pieces[-1] += character
        size += width
    return "\r\n".join(pieces)


def due_date(assignment: Assignment, at: datetime, host: str, url: str) -> DueDate:
    """Return the entry of an assignment that is due at this time. `url` opens it."""
    title = _("{title} ({classroom}): due").format(
        title=assignment.title, classroom=assignment.classroom.name
    )
    key = f"assignment-{assignment.pk}@{host}"
    return DueDate(key, at, title, assignment.instructions, url)
