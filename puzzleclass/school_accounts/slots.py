"""What this app shows in the slots of other apps' pages."""

from allauth.socialaccount.models import SocialAccount
from django.template import Context

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
from puzzleclass.school_accounts.arrival import schools_of
from puzzleclass.school_accounts.models import SignInProvider
from puzzleclass.templating.slots import fill

MAX_BUTTONS = 12
"""The most schools with a button on the teachers' sign-in page. On a site with more schools, the
list would be long, and a class's own page has the button of its school."""


def sign_in_buttons(context: Context) -> dict[str, object]:
    """Return the provider of the class's school; without a class, those of all schools."""
    classroom: Classroom | None = context.get("classroom")
    shown = SignInProvider.objects.filter(is_on=True).select_related("school")
    if classroom:
        shown = shown.filter(school=classroom.school_id)
    providers = list(shown.order_by("school__name")[: MAX_BUTTONS + 1])
    return {
        "providers": providers if len(providers) <= MAX_BUTTONS else [],
        "code": classroom.code if classroom else "",
        "has_several": len(providers) > 1,
    }


def own_accounts(context: Context) -> dict[str, object]:
    """Return the schools whose accounts a teacher can link, and whether each is linked."""
    teacher: User = context["user"]
    linked = set(SocialAccount.objects.filter(user=teacher).values_list("provider", flat=True))
    active = SignInProvider.objects.filter(is_on=True).select_related("school")
    providers = active.filter(school__in=schools_of(teacher))
    return {"providers": [(provider, provider.app_id in linked) for provider in providers]}


def connected(context: Context) -> dict[str, object]:
    """Return whether the student can sign in with a school account."""
    student = context["enrolment"].student
    return {"is_connected": SocialAccount.objects.filter(user=student).exists()}


fill("account_sign_ins", "school_accounts/_own_accounts.html", own_accounts)
fill("school_sign_in", "school_accounts/_buttons.html", sign_in_buttons)
fill("student_edit", "school_accounts/_student.html", connected)
fill("school_sections", "school_accounts/_school.html")
