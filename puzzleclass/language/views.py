"""The view that keeps a reader's choices."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from puzzleclass.language import furigana
from puzzleclass.language.reader import keep_choices


@require_POST
def set_reader(request: HttpRequest) -> HttpResponse:
    """Keep a choice and redirect to the page on which it was made."""
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = "/"
    response = HttpResponseRedirect(back)
    names = ("signs", "words", furigana.SWITCH)
    chosen = {name: request.POST[name] for name in names if request.POST.get(name)}
    if request.user.is_authenticated and furigana.SWITCH in chosen:
        # Other people may use the same computer.
        request.session[furigana.SWITCH] = chosen.pop(furigana.SWITCH) == "on"
    keep_choices(request, response, chosen)
    return response
