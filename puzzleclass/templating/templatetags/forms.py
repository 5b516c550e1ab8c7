"""Template tags inside a form."""

from datetime import UTC, datetime
from typing import Any

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

from puzzleclass.forms import merging
from puzzleclass.forms.merging import MergingForm
from puzzleclass.forms.models import SentForm
from puzzleclass.forms.once import FIELD, new_key
from puzzleclass.http import Request

register = template.Library()


@register.simple_tag
def once() -> SafeString:
    """Return the field with the key by which the form makes one thing, even if it is sent twice."""
    field = '<input type="hidden" name="{}" value="{}" autocomplete="off">'
    return format_html(field, FIELD, new_key())


@register.inclusion_tag("_changes.html", takes_context=True)
def changes(context: Context, *parts: Any) -> dict[str, object]:
    """Say what was changed since the page was shown, and ask about it. Let the page send back what
    it shows now.

    The parts are forms, and other parts of the page that have `conflicts` and `merged`. Forms that
    do not merge are left alone.
    """
    request: Request = context["request"]
    merging_forms = [part for part in parts if isinstance(part, MergingForm)]
    sent = request.POST.getlist(merging.FIELD)
    is_step = bool(sent) and not any(form.is_bound for form in merging_forms)
    conflicts = [conflict for part in parts for conflict in getattr(part, "conflicts", ())]
    attributes: dict[str, object] = {
        # After a step on the page, the fields show what was typed and not what is stored.
        "shown": sent if is_step else [form.shown for form in merging_forms],
        "conflicts": conflicts,
    }
    if conflicts:
        attributes["merged"] = [label for part in parts for label in getattr(part, "merged", ())]
        attributes["last"] = _last_saved(request)
        attributes["user"] = request.user
    return attributes


def _last_saved(request: Request) -> SentForm | None:
    """Return the last time that the form was saved since the page was shown; None if what is stored
    was changed elsewhere."""
    shown_at = merging.latest(merging.read_shown(request.POST))
    try:
        since = datetime.fromtimestamp(shown_at, UTC)
    except (OverflowError, ValueError):
        return None
    saved = SentForm.objects.filter(address=request.path, at__gt=since).exclude(to="")
    return saved.select_related("user").last()
