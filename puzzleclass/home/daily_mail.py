"""The e-mail that tells a teacher once a day what is waiting, if the teacher wishes."""

from collections.abc import Iterator
from datetime import tzinfo
from typing import Any

from celery import shared_task
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from puzzleclass.accounts.mail import deliver
from puzzleclass.accounts.models import User
from puzzleclass.accounts.time_zones import zone_named
from puzzleclass.address import absolute
from puzzleclass.home.notices import Notices, notices_of
from puzzleclass.outbound.tasks import QUEUE, place_of

HOUR = 16
"""The hour of the teacher's day from which the e-mail is sent, when lessons are over."""


@shared_task
def mail_every_day() -> None:
    """Send the teachers who want an e-mail, and have had none today, to a worker, one by one."""
    wishing = User.objects.filter(role=User.Role.TEACHER, is_active=True, mails_notices=True)
    for teacher in wishing.exclude(email="").only("time_zone", "mailed_on"):
        now = timezone.localtime(None, _zone(teacher))
        if now.hour >= HOUR and teacher.mailed_on != now.date():
            mail_notices.apply_async((teacher.pk,), queue=QUEUE)


@shared_task(bind=True)
def mail_notices(self: Any, pk: int) -> None:
    """Tell the teacher what is waiting, unless it is nothing or was done today already."""
    with place_of(self):
        teacher = User.objects.filter(pk=pk, mails_notices=True).exclude(email="").first()
        if teacher is None:
            return
        zone = _zone(teacher)
        today = timezone.localdate(None, zone)
        # Of two tasks on one day, only one changes the row.
        if not User.objects.filter(pk=pk).exclude(mailed_on=today).update(mailed_on=today):
            return
        with override(teacher.language or settings.LANGUAGE_CODE), timezone.override(zone):
            if lines := list(_lines(notices_of(teacher).notices)):
                end = _("Home page: {home}\nTo get no more of these e-mails: {account}").format(
                    home=_link("home"), account=_link("account")
                )
                subject = _("PuzzleClass: this is waiting for you")
                if not deliver(teacher.email, subject, "\n\n".join([*lines, end])):
                    # The next round of this day tries again.
                    User.objects.filter(pk=pk).update(mailed_on=teacher.mailed_on)


def _lines(notices: Notices) -> Iterator[str]:
    """Yield a sentence and a link for each notice that matters, without the names of students."""
    for late in notices.due_tomorrow:
        number = len(late.students)
        said = ngettext(
            "Due tomorrow: {what}. {number} student has not begun.",
            "Due tomorrow: {what}. {number} students have not begun.",
            number,
        )
        what = f"{late.assignment.classroom.name} · {late.assignment.title}"
        yield f"{said.format(what=what, number=number)}\n{_link('assignment', late.assignment.pk)}"
    for room in notices.waiting.rows:
        said = ngettext(
            "{number} puzzle is waiting in the gallery of {name}.",
            "{number} puzzles are waiting in the gallery of {name}.",
            room.handed_in,
        ).format(number=room.handed_in, name=room.name)
        yield f"{said}\n{_link('class_gallery', room.pk)}"
    for room in notices.unconfirmed.rows:
        said = _("Students of {name} are to be confirmed.").format(name=room.name)
        yield f"{said}\n{_link('class_students', room.pk)}"
    for failed in notices.failed_imports:
        said = _("The import of {file} at {school} has failed.").format(
            file=failed.name, school=failed.owner.name
        )
        yield f"{said}\n{absolute(failed.owner.get_absolute_url())}"
    for going in notices.deletions.rows:
        said = (
            _("On {day}, students who have left {name} are deleted by a rule of the school.")
            if going.leavers
            else _("On {day}, the class {name} goes to the bin by a rule of the school.")
        ).format(
            day=date_format(timezone.localtime(going.at), "DATE_FORMAT"), name=going.classroom.name
        )
        page = (
            _link("school_retention", going.classroom.school_id or 0)
            if going.is_for_administrator
            else _link("classroom", going.classroom.pk)
        )
        yield f"{said}\n{page}"
    for assignment in notices.refused.rows:
        said = _("A platform has not taken scores of {title}.").format(title=assignment.title)
        yield f"{said}\n{_link('assignment', assignment.pk)}"


def _link(name: str, *keys: int) -> str:
    return absolute(reverse(name, args=keys))


def _zone(teacher: User) -> tzinfo:
    return zone_named(teacher.time_zone) or timezone.get_default_timezone()
