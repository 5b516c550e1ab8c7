"""The page of the audit log, of a school, a board or the whole site, and its file."""

from django import forms
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from puzzleclass.accounts.sign_in import SignedInRequest, record
from puzzleclass.classes.audit import Wanted, lines_of, shown
from puzzleclass.classes.models import DataRecord
from puzzleclass.classes.school_models import Owner, School
from puzzleclass.spreadsheets.writing import download

LINES_PER_PAGE = 50
MAX_SHOWN = 10_000
"""The most lines that can be turned over on the page. The filters find older ones."""
MAX_IN_FILE = 50_000

_DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class AuditForm(forms.Form):
    """What is asked for in the log."""

    person = forms.CharField(
        label=gettext_lazy("Person (part of the name)"), required=False, max_length=60
    )
    action = forms.ChoiceField(
        label=gettext_lazy("Kind"),
        required=False,
        choices=[("", gettext_lazy("All")), *DataRecord.Action.choices],
    )
    since = forms.DateField(label=gettext_lazy("From"), required=False, widget=_DAY)
    until = forms.DateField(label=gettext_lazy("Until"), required=False, widget=_DAY)


def audit_page(
    request: SignedInRequest, owner: Owner | None, months: int, above: str = ""
) -> HttpResponse:
    """Show the log of the school or the board, or of the site below the page `above` without an
    owner. POST downloads what is shown."""
    data = request.POST if request.method == "POST" else request.GET
    form = AuditForm(data)
    is_valid = form.is_valid()
    lines = lines_of(owner, Wanted(**form.cleaned_data) if is_valid else Wanted())
    if request.method == "POST" and is_valid:
        record(request, "log exported", **({owner.FIELD: owner.pk} if owner else {}))
        return _file(lines[:MAX_IN_FILE], owner)
    page = Paginator(lines[:MAX_SHOWN], LINES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "is_one_school": isinstance(owner, School),
        "above": owner or above,
        "form": form,
        "page": page,
        "lines": list(shown(page)),
        "months": months,
        "most": MAX_IN_FILE,
        "is_cut": page.paginator.count == MAX_SHOWN,
    }
    return render(request, "classes/audit.html", context, status=200 if is_valid else 422)


def _file(lines: QuerySet[DataRecord], owner: Owner | None) -> HttpResponse:
    """Return the lines as CSV."""
    heads = [
        *(
            _("When"),
            _("Who"),
            _("Username"),
            _("Network"),
            _("Kind"),
            pgettext("happened", "What"),
        ),
        *(_("School"), _("Class"), _("Number"), _("Person"), pgettext("of a table", "Rows")),
    ]
    rows = (
        [
            timezone.localtime(each.record.at).isoformat(" ", "seconds"),
            each.record.actor.name if each.record.actor else "",
            each.record.actor.username if each.record.actor else "",
            each.record.network,
            each.record.get_action_display(),
            each.what,
            each.school,
            each.record.class_name,
            each.record.number,
            each.person,
            each.rows,
        ]
        for each in shown(lines)
    )
    name = _("Log") if owner is None else f"{owner.name} {_('Log')}"
    return download(name, heads, rows, "csv")
