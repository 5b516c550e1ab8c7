"""What this app shows in the slots of other apps' pages."""

from django.db.models import Count, Q
from django.template import Context

from puzzleclass.lti.grades import refused_scores
from puzzleclass.templating.slots import fill


def refused(context: Context) -> dict[str, object]:
    """Return which scores of the assignment a platform has refused, and why. One query."""
    rows = refused_scores(Q(assignment=context["assignment"])).order_by()
    by_reason = rows.values("column__platform__name", "refusal").annotate(n=Count("pk"))
    return {"reasons": list(by_reason.order_by("column__platform__name", "refusal"))}


fill("owner_sections", "lti/_school.html")
fill("assignment_notices", "lti/_refused_scores.html", refused)
