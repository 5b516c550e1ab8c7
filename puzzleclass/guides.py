"""The help: guides for students and teachers, by tasks, with pictures of the real pages."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

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
        _("Go back and try things out"),
        _(
            "The slider goes over your moves. The ribbon sets a save point: press its number "
            "later, and you are back there. With the flag you only try: keep it or drop it. Keys: "
            "Z undo, Y redo, S save point, B back to it."
        ),
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
