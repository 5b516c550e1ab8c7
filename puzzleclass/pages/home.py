"""The front page, which is a different one for visitors, teachers and students."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from puzzleclass.gallery.services import has_gallery
from puzzleclass.pages.teacher_home import teacher_context
from puzzleclass.play.due import due_for
from puzzleclass.practice.services import may_practise
from puzzleclass.puzzles.models import kind_with_picture
from solvers.registry import kinds


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        shown = [kind_with_picture(kind) for kind in kinds().values()]
        return render(request, "home/welcome.html", {"kinds": shown})
    if request.user.is_student:
        context = {"due": due_for(request.user), "has_gallery": has_gallery(request.user)}
        context["may_practise"] = may_practise(request.user)
        return render(request, "home/student.html", context)
    return render(request, "home/teacher.html", teacher_context(request.user))
