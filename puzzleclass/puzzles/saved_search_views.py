"""The searches of the library that a teacher has saved."""

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers
from puzzleclass.puzzles.access import get_search_for_owner
from puzzleclass.puzzles.library import SearchForm, library_address, save_search
from puzzleclass.puzzles.models import TAG_LENGTH


def _name_in(fields: QueryDict) -> str:
    return " ".join(fields.get("name", "").split())[:TAG_LENGTH]


@for_teachers("POST")
def search_save(request: SignedInRequest) -> HttpResponse:
    """Save the search that the library shows."""
    if name := _name_in(request.POST):
        save_search(request.user, name, SearchForm(QueryDict(request.POST.get("query", ""))))
        messages.success(request, _("The search is saved as “{name}”.").format(name=name))
    else:
        messages.warning(request, _("Give the search a name."))
    return redirect(library_address(request.POST))


@for_teachers("POST")
def search_change(request: SignedInRequest, pk: int) -> HttpResponse:
    """Rename or delete a saved search."""
    saved, name = get_search_for_owner(request.user, pk), _name_in(request.POST)
    if request.POST.get("do") == "delete":
        saved.delete()
        messages.success(request, _("“{title}” has been deleted.").format(title=saved.name))
    elif not name:
        messages.warning(request, _("Give the search a name."))
    elif request.user.saved_searches.exclude(pk=pk).filter(name=name).exists():
        text = _("There is already a saved search “{name}”. Choose another name.")
        messages.warning(request, text.format(name=name))
    else:
        saved.name = name
        saved.save()
        messages.success(request, _("Saved."))
    return redirect(library_address(request.POST))
