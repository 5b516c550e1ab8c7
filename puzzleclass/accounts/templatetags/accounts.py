"""The warning before an idle user is signed out."""

from django import template
from django.template import Context

from puzzleclass.accounts.sign_in import idle_seconds

register = template.Library()


@register.inclusion_tag("accounts/_idle.html", takes_context=True)
def idle_warning(context: Context) -> dict[str, object]:
    """Show the dialog that warns an idle user, if the user is signed in and can be signed out."""
    user = context.get("user")
    is_known = bool(user and user.is_authenticated)
    return {"seconds": idle_seconds(context["request"]) if is_known else 0}
