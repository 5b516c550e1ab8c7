"""The link to the help about a page."""

from django import template
from django.template import Context

from puzzleclass.help.pages import help_address
from puzzleclass.help.tasks import STUDENTS, TEACHERS

register = template.Library()


@register.inclusion_tag("help/_link.html", takes_context=True)
def help_link(context: Context) -> dict[str, object]:
    """Show the link to the help about the page.

    It opens a new tab for teachers, so that a form that they are filling in stays as it is.
    """
    # A page about a fault may be made before the address was resolved or the user was known.
    match, user = context["request"].resolver_match, context.get("user")
    is_teacher = bool(user and user.is_authenticated and user.is_teacher)
    page = (match.url_name or "") if match else ""
    address = help_address(TEACHERS if is_teacher else STUDENTS, page)
    return {"address": address, "is_teacher": is_teacher}
