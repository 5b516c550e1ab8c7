"""Who belongs to a class: its teachers, its groups, and students who go into other classes."""

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import spend
from puzzleclass.accounts.sign_in import for_teachers, record
from puzzleclass.classes import class_changes
from puzzleclass.classes.access import (
    Right,
    get_classroom_for_teacher,
    get_enrolment_for_teacher,
    may,
)
from puzzleclass.classes.forms import ColleagueForm, GroupForm, ListForm
from puzzleclass.classes.joining import A_DAY
from puzzleclass.classes.models import ClassChange, Classroom, Enrolment, Group, Teaching
from puzzleclass.classes.roster import Column
from puzzleclass.classes.views import form_page
from puzzleclass.http import SignedInRequest, read_key
from puzzleclass.spreadsheets import download, text_of_table

NAMES_A_DAY = 50
"""User names that a teacher can try out when adding colleagues."""
MOST_ROWS_TO_TYPE = 400
"""In a larger change the new classes come in a file: nobody fills in a longer form."""

# Teachers


@for_teachers("GET", "POST")
def teacher_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """Who teaches the class and in which part; owners change it, everybody may leave."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.LOOK)
    may_own = may(classroom, Right.OWN)
    form = ColleagueForm(classroom, request.POST if "username" in request.POST else None)
    if request.method == "POST" and not may_own and request.POST.get("do") != "leave":
        raise PermissionDenied
    if form.is_bound:
        if not spend(f"colleagues of {request.user.pk}", NAMES_A_DAY, A_DAY):
            form.add_error("username", _("That is enough for today. Go on tomorrow."))
        elif form.is_valid():
            form.save()
            record(request, "teacher added", classroom=pk, teacher=form.colleague.pk)
            return redirect("teacher_list", pk)
    elif request.method == "POST":
        return _change_teacher(request, classroom)
    context = {
        "classroom": classroom,
        "teachings": classroom.teachings.select_related("teacher").order_by("pk"),
        "roles": Teaching.Role.choices,
        "form": form,
        "may_own": may_own,
    }
    return form_page(request, "classes/teacher_list.html", context)


def _change_teacher(request: SignedInRequest, classroom: Classroom) -> HttpResponse:
    do, key = request.POST.get("do", ""), request.POST.get("teaching", "")
    with transaction.atomic():
        Classroom.objects.select_for_update().get(pk=classroom.pk)
        parts = classroom.teachings.all()
        if do == "leave":
            part = get_object_or_404(parts, teacher=request.user)
        else:
            part = get_object_or_404(parts, pk=read_key(key))
        role = request.POST.get("role", "") if do == "change" else ""
        if do not in ("leave", "remove", "change") or (
            do == "change" and role not in Teaching.Role
        ):
            raise BadRequest
        others = parts.exclude(pk=part.pk).filter(role=Teaching.Role.OWNER)
        if part.role == Teaching.Role.OWNER != role and not others.exists():
            messages.warning(request, _("A class needs an owner. Make somebody else one first."))
            return redirect("teacher_list", classroom.pk)
        if do == "change":
            part.role = role
            part.save(update_fields=["role"])
        else:
            part.delete()
    record(request, "teacher changed", classroom=classroom.pk, teacher=part.teacher_id, do=do)
    if part.teacher_id == request.user.pk and do != "change":
        return redirect("classroom_list")
    return redirect("teacher_list", classroom.pk)


# Groups


@for_teachers("GET")
def group_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """The groups of the class."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.LOOK)
    groups = classroom.groups.prefetch_related("members__student")
    context = {"classroom": classroom, "groups": groups, "may_teach": may(classroom, Right.TEACH)}
    return render(request, "classes/group_list.html", context)


@for_teachers("GET", "POST")
def group_edit(request: SignedInRequest, pk: int, group: int | None = None) -> HttpResponse:
    """Name a group and choose its members; without a key, a new one."""
    classroom = get_classroom_for_teacher(request.user, pk)
    changed = get_object_or_404(classroom.groups, pk=group) if group else Group(classroom=classroom)
    if request.method == "POST" and request.POST.get("do") == "delete" and group:
        changed.delete()
        return redirect("group_list", pk)
    form = GroupForm(request.POST or None, instance=changed)
    if form.is_valid():
        form.save()
        return redirect("group_list", pk)
    return form_page(request, "classes/group_edit.html", {"classroom": classroom, "form": form})


