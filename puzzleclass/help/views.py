"""The pages of the help."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from puzzleclass.help.tasks import STUDENTS, TEACHERS, grouped, search, tasks
from puzzleclass.http import Request

MAX_CHARACTERS = 100
"""The most characters of a query that are read."""


def audiences_of(request: Request) -> tuple[str, ...]:
    """Return whose tasks the reader may look up: students their own, everybody else all tasks."""
    is_student = request.user.is_authenticated and request.user.is_student
    return (STUDENTS,) if is_student else (TEACHERS, STUDENTS)


@require_safe
def help_page(request: Request) -> HttpResponse:
    """Show the tasks that the words of `q` find, or all tasks. For HTMX, return the list."""
    query = request.GET.get("q", "").strip()[:MAX_CHARACTERS]
    tasks_by_audience = {
        audience: search(tasks(audience), query) for audience in audiences_of(request)
    }
    context: dict[str, object] = {
        "query": query,
        "teachers": grouped(tasks_by_audience.get(TEACHERS, ())),
        "students": grouped(tasks_by_audience[STUDENTS]),
    }
    if query:
        context["found"] = [
            (audience, [(task, task.excerpt(query)) for task in hits])
            for audience, hits in tasks_by_audience.items()
            if hits
        ]
    return render(request, "help/_tasks.html" if request.htmx else "help/help.html", context)


@require_safe
def help_task(request: Request, audience: str, name: str) -> HttpResponse:
    """Show one task, with links to those before and after it, and to those of its group."""
    if audience not in audiences_of(request):
        raise Http404
    own = tasks(audience)
    place = next((place for place, task in enumerate(own) if task.name == name), None)
    if place is None:
        raise Http404
    context = {
        "task": own[place],
        "same_group": [task for task in own if task.group == own[place].group],
        "previous": own[place - 1] if place else None,
        "next": own[place + 1] if place + 1 < len(own) else None,
    }
    return render(request, "help/help.html", context)
