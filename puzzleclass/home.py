"""The front door: one address, a different page for visitors, teachers and students."""

from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.access import Right, in_class_of, may
from puzzleclass.classes.models import Classroom
from puzzleclass.gallery.services import has_gallery
from puzzleclass.play.due import due_for
from puzzleclass.play.models import Attempt, FoundSolution
from puzzleclass.practice.services import may_practise
from puzzleclass.puzzles.models import Puzzle, showpiece
from solvers.registry import kinds


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        shown = [showpiece(kind) for kind in kinds().values()]
        return render(request, "home/welcome.html", {"kinds": shown})
    if request.user.is_student:
        context = {"due": due_for(request.user), "has_gallery": has_gallery(request.user)}
        context["may_practise"] = may_practise(request.user)
        return render(request, "home/student.html", context)
    return render(request, "home/teacher.html", teacher_desk(request.user))


def teacher_desk(teacher: User) -> dict[str, object]:
    """Return what lies on a teacher's desk: classes, what is under way, the last puzzles."""
    running = (
        Assignment.objects.filter(
            in_class_of(teacher, "classroom"),
            classroom__archived_at=None,
            is_gallery=False,
            due_at__gt=timezone.now(),
        )
        .select_related("classroom")
        .annotate(
            puzzle_count=Count("puzzles"),
            begun_count=_counted(Attempt, "student"),
            found_count=_counted(FoundSolution, "pk"),
        )
        .order_by("due_at")
    )
    classrooms = (
        Classroom.objects.filter(in_class_of(teacher), archived_at=None)  # type: ignore[no-redef]
        .annotate(student_count=Count("enrolments"), role=F("teachings__role"))
        # An aggregate drops the model's own order.
        .order_by("name", "pk")
    )
    return {
        "classrooms": classrooms,
        "giveable": [classroom for classroom in classrooms if may(classroom, Right.TEACH)],
        "running": running,
        "templates": teacher.templates.annotate(puzzle_count=Count("puzzles")).order_by(
            "title", "pk"
        ),
        "puzzles": Puzzle.objects.filter(owner=teacher)[:4],
    }


def _counted(model: type[Attempt | FoundSolution], field: str) -> Coalesce:
    """Count distinct values over an assignment's puzzles, without multiplying joins."""
    rows = model.objects.filter(puzzle__assignment=OuterRef("pk")).order_by()
    counts = rows.values("puzzle__assignment").annotate(n=Count(field, distinct=True)).values("n")
    return Coalesce(Subquery(counts), 0)
