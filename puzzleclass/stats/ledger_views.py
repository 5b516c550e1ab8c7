"""The ledger of a class and that of an assignment: their pages, and the files made from them."""

from collections.abc import Callable, Collection
from datetime import date, datetime, timedelta

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.assignments.access import (
    get_assigned_puzzle_for_teacher,
    get_assignment_for_teacher,
)
from puzzleclass.assignments.dealing import enrolments_of
from puzzleclass.assignments.due import extend, extend_to, note_absence
from puzzleclass.assignments.models import Assignment
from puzzleclass.classes import personal_data
from puzzleclass.classes.access import (
    Right,
    get_classroom_for_teacher,
    may,
    may_teach_now,
    taught_classes,
)
from puzzleclass.classes.models import Classroom, DataRecord, Enrolment, Group
from puzzleclass.http import read_key
from puzzleclass.play.addresses import classroom_address, share_address
from puzzleclass.play.models import Attempt, Feedback
from puzzleclass.play.status import PuzzleState
from puzzleclass.spreadsheets.writing import FORMATS
from puzzleclass.stats.assignment_ledger import ORDERS, assignment_ledger
from puzzleclass.stats.attempt_sheet import attempt_sheet
from puzzleclass.stats.class_ledger import ClassLedger, class_ledger
from puzzleclass.stats.class_sheets import course_sheet, kinds_sheet
from puzzleclass.stats.forms import DaysForm, FeedbackForm, OwnDueForm
from puzzleclass.stats.ledger_file import sheet_of
from puzzleclass.stats.ledger_screen import screen_rows
from puzzleclass.stats.ledger_table import (
    NOTHING,
    Show,
    Table,
    feet_of,
    read_shown,
    switches,
    table_of_assignment,
    table_of_class,
)
from puzzleclass.stats.marks import Ticks, give_feedback, ticked_attempts
from puzzleclass.stats.sheets import ROWS_PER_PAGE, Sheet, sheet_file
from puzzleclass.templating.templatetags.words import moment

DAYS = ("0", "1", "7")
"""By how many days a due date can be put off with one press; 0 takes the own date back."""

EXACT_DAY = "day"
"""The word of the button that sets the day which stands beside it."""

SHEETS: dict[str, Callable[[ClassLedger], Sheet]] = {"course": course_sheet, "kinds": kinds_sheet}
"""The other tables about a class, by their word in the address."""


