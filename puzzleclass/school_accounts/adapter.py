"""What allauth asks the site: which providers there are, and what follows from a sign-in.

allauth itself signs nobody in here. Its own sign-in and sign-up are never reached.
"""

import logging
from typing import Any, NoReturn

import requests
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base.constants import AuthError
from django.http import HttpRequest

from puzzleclass.http import read_key
from puzzleclass.outbound.sealed import unseal
from puzzleclass.outbound.sessions import new_session
from puzzleclass.school_accounts.arrival import TEST, arrive, say_failed
from puzzleclass.school_accounts.models import SignInProvider
from puzzleclass.school_accounts.openid import SchoolProvider, Unproven, check_nonce
from solvers.message import Message

logger = logging.getLogger(__name__)


class SchoolAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Takes the providers from `SignInProvider`, and ends each sign-in by rules of our own."""

    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        row = SignInProvider.objects.filter(pk=read_key(provider or "")).first()
        return [app_of(row)] if row else []

    def get_requests_session(self) -> requests.Session:
        return new_session()

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return False

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> NoReturn:
        """Raise ImmediateHttpResponse with the answer to the sign-in, or Unproven."""
        check_nonce(sociallogin)
        user = sociallogin.user if sociallogin.is_existing else None
        app_id = sociallogin.account.provider
        raise ImmediateHttpResponse(
            arrive(request, int(app_id), user, sociallogin.claims, sociallogin.state)
        )

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: SchoolProvider,
        error: str | None = None,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> NoReturn:
        state = (extra_context or {}).get("state") or {}
        message = None
        if isinstance(exception, Unproven) and state.get("process") == TEST:
            message = exception.message
        elif exception:
            logger.warning("A sign-in at provider %s failed: %s", provider.app, exception)
        if message is None and error == AuthError.CANCELLED:
            message = Message("You have cancelled the sign-in.")
        if message is None and exception is None and not state:
            message = Message("The sign-in took too long, or it began in another browser.")
        if message is None:
            message = Message("The provider has refused the sign-in, or it did not answer.")
        raise ImmediateHttpResponse(
            say_failed(request, int(provider.app.provider_id), message, state)
        )


def app_of(row: SignInProvider) -> SocialApp:
    """Return the provider in the form that allauth works with. It is not stored."""
    settings: dict[str, Any] = {
        "server_url": row.issuer,
        # Google and Microsoft send everything in the ID token.
        "fetch_userinfo": row.kind == SignInProvider.Kind.OPENID,
    }
    if row.kind != SignInProvider.Kind.OPENID:
        # On a shared computer, somebody else may still be signed in at the provider.
        settings["auth_params"] = {"prompt": "select_account"}
    if row.kind == SignInProvider.Kind.GOOGLE:
        settings["auth_params"]["hd"] = row.tenant
    return SocialApp(
        provider=SchoolProvider.id,
        provider_id=row.app_id,
        name=row.account_name[:40],
        client_id=row.client_id,
        secret=unseal(row.sealed_secret),
        settings=settings,
    )
