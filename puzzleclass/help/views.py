"""The pages of the help."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from puzzleclass.help.tasks import STUDENTS, TEACHERS, grouped, search, tasks
from puzzleclass.http import Request


def audiences_of(request: Request) -> tuple[str, ...]:
    """Return whose tasks the reader may look up: students their own, everybody else all tasks."""
    is_student = request.user.is_authenticated and request.user.is_student
    return (STUDENTS,) if is_student else (TEACHERS, STUDENTS)


@require_safe
def help_page(request: Request) -> HttpResponse:
    """Show the tasks in which the words of `q` occur, or all tasks. For HTMX, return the list."""
    query = request.GET.get("q", "").strip()
    found = {audience: search(tasks(audience), query) for audience in audiences_of(request)}
    context = {
        "query": query,
        "teachers": grouped(found.get(TEACHERS, ())),
        "students": grouped(found[STUDENTS]),
        "is_empty": not any(found.values()),
    }
    return render(request, "help/_tasks.html" if request.htmx else "help/help.html", context)


@require_safe
def help_task(request: Request, audience: str, name: str) -> HttpResponse:
    """Show one task, with links to the task before it and the task after it."""
    if audience not in audiences_of(request):
        raise Http404
    own = tasks(audience)
    place = next((place for place, task in enumerate(own) if task.name == name), None)
    if place is None:
        raise Http404
    context = {
        "task": own[place],
        "previous": own[place - 1] if place else None,
        "next": own[place + 1] if place + 1 < len(own) else None,
    }
    return render(request, "help/task.html", context)
