"""Scores for the grade books of platforms: LTI Assignment and Grade Services 2.0.

A launch brings the address of the line item of its link. From then on, moves of students
make their scores due (`find_scores`), and a worker sends what is due (`send_scores`). What can't be
sent waits in the table and is tried again, for days if necessary. So no score is lost when a
platform is down or a worker is restarted.
"""

import logging
import secrets
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import requests
from celery import shared_task
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from puzzleclass.assignments.dealing import assigned_classes
from puzzleclass.assignments.models import Assignment
from puzzleclass.lti.keys import sign
from puzzleclass.lti.models import GradeColumn, Launch, OutgoingScore, Platform, PlatformUser
from puzzleclass.lti.tokens import Claims
from puzzleclass.outbound.sessions import OutboundError, fault_of_address, new_session
from puzzleclass.outbound.tasks import QUEUE, place_of
from puzzleclass.play.models import Attempt
from puzzleclass.play.progress import progress_of_classes
from puzzleclass.play.status import AssignmentScore, score_of

SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
CONTENT_TYPE = "application/vnd.ims.lis.v1.score+json"
OVERLAP = timedelta(seconds=10)
"""A move is looked for this long after it was made, because its transaction may end late."""
LEASE = timedelta(minutes=5)
"""The time after which scores that a worker was sending are sent again, if it has died."""
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=1)
MAX_FAILURES = 100
"""The failed requests after which a score is given up: after about four days."""
MAX_AT_ONCE = 200
PATIENT_STATUSES = (401, 403, 408, 425, 429)
"""Statuses of refusals that may pass. Other refusals (4xx) are final."""

logger = logging.getLogger(__name__)


class NotTaken(Exception):
    """The platform has not taken a score.

    `refusal` is the status by which it says that it never will; None if it may later.
    `is_silence` says that it has not answered at all.
    """

    def __init__(
        self, reason: str, *, refusal: int | None = None, is_silence: bool = False
    ) -> None:
        super().__init__(reason)
        self.refusal = refusal
        self.is_silence = is_silence


def remember_line_item(launch: Launch, claims: Claims, assignment: Assignment) -> None:
    """Store the line item of the link by which a user has come to the assignment.

    All scores that the class has by then are due.
    """
    grades = claims.grades
    if grades is None or SCOPE not in grades.scope or not grades.lineitem:
        return
    if fault_of_address(grades.lineitem):
        return
    line_item, is_new = GradeColumn.objects.get_or_create(
        platform=launch.platform, assignment=assignment, url=grades.lineitem
    )
    if is_new:
        students = Attempt.objects.filter(puzzle__assignment=assignment, next_step__gt=0)
        _make_due(line_item, set(students.values_list("student", flat=True)))


@shared_task
def find_scores() -> None:
    """Make the scores of students due who have moved; let a worker send what is due."""
    now = timezone.now()
    looked_at = F("puzzle__assignment__grade_columns__looked_at")
    moved = Attempt.objects.filter(
        Q(last_at__gte=looked_at) | Q(arrived_at__gte=looked_at),
        puzzle__assignment__grade_columns__isnull=False,
    ).order_by()
    students: defaultdict[int, set[int]] = defaultdict(set)
    for line_item, student in moved.values_list(
        "puzzle__assignment__grade_columns", "student"
    ).distinct():
        students[line_item].add(student)
    for each in GradeColumn.objects.filter(pk__in=students):
        _make_due(each, students[each.pk])
        GradeColumn.objects.filter(pk=each.pk).update(looked_at=now - OVERLAP)
    if OutgoingScore.objects.filter(due_at__lte=timezone.now()).exists():
        try:
            send_scores.apply_async(queue=QUEUE, expires=60)
        except (OperationalError, OSError) as error:
            logger.warning("Scores wait for the broker: %s", error)


def _make_due(line_item: GradeColumn, students: set[int]) -> None:
    """Make the students' scores due. What waits for a platform that is down goes on waiting."""
    OutgoingScore.objects.bulk_create(
        (OutgoingScore(column=line_item, student_id=student) for student in students),
        ignore_conflicts=True,
    )
    rows = OutgoingScore.objects.filter(column=line_item, student__in=students)
    rows.update(version=F("version") + 1)
    rows.filter(due_at=None).update(due_at=timezone.now(), failures=0, refusal=None)


def refused_scores(assignments: Q) -> QuerySet[OutgoingScore]:
    """Return the scores of the assignments that the platforms have refused for good."""
    columns = GradeColumn.objects.filter(assignments)
    return OutgoingScore.objects.filter(refusal__isnull=False, column__in=columns)


def send_again(assignment: Assignment) -> None:
    """Make the refused scores of the assignment due once more."""
    refused = refused_scores(Q(assignment=assignment))
    refused.update(due_at=timezone.now(), failures=0, refusal=None)


@shared_task(bind=True)
def send_scores(self: Any) -> None:
    """Send the scores that are due by line item, and plan when to retry what fails."""
    with place_of(self):
        _send_scores()


