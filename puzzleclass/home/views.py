"""The front page, which is a different one for visitors, teachers and students, and the search."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from puzzleclass.accounts.sign_in import CLASS_CODE, SignedInRequest, for_teachers
from puzzleclass.home.search import MAX_CHARACTERS, find
from puzzleclass.home.student_home import student_context
from puzzleclass.home.teacher_home import teacher_context
from puzzleclass.puzzles.models import kind_with_picture
from solvers.registry import kinds


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        kinds_shown = [kind_with_picture(kind) for kind in kinds().values()]
        return render(request, "home/welcome.html", {"kinds": kinds_shown})
    if request.user.is_student:
        context = student_context(request.user, request.session.get(CLASS_CODE))
        return render(request, "home/student.html", context)
    return render(request, "home/teacher.html", teacher_context(request.user))


@for_teachers("GET")
def search(request: SignedInRequest) -> HttpResponse:
    """Show what the search finds: a page, or for HTMX only the results."""
    text = " ".join(request.GET.get("q", "").split())[:MAX_CHARACTERS]
    context = {"groups": find(request.user, text), "text": text}
    template = "home/_search_found.html" if request.htmx else "home/search.html"
    return render(request, template, context)
