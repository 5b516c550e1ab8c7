"""Template tags for the buttons of the schools' providers."""

from allauth.socialaccount.models import SocialAccount
from django import template
from django.template import Context

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
from puzzleclass.school_accounts.arrival import schools_of
from puzzleclass.school_accounts.models import SignInProvider

register = template.Library()

MAX_BUTTONS = 12
"""The most schools with a button on the teachers' sign-in page. On a site with more schools, the
list would be long, and a class's own page has the button of its school."""


@register.inclusion_tag("school_accounts/_buttons.html", takes_context=True)
def school_account_buttons(
    context: Context, classroom: Classroom | None = None
) -> dict[str, object]:
    """Show the button of the class's school; without a class, those of all schools."""
    shown = SignInProvider.objects.filter(is_on=True).select_related("school")
    if classroom:
        shown = shown.filter(school=classroom.school_id)
    providers = list(shown.order_by("school__name")[: MAX_BUTTONS + 1])
    return {
        "providers": providers if len(providers) <= MAX_BUTTONS else [],
        "code": classroom.code if classroom else "",
        "next": context.get("next", ""),
        "csrf_token": context.get("csrf_token"),
        "has_several": len(providers) > 1,
    }


@register.inclusion_tag("school_accounts/_own_accounts.html", takes_context=True)
def own_school_accounts(context: Context) -> dict[str, object]:
    """Show a teacher the schools whose accounts can be linked, and those that are."""
    teacher: User = context["user"]
    linked = set(SocialAccount.objects.filter(user=teacher).values_list("provider", flat=True))
    shown = SignInProvider.objects.filter(is_on=True).select_related("school")
    found = shown.filter(school__in=schools_of(teacher))
    return {
        "providers": [(provider, provider.app_id in linked) for provider in found],
        "csrf_token": context.get("csrf_token"),
    }


@register.simple_tag
def has_school_account(student: User) -> bool:
    """Return whether the student can sign in with a school account."""
    return bool(SocialAccount.objects.filter(user=student).exists())
