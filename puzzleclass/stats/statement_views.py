"""The page on which a class is downloaded as xAPI statements."""

from tempfile import TemporaryFile
from typing import cast

from django import forms
from django.contrib import messages
from django.http import FileResponse, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.accounts.account_page import connections_page
from puzzleclass.accounts.sign_in import RECENTLY, SignedInRequest, for_teachers, record
from puzzleclass.classes import personal_data
from puzzleclass.classes.access import Right, get_classroom_for_teacher
from puzzleclass.classes.models import DataRecord
from puzzleclass.play.models import Attempt
from puzzleclass.stats.class_ledger import class_ledger
from puzzleclass.stats.forms import DaysForm
from puzzleclass.stats.models import PseudonymKey
from puzzleclass.stats.statements import write_statements

ENDINGS = {"jsonl": "application/x-ndjson", "json": "application/json"}
"""The ending of the file -> its media type."""


class StatementsForm(DaysForm):
    """The days between which assignments are due, and the form of the file."""

    ending = forms.ChoiceField(
        label=gettext_lazy("File"),
        choices=[
            ("jsonl", gettext_lazy("A statement in each line (.jsonl)")),
            ("json", gettext_lazy("One JSON array (.json)")),
        ],
    )


@for_teachers("GET", "POST", within=RECENTLY)
def statements(request: SignedInRequest, pk: int) -> HttpResponse:
    """Download the statements of the class, or give its students new pseudonyms."""
    classroom = get_classroom_for_teacher(request.user, pk, Right.TEACH)
    if request.POST.get("do") == "renew":
        PseudonymKey.objects.filter(classroom=classroom).delete()
        record(request, "pseudonyms renewed", classroom=pk)
        messages.success(request, _("The next file has new pseudonyms."))
        return redirect("statements", pk)
    form = StatementsForm(request.POST or None)
    if form.is_valid():
        fields = form.cleaned_data
        room = class_ledger(classroom, fields["first"], fields["last"])
        if not room.is_cut:
            # FileResponse closes the file.
            file = TemporaryFile()  # noqa: SIM115
            ending = fields["ending"]
            written = write_statements(file, room, request, as_array=ending == "json")
            rows = {Attempt._meta.label: written}
            personal_data.log(request.user, DataRecord.Action.EXPORTED, classroom, rows)
            file.seek(0)
            name = f"xapi-{pk}-{timezone.localdate():%Y-%m-%d}.{ending}"
            download = FileResponse(
                file, as_attachment=True, filename=name, content_type=ENDINGS[ending]
            )
            return cast(HttpResponse, download)
        form.add_error(None, _("That is too much for one file. Choose fewer days."))
    return connections_page(request, "stats/_statements.html", classroom=classroom, form=form)
