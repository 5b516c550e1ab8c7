"""Views for a class's teachers and groups, for messages to students, and for moving students into
other classes."""

from collections.abc import Iterable

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import transaction
from django.db.models import Count
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from puzzleclass.accounts.locks import spend
from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, record
from puzzleclass.classes import class_changes, services
from puzzleclass.classes.access import (
    Right,
    check_not_archived,
    get_classroom_for_teacher,
    may,
    only_chosen,
    taught_classes,
)
from puzzleclass.classes.forms import ColleagueForm, GroupForm, ListForm, MessageForm
from puzzleclass.classes.invitation_page import is_declined
from puzzleclass.classes.joining import A_DAY
from puzzleclass.classes.models import (
    ClassChange,
    Classroom,
    Enrolment,
    Group,
    Teaching,
    TeachingInvitation,
)
from puzzleclass.classes.roster_columns import Column
from puzzleclass.classes.settings_page import settings_page
from puzzleclass.classes.student_list import students_page
from puzzleclass.forms.once import once, saves_as_page
from puzzleclass.http import read_key
from puzzleclass.spreadsheets.reading import text_of_table
from puzzleclass.spreadsheets.writing import download

NAMES_PER_DAY = 50
"""The most usernames that a teacher can enter in a day to invite colleagues."""
MAX_ROWS_TO_TYPE = 400
"""The most students whose new classes can be typed into a form. A larger change needs a file."""
MAX_LETTERS = 100
"""The most letters that are read of a new class's name. Longer names are refused later."""

# Teachers


@for_teachers("GET", "POST")
@once()
def teacher_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """List the teachers of the class. Owners can change the list and invite colleagues, and anybody
    can leave."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.LOOK)
    form = ColleagueForm(classroom, request.POST if "username" in request.POST else None)
    may_change = may(classroom, Right.OWN) or request.POST.get("do") == "leave"
    if request.method == "POST" and not may_change:
        raise PermissionDenied
    if form.is_bound:
        if not spend(f"colleagues of {request.user.pk}", NAMES_PER_DAY, A_DAY):
            form.add_error("username", _("That is enough for today. Continue tomorrow."))
        elif form.is_valid():
            role = form.cleaned_data["role"]
            TeachingInvitation.put(
                form.colleague, request.user, {"classroom": classroom}, role=role
            )
            record(request, "teacher invited", classroom=pk, teacher=form.colleague.pk)
            return redirect("teacher_list", pk)
    elif "invitation" in request.POST:
        key = read_key(request.POST["invitation"])
        get_object_or_404(TeachingInvitation.listed(classroom=classroom), pk=key).withdraw()
        record(request, "invitation withdrawn", classroom=pk)
        return redirect("teacher_list", pk)
    elif request.method == "POST":
        return _change_teacher(request, classroom)
    return settings_page(request, classroom, "teachers", colleague_form=form)


def _change_teacher(request: SignedInRequest, classroom: Classroom) -> HttpResponse:
    do, key = request.POST.get("do", ""), request.POST.get("teaching", "")
    with transaction.atomic():
        Classroom.objects.select_for_update().get(pk=classroom.pk)
        teachings = classroom.teachings.all()
        if do == "leave":
            teaching = get_object_or_404(teachings, teacher=request.user)
        else:
            teaching = get_object_or_404(teachings, pk=read_key(key))
        role = request.POST.get("role", "") if do == "change" else ""
        if do not in ("leave", "remove", "change") or (
            do == "change" and role not in Teaching.Role
        ):
            raise BadRequest
        others = teachings.exclude(pk=teaching.pk).filter(role=Teaching.Role.OWNER)
        if teaching.role == Teaching.Role.OWNER != role and not others.exists():
            messages.warning(
                request, _("A class needs an owner. Make another teacher an owner first.")
            )
            return redirect("teacher_list", classroom.pk)
        if do == "change":
            teaching.role = role
            teaching.save(update_fields=["role"])
        else:
            teaching.delete()
    record(request, "teacher changed", classroom=classroom.pk, teacher=teaching.teacher_id, do=do)
    if teaching.teacher_id == request.user.pk and do != "change":
        return redirect("classroom_list")
    return redirect("teacher_list", classroom.pk)


@for_teachers("GET", "POST")
def teaching_invitation(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ask the teacher whether he or she will teach a class. POST accepts or declines (`do`)."""
    asked = get_object_or_404(TeachingInvitation.open_for(request.user), pk=pk)
    classroom = asked.classroom
    if request.method == "GET":
        return render(request, "classes/teaching_invitation.html", {"asked": asked})
    if is_declined(request, asked):
        return redirect("home")
    with transaction.atomic():
        Classroom.objects.select_for_update().get(pk=classroom.pk)
        # The invitation may have been withdrawn in the meantime.
        if not TeachingInvitation.open_for(request.user).filter(pk=pk).delete()[0]:
            raise Http404
        classroom.teachings.get_or_create(teacher=request.user, defaults={"role": asked.role})
    named = {"teacher": request.user.pk, "invited_by": asked.invited_by_id}
    record(request, "teacher added", classroom=classroom.pk, **named)
    messages.success(request, _("You teach {name} now.").format(name=classroom.name))
    return redirect(classroom)


