"""The front door: one address, a different page for visitors, teachers and students."""

from dataclasses import dataclass

from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
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

PICTURE = (800, 500)
"""Width and height of the guides' pictures. They are made by docs/pictures.py."""


@dataclass(frozen=True, slots=True)
class Guide:
    """One task of a guide; `picture` is the name of a file in static/guide, before its language."""

    title: str | Promise
    text: str | Promise
    picture: str = ""
    alternative: str | Promise = ""

    def path(self, language: str) -> str:
        """Return the picture's path for a reader of the language, for `static`."""
        return f"guide/{self.picture}-{language}.webp"

    @property
    def source(self) -> str:
        """The path for the reader of the page."""
        return self.path("ja" if (get_language() or "").startswith("ja") else "en")


STUDENT_HELP = (
    Guide(
        _("Come into your class"),
        _("Read your card's QR code, or type the class code, press your number and type your PIN."),
        "join",
        _("The page of a class with the names of its students"),
    ),
    Guide(
        _("Solve a puzzle"),
        _(
            "Press the board. “Undo” takes a move back. Each move is kept: close the page "
            "and go on later."
        ),
        "play",
        _("A board of Goishi Hiroi with the buttons beside it"),
    ),
    Guide(
        _("When you are stuck"),
        _("Go back with “Undo”, or ask for a hint if your teacher allows some."),
    ),
    Guide(_("When you have forgotten your PIN"), _("Tell your teacher, who gives you a new one.")),
    Guide(
        _("Kanji with readings"),
        _("In Japanese, “ふりがな” at the foot of the page shows how kanji are read."),
        "furigana",
        _("A puzzle's page with readings above the kanji"),
    ),
)
"""What students look for."""

TEACHER_HELP = (
    Guide(
        _("Seat your class in five minutes"),
        _(
            "“Classes”, “New class”: paste the list of students from a spreadsheet, or write "
            "1-40. Print the cards with QR codes and PINs, and hand them out."
        ),
        "class",
        _("The form of a new class with the list of students"),
    ),
    Guide(
        _("Give puzzles today"),
        _(
            "“Puzzles”, “Ready collection”: choose a kind and a level, then a class. Title "
            "and due date are filled in."
        ),
        "collection",
        _("The ready collection of Goishi Hiroi, level 1"),
    ),
    Guide(
        _("Hold a lesson with a plan"),
        _("“Packs” has six lesson plans of 45 minutes. Open one and give its puzzles to a class."),
        "plan",
        _("A lesson plan with its aim and its course"),
    ),
    Guide(
        _("See who needs help"),
        _(
            "Open the assignment from your desk. The class table is always new; “stuck” "
            "means that the board can't be solved any more. Press a cell to replay a try."
        ),
        "table",
        _("The class table: students by puzzles, with how far each is"),
    ),
    Guide(
        _("When a PIN is forgotten"),
        _(
            "Open the class, press the student's name and give a new PIN. It is shown for "
            "ten minutes."
        ),
    ),
    Guide(
        _("Furigana for the class"),
        _("“Settings” of the class: choose the grade. Elementary school reads with furigana."),
        "settings",
        _("The settings of a class with the choice of the grade"),
    ),
)
"""What teachers look for."""


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """The guides for students and teachers, by tasks."""
    context = {"student_help": STUDENT_HELP, "teacher_help": TEACHER_HELP, "size": PICTURE}
    return render(request, "home/help.html", context)


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


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Return what a browser needs to install the site: its name, its icons."""
    icons = {"icon-192.png": "any", "icon-512.png": "any", "icon-mask.png": "maskable"}
    return JsonResponse(
        {
            "name": "PuzzleClass",
            "id": "/",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "lang": get_language(),
            "background_color": "#f7f4ec",
            "theme_color": "#f7f4ec",
            "icons": [
                {
                    "src": static(name),
                    "sizes": "192x192" if "192" in name else "512x512",
                    "type": "image/png",
                    "purpose": purpose,
                }
                for name, purpose in icons.items()
            ],
        },
        content_type="application/manifest+json",
    )


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
