"""Inviting the teachers of a school, and what follows when one of them joins.

An administrator writes names and addresses, but gains no account in this way: whoever joins chooses
the own username and password, or signs in to the own account first. An address that an
administrator has typed never becomes that of an account.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from puzzleclass.accounts.mail import send_all
from puzzleclass.accounts.models import User
from puzzleclass.address import absolute
from puzzleclass.classes.models import Classroom, Teaching
from puzzleclass.classes.roster import NAME_LENGTH, clean_name
from puzzleclass.classes.school_models import Owner, School, SchoolTeacher
from puzzleclass.rosters.consent import places_of
from puzzleclass.rosters.models import TeacherInvitation, UserId

_SEPARATORS = re.compile(r"[\t,;、，；]")


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody who is to be invited."""

    name: str
    email: str = ""
    sourced_id: str = ""
    """The identifier on the school's roster, if a roster names the teacher."""


def read_list(text: str) -> list[Invited]:
    """Read one teacher a line: the name, and after a tab or a comma the e-mail address, if any.

    Raises ValidationError with a message for each faulty line.
    """
    people: list[Invited] = []
    faults: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        cells = [cell.strip() for cell in _SEPARATORS.split(line) if cell.strip()]
        if not cells:
            continue
        emails = [cell for cell in cells if "@" in cell]
        names = [cell for cell in cells if "@" not in cell]
        name = clean_name(" ".join(names))
        fault = _fault_of(name, emails, people)
        if fault:
            faults.append(_("Line {number}: {fault}").format(number=number, fault=fault))
        people.append(Invited(name, "".join(emails)))
    if not people:
        faults.append(_("Type or paste at least one name."))
    if len(people) > TeacherInvitation.MAX_COUNT:
        most = _("At most {most} teachers can be invited at a time.")
        faults.append(most.format(most=TeacherInvitation.MAX_COUNT))
    if faults:
        raise ValidationError(faults[:20])
    return people


def _fault_of(name: str, emails: list[str], before: list[Invited]) -> str:
    if not name:
        return _("The name is missing.")
    if len(name) > NAME_LENGTH:
        return _("A name has at most {most} characters.").format(most=NAME_LENGTH)
    if len(emails) > 1:
        return _("There are two e-mail addresses in this line.")
    if not emails:
        return ""
    if emails[0] in (each.email for each in before):
        return _("This e-mail address is in the list twice.")
    if not _is_email(emails[0]):
        return _("This is no e-mail address: {text}").format(text=emails[0][:60])
    return ""


def _is_email(text: str) -> bool:
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True


@transaction.atomic
def invite(
    school: School, people: Iterable[Invited], source: str = "", classroom: Classroom | None = None
) -> list[TeacherInvitation]:
    """Make invitations for those who have none yet, as many as the school may have open.

    With the name of a source, `people` are those of a roster of the source.
    """
    School.objects.select_for_update().get(pk=school.pk)
    place = school.sources.get_or_create(name=source)[0] if source else None
    TeacherInvitation.expired().delete()
    open_now = {_key_of(each): each for each in school.invitations.all()}
    linked = set(place.userids.values_list("sourced_id", flat=True)) if place else set()
    made = []
    for each in people:
        if classroom is None and each.sourced_id in linked:
            continue
        new = TeacherInvitation(
            school=school,
            name=each.name[:NAME_LENGTH],
            email=each.email if _is_email(each.email) else "",
            source=place,
            sourced_id=each.sourced_id,
            classroom=classroom,
        )
        if _key_of(new) not in open_now and len(open_now) < TeacherInvitation.MAX_COUNT:
            open_now[_key_of(new)] = new
            made.append(new)
    return TeacherInvitation.objects.bulk_create(made)


def invite_named(owner: Owner, source: str, named: Iterable[Sequence[str]]) -> int:
    """Invite those whom a roster names, with the identifier, the name, the address and the school's
    identifier of each, to their schools; return the number of invitations. Nobody is invited to a
    school that is not stored yet."""
    place_of = places_of(owner, source)
    by_school: dict[School, list[Invited]] = defaultdict(list)
    for key, name, email, *school in named:
        if place := place_of("".join(school)):
            by_school[place.school].append(Invited(name, email, key))
    return sum(len(invite(school, people, source)) for school, people in by_school.items())


def _key_of(each: TeacherInvitation) -> tuple[object, ...]:
    """Return what two invitations of a school to the same person share."""
    if each.sourced_id:
        return (each.source_id, each.sourced_id)
    return (each.name, each.email, each.classroom_id)


def send_invitations(request: HttpRequest, invitations: Iterable[TeacherInvitation]) -> int:
    """Send the invitations that have an address and were not sent yet; return their number.

    An e-mail that the mail server does not take counts as not sent again.
    """
    now, letters = timezone.now(), {}
    for each in invitations:
        if not each.email or each.sent_at:
            continue
        text = _(
            "{name}\n\n{school} invites you to PuzzleClass. With this link you make your account, "
            "or join with the account that you have:\n\n{link}\n\nThe link works once, until {day}."
        ).format(
            name=each.name,
            school=each.school.name,
            link=absolute(reverse("school_join", args=[each.word]), request),
            day=date_format(timezone.localtime(each.good_until), "DATE_FORMAT"),
        )
        subject = _("Your invitation to PuzzleClass")
        letters[each.pk] = EmailMessage(subject, text, to=[each.email])
    _mark_sent(letters, now)
    if letters:
        send_all(letters, lambda lost: _mark_sent(lost, None))
    return len(letters)


def _mark_sent(invitations: Collection[int], at: datetime | None) -> None:
    """Store when the invitations (pks) were sent; None if they were not."""
    TeacherInvitation.objects.filter(pk__in=invitations).update(sent_at=at)


def by_word(word: str) -> TeacherInvitation | None:
    """Return the invitation with the word that can still be used."""
    found = TeacherInvitation.by_word(word)
    is_good = found and found.good_until > timezone.now() and found.school.deleted_at is None
    return found if is_good else None


@transaction.atomic
def join(invitation: TeacherInvitation, teacher: User) -> bool:
    """Use up the invitation: the teacher belongs to the school, is the one whom its roster names,
    and gets the class that has no teacher. Returns False if somebody else was faster."""
    if not TeacherInvitation.objects.filter(pk=invitation.pk).delete()[0]:
        return False
    SchoolTeacher.objects.get_or_create(school=invitation.school, teacher=teacher)
    if source := invitation.source:
        own = UserId.objects.filter(source=source)
        if not own.filter(user=teacher).exists():
            own.get_or_create(
                source=source, sourced_id=invitation.sourced_id, defaults={"user": teacher}
            )
    if invitation.classroom:
        give_class(invitation.school, invitation.classroom, teacher)
    return True


def give_class(school: School, classroom: Classroom, teacher: User) -> bool:
    """Make the teacher the owner of a class of the school that has no teacher.

    Returns False if the class has one, or has gone to another school.
    """
    with transaction.atomic():
        rows = Classroom.objects.select_for_update()
        own = rows.filter(pk=classroom.pk, school=school, deleted_at=None).first()
        if own is None or own.teachings.exists():
            return False
        own.teachings.create(teacher=teacher, role=Teaching.Role.OWNER)
    return True