# Groups


@for_teachers("GET", "POST")
@once()
def group_edit(request: SignedInRequest, pk: int, group: int | None = None) -> HttpResponse:
    """Change a group's name and members; create a group if there is no key.

    A new group gets the students that `only` names.
    """
    classroom = get_classroom_for_teacher(request.user, pk)
    changed = get_object_or_404(classroom.groups, pk=group) if group else Group(classroom=classroom)
    if request.method == "POST" and request.POST.get("do") == "delete" and group:
        changed.delete()
        return redirect("class_students", pk)
    members = {} if group else {"members": request.GET.getlist("only")}
    form = GroupForm(request.POST or None, instance=changed, initial=members)
    if form.is_valid():
        form.save()
        return redirect("class_students", pk)
    return students_page(request, classroom, "classes/_group.html", form=form)


# Messages


@for_teachers("GET", "POST")
def students_message(request: SignedInRequest, pk: int) -> HttpResponse:
    """Write a message to the students that `only` chooses, or take the last one back."""
    classroom = get_classroom_for_teacher(request.user, pk)
    check_not_archived(classroom)
    fields = request.POST if request.method == "POST" else request.GET
    chosen = list(only_chosen(classroom, fields))
    if not chosen:
        return _nobody_chosen(request, classroom)
    takes_back = request.POST.get("do") == "take-back"
    form = MessageForm(request.POST if request.method == "POST" and not takes_back else None)
    if takes_back or form.is_valid():
        services.send_message(chosen, "" if takes_back else form.cleaned_data["message"])
        if takes_back:
            done = _("The message has been taken back.")
        else:
            done = ngettext(
                "{n} student sees the message on the home page.",
                "{n} students see the message on the home page.",
                len(chosen),
            ).format(n=len(chosen))
        messages.success(request, done)
        return redirect("class_students", pk)
    return students_page(
        request,
        classroom,
        "classes/_message.html",
        chosen=chosen,
        form=form,
        has_message=any(enrolment.message for enrolment in chosen),
    )


def _nobody_chosen(request: SignedInRequest, classroom: Classroom) -> HttpResponse:
    messages.warning(request, _("Select students in the class list first."))
    return redirect("class_students", classroom.pk)


# Moving students


@for_teachers("GET", "POST")
@once()
def students_move(request: SignedInRequest, pk: int) -> HttpResponse:
    """Move the students that `only` chooses, with all attempts, into another of the classes."""
    classroom = get_classroom_for_teacher(request.user, pk)
    fields = request.POST if request.method == "POST" else request.GET
    moved = list(only_chosen(classroom, fields))
    if not moved:
        return _nobody_chosen(request, classroom)
    classrooms = taught_classes(request.user).exclude(pk=pk)
    faults: list[str] = []
    if request.method == "POST":
        target = classrooms.filter(pk=read_key(request.POST.get("to", ""))).first()
        plan = class_changes.plan_moves(moved, target) if target else None
        if target is None or plan is None:
            faults = [_("Choose one of your classes.")]
        elif plan.faulty or plan.roster.fault:
            faults = [f"{move.typed}: {fault}" for move in plan.moves for fault in move.faults]
            faults = [plan.roster.fault] if plan.roster.fault else faults
        else:
            class_changes.make_change(request.user, plan, leave=True)
            students = [enrolment.student_id for enrolment in moved]
            record(request, "students moved", classroom=pk, students=students, to=target.pk)
            done = ngettext(
                "{n} student is in {room} now.", "{n} students are in {room} now.", len(moved)
            )
            messages.success(request, done.format(n=len(moved), room=target.name))
            return redirect("class_students", target.pk)
    return students_page(
        request, classroom, "classes/_move.html", moved=moved, classrooms=classrooms, faults=faults
    )


