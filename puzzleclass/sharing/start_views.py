"""The page on which a teacher chooses a lesson for a class, and starts it by one press."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.classes.access import check_not_archived, get_classroom_for_teacher, taught_classes
from puzzleclass.classes.grades import SHORT_GRADES, grade_of
from puzzleclass.classes.models import GRADES
from puzzleclass.forms.once import once
from puzzleclass.http import read_key
from puzzleclass.sharing.starting import find_start, start_lesson, starts_for


@for_teachers("GET", "POST")
@once()
def lesson_start(request: SignedInRequest, pk: int) -> HttpResponse:
    """Offer plans and boards for the grade of the class. POST stores the grade, or assigns what
    was chosen and opens its lesson."""
    classroom = get_classroom_for_teacher(request.user, pk)
    check_not_archived(classroom)
    if request.method == "POST" and "grade" in request.POST:
        grade = read_key(request.POST["grade"])
        if grade not in GRADES:
            raise BadRequest
        classroom.grade = grade
        classroom.save(update_fields=["grade"])
        return redirect("lesson_start", pk)
    if request.method == "POST":
        start = find_start(request.POST.get("start", "")[:80])
        if start is None:
            raise BadRequest
        assignment = start_lesson(classroom, request.user, start)
        messages.success(request, _("Assigned to the whole class, due in a week."))
        return redirect("lesson", assignment.pk)
    others = set(taught_classes(request.user).values_list("grade", flat=True))
    choices = grade_of(classroom.name, others).choices or tuple(GRADES)
    starts = starts_for(classroom, classroom.grade)
    context = {
        "classroom": classroom,
        "grade": SHORT_GRADES.get(classroom.grade or 0),
        "choices": [(grade, SHORT_GRADES[grade]) for grade in choices],
        "plans": [start for start in starts if start.plan],
        "sets": [start for start in starts if not start.plan],
        "is_empty": not classroom.enrolments.exists(),
    }
    return render(request, "sharing/lesson_start.html", context)
