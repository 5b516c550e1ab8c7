"""Views for the list of a class: read from a text or a file, shown, confirmed, and downloaded."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_teachers, record
from puzzleclass.classes import services
from puzzleclass.classes.access import Right, check_not_archived, get_classroom_for_teacher
from puzzleclass.classes.forms import ListForm, NewClassroomForm
from puzzleclass.classes.models import DataRecord, Enrolment
from puzzleclass.classes.personal_data import log
from puzzleclass.classes.pins import remember_pins
from puzzleclass.classes.roster import Roster, check_roster
from puzzleclass.classes.student_list import students_page
from puzzleclass.forms.once import once, saves_as_page
from puzzleclass.http import form_page
from puzzleclass.spreadsheets.writing import FORMATS, download


@for_teachers("GET", "POST")
@once(saves_as_page)
def classroom_new(request: SignedInRequest) -> HttpResponse:
    """Create a class from a list, which is shown as it was read and then confirmed.

    An HTMX request gets only the list as it was read. Without a name for the class, all classes
    that the list names are created.
    """
    form = NewClassroomForm(request.user, request.POST or None)
    list_form = ListForm(request.POST or None, request.FILES or None)
    context: dict[str, object] = {"form": form, "list_form": list_form}
    if request.method == "GET":
        return render(request, "classes/classroom_new.html", context)
    form.full_clean()
    name, grade = form.cleaned_data.get("name", ""), form.cleaned_data.get("grade")
    school = form.cleaned_data.get("school")
    roster = list_form.read(one_class=bool(name))
    by_class = bool(roster.class_names) and not name
    if not (name or by_class or form.errors):
        form.add_error(None, _("Press the grade and the class, or type a name."))
    check_roster(roster, {}, by_class=by_class)
    context |= roster_context(roster, list_form)
    if request.htmx:
        return render(request, "classes/_roster.html", context | {"by_class": by_class})
    if not form.is_valid() or not (is_empty(request, roster) or is_confirmed(request, roster)):
        return form_page(request, "classes/classroom_new.html", context | {"by_class": by_class})
    if by_class and len(roster.class_names) > 1:
        for each in roster.class_names:
            students = [entry for entry in roster.good if entry.class_name == each]
            made, _pins = services.create_classroom(request.user, each, students, grade, school)
            record(request, "class created", classroom=made.pk, number=len(students))
        done = _("The classes have been created. You can print the cards on each class's page.")
        messages.success(request, done)
        return redirect("classroom_list")
    name = name or roster.class_names[0]
    classroom, pins = services.create_classroom(request.user, name, roster.good, grade, school)
    record(request, "class created", classroom=classroom.pk, number=len(pins))
    if not pins:
        return redirect("classroom", classroom.pk)
    return remember_pins(request, redirect("pin_list", classroom.pk), classroom, pins)


def roster_context(roster: Roster, form: ListForm) -> dict[str, object]:
    """Return the context for the list on a page. The text of a file goes into the text box."""
    return {"roster": roster, "list_form": ListForm(initial={"students": roster.text})}


def is_empty(request: SignedInRequest, roster: Roster) -> bool:
    """Return whether no list was sent at all. A class can start empty."""
    return not (request.FILES or roster.text.strip() or roster.fault)


def is_confirmed(request: SignedInRequest, roster: Roster) -> bool:
    """Return whether this list was shown and can be saved.

    A list with faulty rows can be saved only if the teacher has chosen to skip these. A list with
    an open question can't be saved.
    """
    takes = not roster.faulty or "skip" in request.POST
    was_seen = request.POST.get("seen") == roster.fingerprint and not request.FILES
    is_understood = not roster.fault and not roster.open_questions
    return bool(roster.good) and is_understood and takes and was_seen


@for_teachers("GET")
def class_students(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the students of the class, how they sign in, and their groups."""
    return students_page(request, get_classroom_for_teacher(request.user, pk, Right.LOOK))


@for_teachers("GET", "POST")
@once(saves_as_page)
def students_new(request: SignedInRequest, pk: int) -> HttpResponse:
    """Add students from a list, which is shown as it was read and then confirmed.

    An HTMX request gets only the list as it was read.
    """
    classroom = get_classroom_for_teacher(request.user, pk)
    check_not_archived(classroom)
    form = ListForm(request.POST or None, request.FILES or None)
    panel = "classes/_students_new.html"
    if request.method == "GET":
        return students_page(request, classroom, panel, list_form=form)
    roster = form.read(one_class=True)
    check_roster(roster, dict(classroom.enrolments.values_list("number", "student__name")))
    context = roster_context(roster, form)
    if request.htmx:
        return render(request, "classes/_roster.html", context | {"classroom": classroom})
    if not roster.text.strip() and not roster.fault:
        roster.fault = _("Paste a list, or choose a file.")
    if not is_confirmed(request, roster):
        return students_page(request, classroom, panel, **context)
    try:
        pins = services.add_students(classroom, roster.good)
    except services.ListChanged:
        return redirect("students_new", pk)
    record(request, "students added", classroom=pk, number=len(pins))
    return remember_pins(request, redirect("pin_list", pk), classroom, pins)


@for_teachers("POST", within=RECENTLY)
def students_export(request: SignedInRequest, pk: int, form: str) -> HttpResponse:
    """Download the class list as a CSV or Excel file, which can be read in again."""
    classroom = get_classroom_for_teacher(request.user, pk)
    if form not in FORMATS:
        raise Http404
    enrolments = classroom.enrolments.select_related("student").prefetch_related("groups")
    heads = [
        pgettext("student", "Number"),
        _("Name"),
        _("Reading"),
        _("Groups"),
        _("Last signed in"),
    ]
    rows = [
        (
            enrolment.number,
            enrolment.student.name,
            enrolment.student.reading,
            _(", ").join(group.name for group in enrolment.groups.all()),
            enrolment.student.last_login,
        )
        for enrolment in enrolments
    ]
    written = {Enrolment._meta.label: len(rows)}
    log(request.user, DataRecord.Action.EXPORTED, classroom, written)
    return download(classroom.name, heads, rows, form)
