"""Who may look at a lesson's projector: its teachers, and a device that has typed a code."""

import secrets
from datetime import timedelta

from django.http import HttpRequest
from django.utils import timezone

from puzzleclass.accounts.locks import spend
from puzzleclass.accounts.models import User
from puzzleclass.accounts.visitors import address_of
from puzzleclass.assignments.lesson_models import Pace
from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.pace import running
from puzzleclass.classes.access import Right, in_class_of
from puzzleclass.classes.models import CODE_LETTERS
from puzzleclass.lessons.models import Screen

SCREEN = "screen"
"""Session key of the row that a second device has got for its code."""

MAX_TYPED = 60
"""The most codes that can be typed from one address, which a whole school may share, in ten
minutes. There are a thousand million codes."""


def lesson_on_screen(request: HttpRequest) -> Pace | None:
    """Return the lesson that this browser may show now. Two queries at most.

    For a teacher, it is the running lesson that the teacher has led last, or else the one that was
    begun last in the teacher's classes.
    """
    lessons = Pace.objects.select_related("assignment__classroom", "assignment__teacher").filter(
        running(), assignment__deleted_at=None, assignment__classroom__archived_at=None
    )
    pace = None
    user = request.user
    if isinstance(user, User) and user.is_teacher:
        own = lessons.filter(in_class_of(user, "assignment__classroom", Right.TEACH))
        led = own.filter(led_by=user).order_by("-begun_at").first()
        pace = led or own.order_by("-begun_at").first()
    elif key := request.session.get(SCREEN):
        pace = lessons.filter(assignment__screens=key, assignment__screens__code=None).first()
    if pace:
        pace.assignment.pace = pace
    return pace


def is_connected(request: HttpRequest) -> bool:
    """Return whether this browser may show a lesson once there is one: it is a teacher's, or a
    device that has not been disconnected. One query at most."""
    if isinstance(request.user, User) and request.user.is_teacher:
        return True
    key = request.session.get(SCREEN, 0)
    return Screen.objects.filter(pk=key, code=None).exists()


def make_code(assignment: Assignment) -> None:
    """Make a code for one more device. The oldest ones make room."""
    while assignment.screens.count() >= Screen.MAX_COUNT:
        assignment.screens.order_by("pk")[0].delete()
    assignment.screens.filter(code__isnull=False).delete()
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(Screen.CODE_LENGTH))
    assignment.screens.create(code=code)


def code_of(assignment: Assignment) -> str:
    """Return the code that can be typed now; empty if there is none. One query."""
    fresh = assignment.screens.filter(made_at__gt=timezone.now() - Screen.LASTS)
    return fresh.exclude(code=None).values_list("code", flat=True).first() or ""


def use_code(request: HttpRequest, typed: str) -> bool:
    """Let this browser show the lesson of the code, if it is right; each code works once."""
    if not spend(f"screen {address_of(request)}", MAX_TYPED, timedelta(minutes=10)):
        return False
    fresh = Screen.objects.filter(
        code="".join(typed.split()).upper()[: Screen.CODE_LENGTH + 1],
        made_at__gt=timezone.now() - Screen.LASTS,
    )
    screen = fresh.first()
    if screen is None or not fresh.filter(pk=screen.pk).update(code=None):
        return False
    request.session[SCREEN] = screen.pk
    request.session.set_expiry(12 * 3600)
    return True
