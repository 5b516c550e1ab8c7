"""The students' tab of a class: how they sign in, the class list, its groups, and one open panel.

What is done with several students has an address of its own, which shows this page with a panel.
"""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from puzzleclass.address import absolute
from puzzleclass.classes import joining, services
from puzzleclass.classes.access import Right, may, only_chosen
from puzzleclass.classes.models import Classroom
from puzzleclass.http import form_page
from puzzleclass.language.folding import VARIANTS


def students_page(
    request: HttpRequest, classroom: Classroom, panel: str = "", **context: object
) -> HttpResponse:
    """Return the page with the template `panel` open. A constant number of queries.

    The teacher's role comes with the class. `context` is what the panel needs. A form that was sent
    and refused is answered with 422.
    """
    enrolments = list(services.with_last_here(classroom.enrolments.select_related("student")))
    fields = request.POST if request.method == "POST" else request.GET
    may_teach = may(classroom, Right.TEACH)
    context |= {
        "classroom": classroom,
        "tab": "students",
        "panel": panel,
        "variants": " ".join(VARIANTS),
        "join_url": absolute(reverse("join_class", args=[classroom.code]), request),
        "enrolments": enrolments,
        "ticked": {chosen.pk for chosen in only_chosen(classroom, fields)} if panel else (),
        "groups": classroom.groups.prefetch_related("members"),
        "kept_out": joining.kept_out(classroom, [each.student for each in enrolments]),
        "may_teach": may_teach,
        "goes_on": classroom.archived_at is None and may_teach,
        "may_own": may(classroom, Right.OWN),
    }
    return form_page(request, "classes/students.html", context)
