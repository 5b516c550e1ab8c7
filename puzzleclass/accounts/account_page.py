"""The pages of a teacher's account and of the connections to other programs. Whatever is changed
there has an address of its own, which shows the page with a panel."""

from django.http import HttpRequest, HttpResponse

from puzzleclass.accounts import two_factor
from puzzleclass.accounts.forms import ProfileForm
from puzzleclass.accounts.sign_in import SignedInRequest
from puzzleclass.http import form_page


def account_page(request: SignedInRequest, panel: str = "", **context: object) -> HttpResponse:
    """Return the page with the template `panel` open. `context` is what the panel needs, or the
    form of the profile that was sent. A form that was refused is answered with 422."""
    teacher = request.user
    own: dict[str, object] = {
        "profile": ProfileForm(instance=teacher),
        "panel": panel,
        "has_codes": two_factor.is_on(teacher),
        "recovery_codes": two_factor.recovery_codes_of(teacher),
        "passkey_count": teacher.passkeys.count(),
    }
    return form_page(request, "accounts/account.html", own | context)


def connections_page(request: HttpRequest, panel: str = "", **context: object) -> HttpResponse:
    """Return the page of exports and connections with the template `panel` open."""
    return form_page(request, "accounts/connections.html", {"panel": panel, **context})
