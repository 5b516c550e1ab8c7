"""Work on a roster that was uploaded: the dry run, and the import.

Small rosters are worked on at once. Large ones are left to a worker, and the page shows the stage.
"""

import io
import logging
from datetime import timedelta
from functools import partial
from typing import Any

from celery import shared_task
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import Owner, owned_by
from puzzleclass.outbound.tasks import QUEUE as OUTBOUND_QUEUE
from puzzleclass.outbound.tasks import place_of
from puzzleclass.rosters.claims import Decisions
from puzzleclass.rosters.consent import ask_teachers
from puzzleclass.rosters.imports import Import, Stage, import_roster
from puzzleclass.rosters.models import (
    FILE_NAME_LENGTH,
    RosterService,
    RosterUpload,
    TeacherInvitation,
)
from puzzleclass.rosters.plan import Change
from puzzleclass.rosters.rest import ServiceFault, fetch_roster
from puzzleclass.rosters.tables import Mode

SMALL_BYTES = 100_000
"""The size of a ZIP that is worked on at once. It holds about a thousand people."""
QUEUE = "review"
LOST_AFTER = timedelta(minutes=15)
"""The time after which work under way counts as lost, because its worker has died."""

logger = logging.getLogger(__name__)
State = RosterUpload.State


def upload(
    owner: Owner, teacher: User, file_name: str, content: bytes, *, stores: bool = False
) -> RosterUpload:
    """Store a roster, begin its dry run, or with `stores` its import, and return it.

    The oldest ones make room.
    """
    latest = owner.uploads.values_list("pk", flat=True)[: RosterUpload.MAX_COUNT - 1]
    owner.uploads.exclude(pk__in=list(latest)).delete()
    made = RosterUpload.objects.create(
        **owned_by(owner), teacher=teacher, file_name=file_name[:FILE_NAME_LENGTH], content=content
    )
    begin(made, stores=stores)
    return made


@shared_task
def fetch_every_night() -> None:
    """Send the services of which the schools want it to a worker, each by itself."""
    for pk in RosterService.objects.filter(is_nightly=True).values_list("pk", flat=True):
        fetch.apply_async((pk,), {"stores": True}, queue=OUTBOUND_QUEUE)


@shared_task(bind=True)
def fetch(self: Any, pk: int, *, stores: bool = False) -> None:
    """Fetch the roster of the service, and begin its dry run, or with `stores` its import.

    An import in which something is wrong stores nothing and is shown on the owner's page.
    """
    service = (
        RosterService.objects.select_related("school", "board", "teacher").filter(pk=pk).first()
    )
    if service is None:
        return
    fault = None
    try:
        with place_of(self):
            content = fetch_roster(service)
    except ServiceFault as error:
        logger.warning("The roster of %s is not fetched: %s", service.owner, error)
        fault = error.message.to_json()
    RosterService.objects.filter(pk=pk).update(fetched_at=timezone.now(), fault=fault)
    if fault is None:
        upload(service.owner, service.teacher, f"{service.source}.zip", content, stores=stores)


def begin(upload: RosterUpload, *, stores: bool = False) -> None:
    """Begin the dry run, or with `stores` the import."""
    upload.state, upload.stores = State.WAITING, stores
    upload.stage, upload.begun_at = "", timezone.now()
    said = ("links", "many_changes", "decisions")
    upload.save(update_fields=["state", "stores", *said, "stage", "begun_at"])
    if len(upload.content) <= SMALL_BYTES:
        work_on(upload.pk)
    else:
        transaction.on_commit(partial(_send, upload.pk))


def _send(pk: int) -> None:
    try:
        work_on.apply_async((pk,), queue=QUEUE)
    except (OperationalError, OSError) as error:
        logger.warning("A roster waits for the broker: %s", error)


@shared_task
def work_on(pk: int) -> None:
    """Work on the upload, unless it is not waiting any more."""
    waiting = RosterUpload.objects.filter(pk=pk, state=State.WAITING)
    if not waiting.update(state=State.RUNNING, begun_at=timezone.now()):
        return
    upload = RosterUpload.objects.select_related("school", "board", "teacher").get(pk=pk)

    def at(stage: Stage) -> None:
        RosterUpload.objects.filter(pk=pk).update(stage=stage.value)

    try:
        done = import_roster(
            io.BytesIO(upload.content),
            target=upload.owner,
            link=upload.links,
            many_changes=upload.many_changes,
            decisions=Decisions.read(upload.decisions),
            dry_run=not upload.stores,
            by=upload.teacher,
            file_name=upload.file_name,
            at=at,
        )
    except Exception:
        RosterUpload.objects.filter(pk=pk).update(state=State.FAILED)
        raise
    upload.report, upload.state = report_of(done), State.CHECKED
    if done.is_stored:
        ask_for(upload)
        upload.state, upload.content = State.DONE, b""
    upload.save(update_fields=["report", "state", "content"])


@shared_task
def look_after_uploads() -> None:
    """Send the uploads that wait to a worker again, and end those whose worker has died."""
    now = timezone.now()
    lost = RosterUpload.objects.filter(state=State.RUNNING, begun_at__lt=now - LOST_AFTER)
    lost.update(state=State.FAILED)
    unsent = Q(state=State.WAITING, begun_at__lt=now - timedelta(seconds=30))
    for pk in RosterUpload.objects.filter(unsent).values_list("pk", flat=True)[:20]:
        work_on.apply_async((pk,), queue=QUEUE)


def ask_for(upload: RosterUpload) -> None:
    """Ask the teachers whom the roster that was checked names about their accounts and classes."""
    report = upload.report
    ask_teachers(
        upload.owner, report["source"], report["asks"], is_whole=report["names_all_people"]
    )


def report_of(done: Import) -> dict[str, object]:
    """Return what the page shows of an import, as JSON. Messages are kept for any language."""
    plan = done.plan
    return {
        "source": plan.roster.source,
        "counts": {
            table: {change.value: counts[change] for change in Change}
            for table, counts in plan.changes.items()
        },
        "names": plan.listed,
        "unlinked": [
            [each.name, each.account.username if each.account else ""] for each in plan.unlinked
        ],
        "invited": [
            [each.sourced_id, each.name, plan.roster.users[each.sourced_id].email, each.school]
            for each in plan.unlinked
            if each.account is None and not each.is_claimed
        ][: TeacherInvitation.MAX_COUNT],
        "fault_count": done.faults.count,
        "faults": [
            [each.file, each.line, each.column, each.message.to_json()]
            for each in done.faults.first
        ],
        "names_all_people": plan.roster.mode("users") is Mode.BULK,
        "asks": list(plan.asks.values()),
        "asks_about_claims": done.asks_about_claims,
        "claims": plan.stored.claims.report(),
        "asks_about_likeness": done.asks_about_likeness,
        "likeness": plan.stored.likeness.report(),
        "asks_about_many_changes": done.asks_about_many_changes,
    }
