"""What this app shows in the slots of other apps' pages."""

from django.template import Context

from puzzleclass.accounts.sign_in import idle_seconds
from puzzleclass.templating.slots import fill


def idle(context: Context) -> dict[str, object]:
    """Return the seconds after which the user is signed out; 0 for never."""
    user = context.get("user")
    is_known = bool(user and user.is_authenticated)
    return {"seconds": idle_seconds(context["request"]) if is_known else 0}


fill("page_end", "accounts/_idle.html", idle)