@for_teachers("GET", "POST")
def assignment(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the ledger of an assignment; for HTMX, only the table as it is now.

    With `rows=attempts`, a table of the attempts is shown; with `format`, the table is a file.
    """
    assignment = get_assignment_for_teacher(request.user, pk, Right.LOOK)
    if request.method == "POST":
        return _remember(request)
    if request.GET.get("rows") == "attempts":
        return _attempts(request, assignment)
    return _ledger_page(request, assignment)


@for_teachers("POST")
def feedback_many(request: SignedInRequest, pk: int) -> HttpResponse:
    """Give what is ticked one stamp, one comment, or both."""
    assignment = get_assignment_for_teacher(request.user, pk)
    ticks, form = Ticks.read(request.POST), FeedbackForm(request.POST)
    if form.is_valid():
        attempts = ticked_attempts(assignment, ticks)
        fields = form.cleaned_data
        if attempts and any(fields.values()):
            give_feedback(request.user, attempts, **fields)
            messages.success(request, _("Sent: {number}").format(number=len(attempts)))
            return redirect(
                f"{assignment.get_absolute_url()}?{request.GET.urlencode()}".rstrip("?")
            )
        fault = _("Choose a stamp or write a comment.")
        form.add_error(None, fault if attempts else _("Tick at least one puzzle that was begun."))
    return _ledger_page(request, assignment, form, ticks)


@for_teachers("POST")
def assignment_extend(request: SignedInRequest, pk: int) -> HttpResponse:
    """Give the ticked students a later due date, or note that they are absent."""
    assignment = get_assignment_for_teacher(request.user, pk)
    ticks, group = Ticks.read(request.POST), _group(request, assignment.classroom)
    students = enrolments_of(assignment).values_list("student", flat=True)
    if group:
        students = students.filter(student__in=group.members.values("student"))
    ticked = [student for student in students if ticks.all or student in ticks.students]
    days = request.POST.get("days", "")
    who = group if group and ticks.all else ticked
    dates: Collection[datetime] = []
    if not ticked or assignment.is_gallery:
        messages.warning(request, _("Choose at least one student."))
    elif "absent" in request.POST:
        today = timezone.localdate(timezone=assignment.classroom.zone)
        note_absence(assignment, ticked, today if request.POST["absent"] else None)
    elif days == EXACT_DAY:
        try:
            dates = [extend_to(assignment, who, request.user, _own_day(request))]
        except ValidationError as fault:
            form = FeedbackForm(request.POST)
            form.add_error(None, fault)
            return _ledger_page(request, assignment, form, ticks)
    elif days in DAYS:
        dates = extend(assignment, who, request.user, timedelta(days=int(days)))
    for due_at in sorted(set(dates)):
        text = moment(due_at, assignment.classroom.zone)
        messages.success(request, _("Now due {date}.").format(date=text))
    return redirect(f"{assignment.get_absolute_url()}?{request.GET.urlencode()}".rstrip("?"))


def _own_day(request: SignedInRequest) -> date:
    """Return the day that was chosen. Raises ValidationError if none was."""
    form = OwnDueForm(request.POST)
    if not form.is_valid():
        raise ValidationError(_("Choose a day."))
    day: date = form.cleaned_data["day"]
    return day


def _ledger_page(
    request: SignedInRequest,
    shown: Assignment,
    form: FeedbackForm | None = None,
    ticks: Ticks | None = None,
) -> HttpResponse:
    """Return the page of an assignment, with the form of a refused stamp and what was ticked."""
    order = request.GET.get("order")
    group = _group(request, shown.classroom)
    book = assignment_ledger(shown, order if order in ORDERS else ORDERS[0], group)
    table = table_of_assignment(book)
    if (ending := request.GET.get("format")) in FORMATS:
        return _file(request, shown.classroom, table, ending, shown.title)
    context = _context(request, table, shown.classroom, group) | {
        "assignment": shown,
        "book": book,
        "order": order if order in ORDERS else ORDERS[0],
        "boxes": may(shown, Right.TEACH),
        "ticks": ticks,
        "feedback_form": form or FeedbackForm(),
        "own_due": OwnDueForm(request.POST or None),
        "stamps": Feedback.Stamp.choices,
    }
    if not request.htmx:
        context["taught_classes"] = taught_classes(request.user)
        context["may_change"] = may(shown, Right.TEACH)
        context["share_url"] = share_address(shown, request)
        context["classroom_url"] = classroom_address(shown, request)
    template = "stats/_assignment_ledger.html" if request.htmx else "stats/assignment.html"
    return render(request, template, context, status=422 if form else 200)


def _attempts(request: SignedInRequest, shown: Assignment) -> HttpResponse:
    """Show the attempts at the assignment, or return them as a file."""
    sheet = attempt_sheet(shown)
    if (ending := request.GET.get("format")) in FORMATS:
        written = {Attempt._meta.label: len(sheet.rows)}
        personal_data.log(request.user, DataRecord.Action.EXPORTED, shown.classroom, written)
        return sheet_file(sheet, ending, (shown.classroom.name, shown.title, _("attempts")))
    page = Paginator(range(len(sheet.rows)), ROWS_PER_PAGE).get_page(request.GET.get("page"))
    context = {"assignment": shown, "sheet": sheet, "page": page, "shown": sheet.shown(page)}
    return render(request, "stats/attempt_sheet.html", context)


@for_teachers("GET", "POST")
def classroom_ledger(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the ledger of a class or, with `table`, another table; with `format`, it is a file."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.LOOK)
    if request.method == "POST":
        return _remember(request)
    form = DaysForm(request.GET)
    form.is_valid()
    days = form.cleaned_data.get("first"), form.cleaned_data.get("last")
    group, gallery = _group(request, classroom), request.GET.get("gallery") == "on"
    room = class_ledger(classroom, *days, group=group, gallery=gallery)
    named, ending = request.GET.get("table", ""), request.GET.get("format")
    is_file = ending in FORMATS and not form.errors
    context: dict[str, object] = {
        "classroom": classroom,
        "tab": "grades",
        "goes_on": may_teach_now(classroom, classroom),
        "room": room,
        "form": form,
        "days": days,
        "gallery": gallery,
        "table": named if named in SHEETS else "",
    }
    if named in SHEETS:
        sheet = SHEETS[named](room)
        if ending and is_file:
            return sheet_file(sheet, ending, (classroom.name, named))
        context |= {"sheet": sheet, "shown": sheet.shown(range(len(sheet.rows)))}
        if named == "course":
            context["chart"] = room.course.chart(960)
        return render(request, "stats/class_ledger.html", context)
    opened = {read_key(text) for text in request.GET.getlist("open")}
    table = table_of_class(room, opened)
    if ending and is_file:
        return _file(request, classroom, table, ending)
    context |= _context(request, table, classroom, group)
    return render(request, "stats/class_ledger.html", context)


def _file(
    request: SignedInRequest, classroom: Classroom, table: Table, ending: str, *names: str
) -> HttpResponse:
    """Return the table as a file, and log that students' names have left the site."""
    sheet = sheet_of(table, _shown(request))
    written = {Enrolment._meta.label: len(table.lines)}
    personal_data.log(request.user, DataRecord.Action.EXPORTED, classroom, written)
    return sheet_file(sheet, ending, (classroom.name, *names, _("Grade book")))


def _context(
    request: SignedInRequest, table: Table, classroom: Classroom, group: Group | None
) -> dict[str, object]:
    """Return what the table and the row of switches above it need."""
    columns = _shown(request)
    rows = screen_rows(table, columns)
    return {
        "ledger": table,
        "rows": rows,
        "has_looked_back": any(row.looked_back for row in rows),
        "feet": feet_of(table),
        "switches": switches(columns),
        "states": PuzzleState,
        "groups": list(classroom.groups.all()),
        "group": group,
    }


def _shown(request: SignedInRequest) -> list[Show]:
    """Return what the address names, or else what the teacher has chosen last."""
    return read_shown(request.GET.get("show") or request.user.ledger_shows or Show.STATUS)


def _remember(request: SignedInRequest) -> HttpResponse:
    """Store what the teacher wants to see, and show it."""
    words = request.POST.get("show", "")
    columns = " ".join(read_shown(words)) or NOTHING
    User.objects.filter(pk=request.user.pk).update(ledger_shows=columns)
    query = request.GET.copy()
    query["show"] = columns
    return redirect(f"{request.path}?{query.urlencode()}")


def _group(request: SignedInRequest, classroom: Classroom) -> Group | None:
    """Return the group of the class that the address names."""
    named = read_key(request.GET.get("group", ""))
    return classroom.groups.filter(pk=named).first() if named else None


# Addresses of earlier releases


@for_teachers("GET")
def grade_book(request: SignedInRequest, pk: int) -> HttpResponse:
    """Lead to the ledger of the assignment, which was two pages once."""
    get_assignment_for_teacher(request.user, pk, Right.LOOK)
    query = request.GET.copy()
    if query.pop("rows", [""])[-1] == "tries":
        query["rows"] = "attempts"
    return redirect(f"{reverse('assignment', args=[pk])}?{query.urlencode()}".rstrip("?"))


@for_teachers("GET")
def stamps(request: SignedInRequest, pk: int) -> HttpResponse:
    """Lead from a puzzle to the ledger of its assignment, where stamps are given."""
    puzzle = get_assigned_puzzle_for_teacher(request.user, pk)
    return redirect(puzzle.assignment)


@for_teachers("GET")
def class_statistics(request: SignedInRequest, pk: int) -> HttpResponse:
    """Lead to the ledger of the class."""
    get_classroom_for_teacher(request.user, pk, Right.LOOK)
    query = request.GET.copy()
    if query.get("table") not in SHEETS:
        query.pop("table", None)
    return redirect(f"{reverse('class_ledger', args=[pk])}?{query.urlencode()}".rstrip("?"))