# Into other classes


@for_teachers("GET", "POST")
def student_move(request: SignedInRequest, pk: int, enrolment: int) -> HttpResponse:
    """Move one student into another class of the teacher's, with all work."""
    place = get_enrolment_for_teacher(request.user, pk, enrolment)
    rooms = class_changes.open_classes(request.user).exclude(pk=pk)
    context: dict[str, object] = {"enrolment": place, "rooms": rooms}
    if request.method == "POST":
        key = request.POST.get("to", "")
        room = rooms.filter(pk=read_key(key)).first()
        plan = class_changes.plan_of_one(place, room) if room else None
        if room and plan and plan.going:
            class_changes.make_change(request.user, plan, leave=True)
            record(request, "student moved", classroom=pk, student=place.student_id, to=room.pk)
            done = _("{name} is in {room} now.").format(name=place.student.name, room=room.name)
            messages.success(request, done)
            return redirect("classroom", room.pk)
        context["faults"] = plan.moves[0].faults if plan else [_("Choose one of your classes.")]
    return form_page(request, "classes/student_move.html", context)


@for_teachers("GET", "POST")
def class_change(request: SignedInRequest) -> HttpResponse:
    """The next school year: choose classes, say who goes where in a table or a file, look at the
    dry run, and have it done."""
    rooms = class_changes.open_classes(request.user)
    fields = request.POST if request.method == "POST" else request.GET
    keys = set(map(read_key, fields.getlist("class")))
    sources = list(rooms.filter(pk__in=keys))
    listed = Enrolment.objects.filter(classroom__in=sources).order_by("classroom", "number")
    places = list(listed.select_related("student", "classroom"))
    changes = ClassChange.objects.filter(teacher=request.user, undone_at=None)
    context: dict[str, object] = {
        "rooms": rooms,
        "sources": sources,
        "places": places,
        "can_type": len(places) <= MOST_ROWS_TO_TYPE,
        "changes": [change for change in changes if change.can_be_undone],
        "list_form": ListForm(),
    }
    if request.method == "GET" or not sources:
        return render(request, "classes/class_change.html", context)
    if request.POST.get("do") == "table":
        heads = _heads()
        rows = [(p.classroom.name, p.number, p.student.name, "", "") for p in places]
        return download(_("Next school year"), heads, rows, "csv")
    form = ListForm(request.POST, request.FILES)
    sent = form.read()
    text = sent.text
    if not text.strip() and not sent.fault:
        text = text_of_table(
            [
                _heads(),
                *(
                    (
                        place.classroom.name,
                        str(place.number),
                        place.student.name,
                        request.POST.get(f"to-{place.pk}", "")[:100],
                        request.POST.get(f"number-{place.pk}", "")[:10],
                    )
                    for place in places
                ),
            ]
        )
    plan = class_changes.plan_change(request.user, sources, text)
    plan.roster.fault = sent.fault or plan.roster.fault
    was_seen = request.POST.get("seen") == plan.roster.seen and not request.FILES
    if was_seen and plan.going and not plan.faulty and not plan.roster.fault:
        class_changes.make_change(request.user, plan, sources if "archive" in fields else ())
        record(request, "classes changed", students=len(plan.going))
        done = _("Done. It can be undone here for {days} days.").format(days=ClassChange.UNDO_DAYS)
        messages.success(request, done)
        return redirect("class_change")
    context |= {"plan": plan, "archive": "archive" in fields}
    return render(request, "classes/class_change.html", context)


def _heads() -> list[str]:
    columns = [Column.CLASS, Column.NUMBER, Column.NAME, Column.NEW_CLASS, Column.NEW_NUMBER]
    return [str(column.value) for column in columns]


@for_teachers("POST")
def class_change_undo(request: SignedInRequest, pk: int) -> HttpResponse:
    """Put everybody back."""
    change = get_object_or_404(ClassChange, pk=pk, teacher=request.user)
    if not change.can_be_undone:
        messages.warning(request, _("This can't be undone any more."))
        return redirect("class_change")
    class_changes.undo_change(change)
    record(request, "class change undone", change=pk)
    messages.success(request, _("Everybody is back where they were."))
    return redirect("class_change")
