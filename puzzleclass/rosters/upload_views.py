"""Views of an administrator's imports: upload, dry run, import, undo."""

from tempfile import TemporaryFile
from typing import Any, NamedTuple, cast

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Page, Paginator
from django.http import FileResponse, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_teachers, record
from puzzleclass.classes.access import (
    administered_schools,
    get_owner_for_administrator,
    get_school_for_administrator,
)
from puzzleclass.classes.models import DataRecord
from puzzleclass.classes.owners import OwnerKey
from puzzleclass.classes.personal_data import log
from puzzleclass.forms.once import once
from puzzleclass.language.reader import say
from puzzleclass.rosters.claims import ASIDE, IDENTIFIERS, TAKE
from puzzleclass.rosters.export import NothingImported, write_roster
from puzzleclass.rosters.imports import Stage
from puzzleclass.rosters.invitations import invite_named
from puzzleclass.rosters.likeness import OTHERS, SAME
from puzzleclass.rosters.models import RosterImport, RosterUpload
from puzzleclass.rosters.plan import MAX_LISTED, Change
from puzzleclass.rosters.tables import STORED
from puzzleclass.rosters.undo import CannotUndo, undo_import
from puzzleclass.rosters.uploads import QUEUE, ask_for, begin, upload
from solvers.message import Message

NAMES_PER_PAGE = 100

TABLE_NAMES = {
    "orgs": gettext_lazy("Schools"),
    "classes": gettext_lazy("Classes"),
    "users": gettext_lazy("People"),
    "enrollments": gettext_lazy("Class list entries"),
}
CHANGE_NAMES = {
    Change.NEW: pgettext_lazy("rows of a roster", "New"),
    Change.CHANGED: gettext_lazy("Changed"),
    Change.MOVED: gettext_lazy("Moved"),
    Change.LEFT: pgettext_lazy("rows of a roster", "Left"),
    Change.UNCHANGED: gettext_lazy("Unchanged"),
    Change.WAITING: gettext_lazy("To be confirmed"),
    Change.IGNORED: gettext_lazy("Not needed"),
}
STAGE_NAMES = {
    Stage.READ: gettext_lazy("Reading the file"),
    Stage.COMPARE: gettext_lazy("Comparing it with the classes"),
    Stage.STORE: gettext_lazy("Storing the changes"),
}


@for_teachers("POST")
@once()
def roster_new(request: SignedInRequest, owner: OwnerKey) -> HttpResponse:
    """Store the ZIP that is sent, and begin its dry run."""
    own = get_owner_for_administrator(request.user, owner)
    file = request.FILES.get("file")
    if file is None:
        messages.warning(request, _("Choose the ZIP file first."))
        return redirect(own)
    made = upload(own, request.user, file.name or "", file.read())
    record(request, "roster uploaded", upload=made.pk, **own.facts)
    return redirect("roster", own, made.pk)


@for_teachers("GET", "POST")
def roster(request: SignedInRequest, owner: OwnerKey, upload: int) -> HttpResponse:
    """Show the dry run of a roster, import or discard it. An HTMX request gets the progress."""
    own = get_owner_for_administrator(request.user, owner)
    own_upload = get_object_or_404(own.uploads, pk=upload)
    if request.method == "POST":
        return _change(request, own_upload)
    context: dict[str, object] = {
        "owner": own,
        "upload": own_upload,
        "queue": QUEUE,
        "stages": [
            (name, own_upload.stage == stage.value)
            for stage, name in STAGE_NAMES.items()
            if own_upload.stores or stage is not Stage.STORE
        ],
    }
    if own_upload.is_under_way:
        return render(request, "rosters/roster.html", context)
    context |= _report(own_upload.report) | {"claims": _claims(own_upload)}
    if names := _names(request, own_upload.report):
        context |= names
    return render(request, "rosters/roster.html", context)


def _change(request: SignedInRequest, changed: RosterUpload) -> HttpResponse:
    do = request.POST.get("do", "")
    if do == "discard":
        if not changed.is_under_way:
            changed.delete()
        return redirect(changed.owner)
    if do == "ask":
        return _ask(request, changed)
    if do == "invite":
        return _invite(request, changed)
    if do not in ("check", "import"):
        raise BadRequest
    if changed.state == RosterUpload.State.CHECKED:
        changed.links = "links" in request.POST
        changed.many_changes = "many_changes" in request.POST
        asked = _asked(changed)
        changed.decisions |= {
            name: value
            for name, value in request.POST.items()
            if name in asked and value in (TAKE, ASIDE)
        }
        if request.POST.get(IDENTIFIERS) in (SAME, OTHERS):
            changed.decisions[IDENTIFIERS] = request.POST[IDENTIFIERS]
        # A school may write others before the import, which then asks again.
        for each in changed.report.get("claims", {}).get("schools", ()):
            changed.decisions[f"seen-{each['key']}"] = each["digest"]
        begin(changed, stores=do == "import")
        record(request, "roster", upload=changed.pk, do=do, **changed.owner.facts)
    return redirect("roster", changed.owner, changed.pk)


def _invite(request: SignedInRequest, changed: RosterUpload) -> HttpResponse:
    """Invite the teachers whom the roster names and for whom no account is linked."""
    report = changed.report
    number = 0
    if changed.state in (RosterUpload.State.CHECKED, RosterUpload.State.DONE):
        number = invite_named(changed.owner, report.get("source", ""), report.get("invited", []))
        record(request, "teachers invited", number=number, **changed.owner.facts)
    if changed.board:
        said = _("New invitations: {number}. Print them or send them on the pages of the schools.")
        messages.success(request, said.format(number=number))
        return redirect(changed.board)
    said = _("New invitations: {number}. Print them or send them here.")
    messages.success(request, said.format(number=number))
    return redirect("school_teachers", changed.school_id)


