"""The help: guides to the tasks of students and teachers, with pictures of the real pages."""

from dataclasses import dataclass
from functools import cache

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from puzzleclass.language import languages

PICTURE = (800, 500)
"""Width and height of the guides' pictures. They are made by docs/pictures.py."""


@dataclass(frozen=True, slots=True)
class Guide:
    """One task of a guide. `picture` is the name of a file in static/guide without its language."""

    title: str | Promise
    text: str | Promise
    picture: str = ""
    alternative: str | Promise = ""

    def path(self, language: str) -> str:
        """Return the path of the picture in the language, or of the English one if there is none,
        as the `static` tag takes it."""
        return _existing(f"guide/{self.picture}-{language}.webp", f"guide/{self.picture}-en.webp")

    @property
    def source(self) -> str:
        """The path of the picture in the reader's language."""
        return self.path(languages.active())


@cache
def _existing(path: str, instead: str) -> str:
    return path if finders.find(path) else instead


STUDENT_HELP = (
    Guide(
        _("Join your class"),
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
            "The slider moves through your moves. The ribbon sets a save point: press its "
            "number later to go back there. The flag starts a trial that you can keep or "
            "discard. Keys: Z undo, Y redo, S set a save point, B go back to it."
        ),
    ),
    Guide(
        _("When you are stuck"),
        _("Go back with “Undo”, or ask for a hint if your teacher allows some."),
    ),
    Guide(
        _("When you have forgotten your PIN"), _("Tell your teacher, who can give you a new one.")
    ),
    Guide(
        _("Furigana"),
        _("In Japanese, “ふりがな” at the bottom of the page shows how to read kanji."),
        "furigana",
        _("A puzzle's page with readings above the kanji"),
    ),
)
"""The tasks that students look up."""

TEACHER_HELP = (
    Guide(
        _("Set up your class in five minutes"),
        _(
            "“Classes”, “New class”: paste the list of students from a spreadsheet, or write "
            "1-40. Print the cards with QR codes and PINs, and hand them out."
        ),
        "class",
        _("The form of a new class with the list of students"),
    ),
    Guide(
        _("Assign puzzles today"),
        _(
            "In “Puzzles”, “Ready collection”, choose a kind and a level, then a class. The "
            "title and due date are filled in for you."
        ),
        "collection",
        _("The ready collection of Goishi Hiroi, level 1"),
    ),
    Guide(
        _("Teach with a lesson plan"),
        _(
            "“Packs” contains six 45-minute lesson plans. Open one and assign its puzzles to a "
            "class."
        ),
        "plan",
        _("A lesson plan with its aim and its course"),
    ),
    Guide(
        _("See who needs help"),
        _(
            "Open the assignment from your home page. The class table updates automatically. "
            "“Stuck” means that the board can no longer be solved. Choose a cell to replay "
            "an attempt."
        ),
        "table",
        _("The class table: students by puzzles, with how far each is"),
    ),
    Guide(
        _("When a PIN is forgotten"),
        _(
            "Open the class, choose the student's name and create a new PIN. The PIN is "
            "shown for ten minutes."
        ),
    ),
    Guide(
        _("Furigana for the class"),
        _("In “Settings” of the class, choose the grade. Elementary school students see furigana."),
        "settings",
        _("The settings of a class with the choice of the grade"),
    ),
)
"""The tasks that teachers look up."""


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """Show the guides for students and teachers."""
    context = {"student_help": STUDENT_HELP, "teacher_help": TEACHER_HELP, "size": PICTURE}
    return render(request, "home/help.html", context)
