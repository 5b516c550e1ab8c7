"""The members of a course: LTI Names and Role Provisioning Services 2.0.

When a teacher opens the site from a course, a worker reads the course's list of members, page by
page, and its students join the class before they come themselves. Reading it again changes only
what is new. Nobody leaves a class by this.
"""

import logging
import time
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import msgspec
from celery import shared_task
from django.db import transaction
from kombu.exceptions import OperationalError

from puzzleclass.accounts.locks import spend
from puzzleclass.classes.models import Classroom
from puzzleclass.database.texts import cleaned
from puzzleclass.lti.grades import NotTaken, access_token
from puzzleclass.lti.launches import claims_of
from puzzleclass.lti.models import ID_LENGTH, Launch
from puzzleclass.lti.people import class_of, enrol, find_user
from puzzleclass.lti.tokens import Claims, LaunchRefused, SourcedIds
from puzzleclass.outbound.sessions import OutboundError, fault_of_address, new_session
from puzzleclass.outbound.tasks import QUEUE, place_of

SCOPE = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
CONTENT_TYPE = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
MAX_PAGES = 100
MAX_MEMBERS = 2000
MAX_SECONDS = 300
"""The time in which all pages must have come. Meanwhile, the work for other servers waits."""
READINGS_AN_HOUR = 12
"""How often the list of one course is read in an hour at most."""

logger = logging.getLogger(__name__)


class Member(msgspec.Struct):
    """A member of a course."""

    user_id: str
    roles: list[str]
    status: str = "Active"
    name: str = ""
    given_name: str = ""
    family_name: str = ""
    lis_person_sourcedid: str | None = None


class MemberPage(msgspec.Struct):
    """A page of the list of members."""

    members: list[Member]


def ask_for_members(launch: Launch, claims: Claims) -> None:
    """Let a worker read the members of the course, if the platform offers it."""
    if not (claims.names and claims.course and launch.platform.makes_students):
        return
    key = f"members {launch.platform_id} {claims.course.id}"[:250]
    if not spend(key, READINGS_AN_HOUR, timedelta(hours=1)):
        return
    transaction.on_commit(partial(_send, launch.pk))


def _send(pk: int) -> None:
    try:
        read_members.apply_async((pk,), queue=QUEUE, expires=3600)
    except (OperationalError, OSError) as error:
        logger.warning("The members of a course are not read: %s", error)


@shared_task(bind=True)
def read_members(self: Any, pk: int) -> None:
    """Let the students of the course from which the launch came join its class."""
    with place_of(self):
        _read_members(pk)


def _read_members(pk: int) -> None:
    launch = Launch.objects.select_related("platform__school").filter(pk=pk).first()
    claims = claims_of(launch) if launch else None
    classroom = class_of(launch, claims) if launch and claims else None
    if launch is None or claims is None or claims.names is None or classroom is None:
        return
    try:
        for member in _members(launch, claims.names.context_memberships_url):
            _let_join(launch, claims, member, classroom)
    except (NotTaken, OutboundError, msgspec.MsgspecError, ValueError) as error:
        logger.warning("The members of a course were not read to the end: %s", error)


def _let_join(launch: Launch, claims: Claims, member: Member, classroom: Classroom) -> None:
    """Let the member join the class if the member is a student who may."""
    one = Claims(
        sub=member.user_id,
        version=claims.version,
        message_type=claims.message_type,
        deployment_id=claims.deployment_id,
        roles=member.roles,
        name=member.name,
        given_name=member.given_name,
        family_name=member.family_name,
        sourced=SourcedIds(member.lis_person_sourcedid),
        course=claims.course,
    )
    if member.status != "Active" or not 0 < len(one.sub) <= ID_LENGTH or not one.is_student:
        return
    name = launch.platform.roster_claim
    try:
        user = find_user(launch, one)
        if user is None and name and not one.value_of(name):
            # The student's own launch brings the identifier on the roster, and finds the account.
            return
        if user is None or user.is_student:
            enrol(launch, one, user, classroom)
    except LaunchRefused as refused:
        # A closed account keeps nobody else of the list out.
        logger.warning("A member of a course has not joined its class: %s", refused.reason)


def _members(launch: Launch, url: str) -> Iterator[Member]:
    """Yield the members, page by page."""
    seen, until = 0, time.monotonic() + MAX_SECONDS
    with new_session() as session:
        access = access_token(session, launch.platform, SCOPE)
        headers = {"Authorization": f"Bearer {access}", "Accept": CONTENT_TYPE}
        for _page in range(MAX_PAGES):
            if fault_of_address(url):
                return
            if time.monotonic() > until:
                raise NotTaken("the platform is too slow")
            answer = session.get(url, headers=headers)
            answer.raise_for_status()
            page = msgspec.convert(cleaned(answer.json()), MemberPage)
            yield from page.members[: MAX_MEMBERS - seen]
            seen += len(page.members)
            url = answer.links.get("next", {}).get("url", "")
            if not url or seen >= MAX_MEMBERS:
                return
