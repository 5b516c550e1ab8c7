"""Template tags about learning platforms on pages of assignments."""

from django import template
from django.db.models import Count, Q
from django.template import Context

from puzzleclass.assignments.models import Assignment
from puzzleclass.lti.grades import refused_scores

register = template.Library()


@register.inclusion_tag("lti/_refused_scores.html", takes_context=True)
def refused_scores_of(context: Context, assignment: Assignment) -> dict[str, object]:
    """Say which scores of the assignment a platform has refused, and why. One query."""
    refused = refused_scores(Q(assignment=assignment)).order_by()
    by_reason = refused.values("column__platform__name", "refusal").annotate(n=Count("pk"))
    return {
        "assignment": assignment,
        "reasons": list(by_reason.order_by("column__platform__name", "refusal")),
        "csrf_token": context.get("csrf_token"),
    }
