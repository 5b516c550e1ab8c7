"""What this app shows in the slots of other apps' pages."""

from allauth.socialaccount.models import SocialAccount
from django.db.models import Q
from django.template import Context

from puzzleclass.accounts.models import User
from puzzleclass.classes.access import schools_of
from puzzleclass.classes.models import Classroom
from puzzleclass.classes.school_models import Owner, School
from puzzleclass.school_accounts.models import SignInProvider, provider_of
from puzzleclass.templating.slots import fill


def sign_in_buttons(context: Context) -> dict[str, object]:
    """Return the provider of the class's school. Without a class, return the site's only provider;
    if it has several, the visitor chooses the school first."""
    classroom: Classroom | None = context.get("classroom")
    if classroom:
        own = provider_of(classroom.school) if classroom.school else None
        return {"provider": own, "code": classroom.code}
    shown = list(SignInProvider.objects.filter(is_on=True).select_related("school", "board")[:2])
    return {"provider": shown[0] if len(shown) == 1 else None, "has_several": len(shown) > 1}


def school_choice(context: Context) -> dict[str, object]:
    """Return whether a student chooses the school first, because the site has several providers."""
    return {"has_several": SignInProvider.objects.filter(is_on=True).count() > 1}


def own_provider(context: Context) -> dict[str, object]:
    """Return the provider at which the people of the school or the board sign in."""
    owner: Owner = context["owner"]
    if isinstance(owner, School):
        return {"provider": provider_of(owner)}
    return {"provider": SignInProvider.objects.filter(board=owner, is_on=True).first()}


def own_accounts(context: Context) -> dict[str, object]:
    """Return the schools whose accounts a teacher can link, and whether each is linked."""
    teacher: User = context["user"]
    linked = set(SocialAccount.objects.filter(user=teacher).values_list("provider", flat=True))
    schools = schools_of(teacher)
    own = Q(school__in=schools) | Q(board__schools__in=schools)
    active = SignInProvider.objects.filter(own, is_on=True).select_related("school", "board")
    providers = active.distinct()
    return {"providers": [(provider, provider.app_id in linked) for provider in providers]}


def connected(context: Context) -> dict[str, object]:
    """Return whether the student can sign in with a school account."""
    student = context["enrolment"].student
    return {"is_connected": SocialAccount.objects.filter(user=student).exists()}


fill("account_sign_ins", "school_accounts/_own_accounts.html", own_accounts)
fill("school_sign_in", "school_accounts/_buttons.html", sign_in_buttons)
fill("school_choice", "school_accounts/_buttons.html", school_choice)
fill("student_edit", "school_accounts/_student.html", connected)
fill("owner_sections", "school_accounts/_school.html", own_provider)
