"""The front page, which is a different one for visitors, teachers and students."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from puzzleclass.pages.student_home import student_context
from puzzleclass.pages.teacher_home import teacher_context
from puzzleclass.puzzles.models import kind_with_picture
from solvers.registry import kinds


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        shown = [kind_with_picture(kind) for kind in kinds().values()]
        return render(request, "home/welcome.html", {"kinds": shown})
    if request.user.is_student:
        return render(request, "home/student.html", student_context(request.user))
    return render(request, "home/teacher.html", teacher_context(request.user))