@for_teachers("GET", "POST")
@once(saves_as_page)
def class_change(request: SignedInRequest) -> HttpResponse:
    """Move students into their classes of the next school year.

    The teacher chooses classes and moves them as a whole, which can be undone. Or a form or a file
    says which student goes where, and the teacher confirms the dry run.
    """
    classrooms = taught_classes(request.user)
    fields = request.POST if request.method == "POST" else request.GET
    keys = set(map(read_key, fields.getlist("class")))
    sources = list(classrooms.filter(pk__in=keys))
    listed = Enrolment.objects.filter(classroom__in=sources).order_by("classroom", "number")
    enrolments = list(listed.select_related("student", "classroom"))
    counted = Enrolment.objects.filter(classroom__in=sources or classrooms).order_by()
    sizes = dict(counted.values_list("classroom").annotate(Count("pk")))
    changes = ClassChange.objects.filter(teacher=request.user, undone_at=None)
    context: dict[str, object] = {
        "classrooms": classrooms,
        "sources": sources,
        "following": [
            (
                each,
                fields.get(f"class-{each.pk}", class_changes.name_next_year(each))[:MAX_LETTERS],
                sizes.get(each.pk, 0),
            )
            for each in sources or classrooms
        ],
        "enrolments": enrolments,
        "can_type": len(enrolments) <= MAX_ROWS_TO_TYPE,
        "changes": [change for change in changes if change.can_be_undone],
        "list_form": ListForm(),
        "archive": request.method == "GET" or "archive" in fields,
    }
    if request.method == "POST" and not sources:
        context["fault"] = _("Select the classes that move.")
    if request.method == "GET" or not sources or request.POST.get("do") == "single":
        return render(request, "classes/class_change.html", context)
    if request.POST.get("do") == "table":
        heads = _heads()
        rows = [
            (each.classroom.name, each.number, each.student.name, "", "") for each in enrolments
        ]
        return download(_("Next school year"), heads, rows, "csv")
    form = ListForm(request.POST, request.FILES)
    sent = form.read()
    text = sent.text
    is_typed = not text.strip() and not sent.fault
    if is_typed:
        text = text_of_table([_heads(), *_typed_rows(enrolments, request.POST)])
    plan = class_changes.plan_change(request.user, sources, text, request.POST.dict())
    plan.roster.fault = sent.fault or plan.roster.fault
    was_seen = request.POST.get("seen") == plan.roster.fingerprint and not request.FILES
    # Whole classes need no dry run: everybody sees where they go.
    is_confirmed = was_seen or (is_typed and request.POST.get("do") == "move")
    if is_confirmed and plan.can_be_made:
        class_changes.make_change(request.user, plan, sources if "archive" in fields else ())
        record(request, "classes changed", students=len(plan.going))
        done = _("The students have been moved. You can undo this here for {days} days.").format(
            days=ClassChange.UNDO_DAYS
        )
        messages.success(request, done)
        return redirect("class_change")
    context["plan"] = plan
    return render(request, "classes/class_change.html", context)


def _heads() -> list[str]:
    columns = [Column.CLASS, Column.NUMBER, Column.NAME, Column.NEW_CLASS, Column.NEW_NUMBER]
    return [str(column.value) for column in columns]


def _typed_rows(enrolments: Iterable[Enrolment], fields: QueryDict) -> list[list[str]]:
    """Return the table that the fields of the page ask for.

    The students of a class move to its new class with their present numbers. What is entered for a
    single student takes precedence.
    """
    rows = []
    for enrolment in enrolments:
        new_class = fields.get(f"class-{enrolment.classroom_id}", "").strip()[:MAX_LETTERS]
        number = str(enrolment.number) if new_class else ""
        if typed := fields.get(f"to-{enrolment.pk}", "").strip()[:MAX_LETTERS]:
            new_class, number = typed, ""
        number = fields.get(f"number-{enrolment.pk}", "")[:10] or number
        if f"leaves-{enrolment.pk}" in fields:
            new_class = number = ""
        present = [enrolment.classroom.name, str(enrolment.number), enrolment.student.name]
        rows.append([*present, new_class, number])
    return rows


@for_teachers("POST")
def class_change_undo(request: SignedInRequest, pk: int) -> HttpResponse:
    """Put all students of a class change back into their previous classes."""
    change = get_object_or_404(ClassChange, pk=pk, teacher=request.user)
    if not change.can_be_undone:
        messages.warning(request, _("This can't be undone any more."))
        return redirect("class_change")
    class_changes.undo_change(change)
    record(request, "class change undone", change=pk)
    messages.success(request, _("All students are back in their previous classes."))
    return redirect("class_change")