def _send_scores() -> None:
    now = timezone.now()
    due = OutgoingScore.objects.filter(due_at__lte=now).order_by("due_at")
    rows = due.select_related("column__platform", "column__assignment__classroom", "student")
    by_line_item: defaultdict[int, list[OutgoingScore]] = defaultdict(list)
    for row in rows[:MAX_AT_ONCE]:
        # Another worker may have begun with the row at the same moment.
        mine = OutgoingScore.objects.filter(pk=row.pk, due_at=row.due_at)
        if mine.update(due_at=now + LEASE):
            row.due_at = now + LEASE
            by_line_item[row.column_id].append(row)
    for some in by_line_item.values():
        _send_line_item(some[0].column, some, now + LEASE / 2)


def _send_line_item(line_item: GradeColumn, rows: Sequence[OutgoingScore], until: datetime) -> None:
    """Send the scores. Those that a slow platform has not taken `until` then are sent later."""
    [this] = assigned_classes([line_item.assignment])
    [progress] = progress_of_classes([this])
    subs = dict(
        PlatformUser.objects.filter(
            platform=line_item.platform, user__in=[row.student_id for row in rows]
        ).values_list("user", "sub")
    )
    silent: NotTaken | None = None
    with new_session() as session:
        access = ""
        for row in rows:
            if timezone.now() > until:
                return
            statuses = [
                progress[key]
                for puzzle in this.puzzles
                if (key := (row.student_id, puzzle.pk)) in progress
            ]
            score, sub = score_of(statuses), subs.get(row.student_id)
            text = f"{score.solved}/{score.given}"
            try:
                if silent:
                    raise silent
                if sub and score.given and score.is_begun and row.sent != text:
                    access = access or access_token(session, line_item.platform, SCOPE)
                    _post(session, access, line_item, sub, score)
                    row.sent = text
                _plan(row, None)
            except NotTaken as failure:
                # Nobody waits once more for each student while the platform does not answer.
                silent = failure if failure.is_silence else None
                _plan(row, failure)


def _plan(row: OutgoingScore, failure: NotTaken | None) -> None:
    """Store what has become of the score, and when it is sent again."""
    mine = OutgoingScore.objects.filter(pk=row.pk)
    if failure is None:
        mine.update(sent=row.sent, failures=0, refusal=None)
        # A move that was made meanwhile has changed the version, and the row stays due.
        mine.filter(version=row.version).update(due_at=None)
        mine.exclude(version=row.version).update(due_at=timezone.now())
        return
    failures = row.failures + 1
    refusal = 0 if failure.refusal is None and failures >= MAX_FAILURES else failure.refusal
    wait = min(FIRST_WAIT * 2 ** min(row.failures, 10), LONGEST_WAIT)
    again = None if refusal is not None else timezone.now() + wait
    mine.update(failures=failures, due_at=again, refusal=refusal)
    logger.warning("Score %s was not taken (%s times): %s", row.pk, failures, failure)


def access_token(session: requests.Session, platform: Platform, scope: str) -> str:
    """Return a token for the platform's services. Raises NotTaken."""
    now = int(timezone.now().timestamp())
    assertion = sign(
        {
            "iss": platform.client_id,
            "sub": platform.client_id,
            "aud": platform.token_url,
            "iat": now,
            "exp": now + 300,
            "jti": secrets.token_urlsafe(24),
        }
    )
    fields = {
        "grant_type": "client_credentials",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": assertion,
        "scope": scope,
    }
    try:
        answer = session.post(platform.token_url, data=fields)
        answer.raise_for_status()
        token = answer.json()["access_token"]
    except (OutboundError, ValueError, KeyError, TypeError) as error:
        silence = isinstance(error, (requests.ConnectionError, requests.Timeout))
        raise NotTaken(f"no access token: {error}", is_silence=silence) from None
    if not isinstance(token, str) or not token.isascii() or not token.isprintable():
        raise NotTaken("no access token")
    return token


def _post(
    session: requests.Session, access: str, line_item: GradeColumn, sub: str, score: AssignmentScore
) -> None:
    parts = urlsplit(line_item.url)
    url = urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/scores"))
    is_complete = score.solved == score.given
    body = {
        "userId": sub,
        "timestamp": timezone.now().isoformat(timespec="milliseconds"),
        "scoreGiven": score.solved,
        "scoreMaximum": score.given,
        "activityProgress": "Completed" if is_complete else "InProgress",
        "gradingProgress": "FullyGraded",
    }
    headers = {"Authorization": f"Bearer {access}", "Content-Type": CONTENT_TYPE}
    try:
        answer = session.post(url, json=body, headers=headers)
    except OutboundError as error:
        raise NotTaken(str(error), is_silence=True) from None
    if not answer.ok:
        status = answer.status_code
        is_final = status < 500 and status not in PATIENT_STATUSES
        raise NotTaken(f"status {status}", refusal=status if is_final else None)