def _ask(request: SignedInRequest, changed: RosterUpload) -> HttpResponse:
    """Ask the teachers whom the roster names. The answer is the same whether any has an account."""
    if changed.state == RosterUpload.State.CHECKED and "asks" in changed.report:
        ask_for(changed)
        record(request, "teachers of a roster asked", upload=changed.pk, **changed.owner.facts)
        messages.success(
            request,
            _("Teachers who have an account are asked on their home page whether they agree."),
        )
    return redirect("roster", changed.owner, changed.pk)


class FaultLine(NamedTuple):
    """A fault as the page shows it."""

    file: str
    line: int
    column: str
    text: str


class CountLine(NamedTuple):
    """A table of the roster, and the number of its rows by change."""

    table: str
    name: object
    cells: list[tuple[str, int]]
    """The change and the number of rows."""


def _report(report: dict[str, Any]) -> dict[str, object]:
    """Return the counts and the faults of a dry run as the page shows them."""
    counts: dict[str, dict[str, int]] = report.get("counts", {})
    return {
        "changes": list(CHANGE_NAMES.values()),
        "counts": [
            CountLine(
                table,
                TABLE_NAMES[table],
                [(change.value, counts[table][change]) for change in CHANGE_NAMES],
            )
            for table in STORED
            if table in counts
        ],
        "faults": [
            FaultLine(file, line, column, say(Message.from_json(message)))
            for file, line, column, message in report.get("faults", [])
        ],
        "fault_count": report.get("fault_count", 0),
        "unlinked": (unlinked := report.get("unlinked", [])),
        "invited": len(report.get("invited", [])),
        "offers_links": any(account for _name, account in unlinked)
        or any(counts[table][Change.WAITING] for table in counts),
        "asks_about_claims": report.get("asks_about_claims", False),
        "likeness": report.get("likeness", {}),
        "asks_about_likeness": report.get("asks_about_likeness", False),
        "asks_about_many_changes": report.get("asks_about_many_changes", False),
        "has_changes": any(
            counts[table][change]
            for table in counts
            for change in (Change.NEW, Change.CHANGED, Change.MOVED, Change.LEFT, Change.WAITING)
        ),
    }


def _asked(own_upload: RosterUpload) -> set[str]:
    """Return the fields in which the page asks about the rows that a school has written."""
    found: dict[str, list[dict[str, object]]] = own_upload.report.get("claims", {})
    return {f"{table[:-1]}-{each['key']}" for table, rows in found.items() for each in rows}


def _claims(own_upload: RosterUpload) -> dict[str, list[dict[str, object]]]:
    """Return the rows that a school has written, each with what has been said about it."""
    found: dict[str, list[dict[str, object]]] = own_upload.report.get("claims", {})
    return {
        table: [
            {**each, "said": own_upload.decisions.get(f"{table[:-1]}-{each['key']}", "")}
            for each in rows
        ]
        for table, rows in found.items()
    }


def _names(request: SignedInRequest, report: dict[str, Any]) -> dict[str, object]:
    """Return the page of names that the address asks for; nothing if there are none."""
    names: dict[str, dict[str, list[str]]] = report.get("names", {})
    wanted = (request.GET.get("table", ""), request.GET.get("change", ""))
    listed = [(table, change) for table in STORED for change in CHANGE_NAMES]
    chosen = next((each for each in listed if each == wanted and names[each[0]].get(each[1])), None)
    if chosen is None:
        return {}
    table, change = chosen
    page: Page[str] = Paginator(names[table][change], NAMES_PER_PAGE).get_page(
        request.GET.get("page")
    )
    return {
        "page": page,
        "table": table,
        "change": change.value,
        "listed_table": TABLE_NAMES[table],
        "listed_change": CHANGE_NAMES[change],
        "most_listed": MAX_LISTED,
        "is_cut": page.paginator.count == MAX_LISTED,
    }


@for_teachers("POST", within=RECENTLY)
def roster_export(request: SignedInRequest, pk: int) -> HttpResponse:
    """Download the school's roster as a OneRoster ZIP."""
    school = get_school_for_administrator(request.user, pk)
    # FileResponse closes the file.
    file = TemporaryFile()  # noqa: SIM115
    try:
        rows = write_roster(school, file)
    except NothingImported:
        file.close()
        messages.warning(request, _("Nothing has been imported yet."))
        return redirect("school", pk)
    rows_written = {"accounts.User": rows["users"]}
    action = DataRecord.Action.EXPORTED
    log(request.user, action, None, rows_written, event="roster", school=pk)
    record(request, "roster exported", school=pk)
    file.seek(0)
    name = f"OneRoster {timezone.localdate():%Y-%m-%d}.zip"
    return cast(HttpResponse, FileResponse(file, as_attachment=True, filename=name))


@for_teachers("POST")
def roster_undo(request: SignedInRequest, owner: OwnerKey, made: int) -> HttpResponse:
    """Undo an import, which must be about no school of other administrators."""
    own = get_owner_for_administrator(request.user, owner)
    undone = get_object_or_404(RosterImport.of(own), pk=made)
    if undone.schools.exclude(pk__in=administered_schools(request.user)).exists():
        messages.warning(
            request,
            _(
                "This import has changed other schools, too. An administrator of their board or of "
                "the site can undo it."
            ),
        )
        return redirect(own)
    try:
        undo_import(undone)
    except CannotUndo as error:
        for reason in error.reasons:
            messages.warning(request, say(reason))
    else:
        record(request, "roster undone", **own.facts)
        messages.success(request, _("The import is undone. Everything is as it was before."))
    return redirect(own)
