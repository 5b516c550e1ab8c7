"""The end of a lesson: students look back, and their teacher reads what they have said."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import SignedInRequest, for_students, for_teachers
from puzzleclass.assignments.access import (
    get_assignment_for_teacher,
    get_changeable_assignment_for_teacher,
)
from puzzleclass.assignments.pace import lesson_of_student, running_pace
from puzzleclass.assignments.reflections import Reflection
from puzzleclass.classes.access import Right, check_not_archived, may_teach_now
from puzzleclass.forms.once import once
from puzzleclass.http import read_key
from puzzleclass.lessons.reflections import (
    lesson_of,
    lessons_of,
    look_back,
    read_ticket,
    reflection_in,
    stamp_all,
    ticket_of,
)
from puzzleclass.play.models import Feedback


@for_students("GET", "POST")
def student_look_back(request: SignedInRequest) -> HttpResponse:
    """Let a student look back at the lesson. POST stores a face or a sentence, also when the lesson
    has ended meanwhile."""
    if request.method == "POST":
        ticket = read_ticket(request.user, request.POST.get("lesson", ""))
        face = request.POST.get("face", "")
        if ticket is None or face not in ("", *Reflection.Face.values):
            raise BadRequest
        own = look_back(request.user, ticket, face, request.POST.get("sentence", ""))
        context = {
            "own": own,
            "ticket": request.POST["lesson"],
            "prompt": ticket.prompt,
            "exit_board": own.puzzle,
        }
        return render(request, "lessons/look_back.html", context)
    pace = lesson_of_student(request.user.pk)
    if pace is None or not pace.looks_back:
        return redirect("home")
    context = {
        "own": reflection_in(request.user, pace),
        "ticket": ticket_of(pace),
        "prompt": pace.message,
        "exit_board": pace.exit_board,
    }
    return render(request, "lessons/look_back.html", context)


@for_teachers("GET", "POST")
@once()
def reflections(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what the students have said in the latest lesson of the assignment, or in an earlier one
    (`at`). POST gives all students one stamp."""
    if request.method == "POST":
        assignment = get_changeable_assignment_for_teacher(request.user, pk)
        check_not_archived(assignment.classroom)
        stamp = request.POST.get("stamp", "")
        if stamp not in Feedback.Stamp.values:
            raise BadRequest
        number = stamp_all(request.user, assignment, stamp)
        messages.success(request, _("Sent: {number}").format(number=number))
        return redirect("reflections", pk)
    assignment = get_assignment_for_teacher(request.user, pk, Right.LOOK)
    lessons = lessons_of(assignment)
    at = min(read_key(request.GET.get("at", "")), max(len(lessons) - 1, 0))
    context = {
        "assignment": assignment,
        "lessons": lessons,
        "at": at,
        "lesson": lesson_of(assignment, lessons[at]) if lessons else None,
        "is_running": running_pace(assignment) is not None,
        "stamps": Feedback.Stamp.choices,
        "can_teach": may_teach_now(assignment, assignment.classroom) and not assignment.is_gallery,
    }
    return render(request, "lessons/reflections.html", context)
