"""OpenID Connect with allauth, and the checks of OpenID Connect Core that allauth leaves out.

allauth keeps the state, proves by PKCE that the browser is the same, and exchanges the code. It
accepts ID tokens without a signature and without a nonce. Here, an ID token counts only with a
signature by a key of the provider, with the right issuer, audience, times and nonce. What the
userinfo endpoint says counts only about the same person.
"""

import hashlib
import secrets
from collections.abc import Callable
from typing import Any

import jwt
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.core.cache import cache
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from puzzleclass.address import absolute
from puzzleclass.outbound.sessions import fault_of_address, new_session
from puzzleclass.outbound.token_times import has_faulty_times
from solvers.message import Message

ALGORITHMS = {
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
}
"""Signatures that need the provider's private key. An HMAC needs only what we know, too."""
LEEWAY_SECONDS = 60
KEPT_SECONDS = 600
"""Seconds for which a provider's configuration and keys are kept."""
KEYS_AGAIN_SECONDS = 30
"""Seconds after which keys are asked for again because a token names an unknown one."""
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
SUB_LENGTH = 191
"""The longest `sub` that allauth's table holds. OpenID Connect allows 255."""


class Unproven(OAuth2Error):  # type: ignore[misc]
    """Raised if the provider's answer proves nothing. The message says why, for administrators."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


class SchoolAdapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """Speaks with the provider of a school."""

    @property
    def openid_config(self) -> dict[str, Any]:
        """The provider's configuration. Raises Unproven or RequestException."""
        provider = self.get_provider()
        return _kept(_cache_key(provider.issuer), lambda: _configuration(provider))

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return callback_address(request, app.provider_id)

    def get_access_token_data(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        try:
            answer: dict[str, Any] = super().get_access_token_data(*args, **kwargs)
        except (KeyError, TypeError, ValueError) as error:
            raise Unproven(Message("The provider's answer is not a JSON object.")) from error
        return answer

    def parse_token(self, data: dict[str, Any]) -> SocialToken:
        return SocialToken(token=str(data["access_token"]))

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any
    ) -> SocialLogin:
        """Return the sign-in with its `claims`, of which only the nonce is left to check.

        Raises Unproven or RequestException.
        """
        provider = self.get_provider()
        if request.GET.get("iss", provider.issuer) != provider.issuer:
            raise Unproven(Message("The answer comes from another provider (iss)."))
        id_token = kwargs["response"].get("id_token")
        if not isinstance(id_token, str):
            raise Unproven(Message("The provider has sent no ID token."))
        claims = self._check(id_token, provider)
        if provider.asks_userinfo and "userinfo_endpoint" in self.openid_config:
            # The signed claims outweigh those of the userinfo endpoint.
            claims = self._ask_userinfo(token.token, claims) | claims
        login = provider.sociallogin_from_response(request, claims)
        login.claims = claims
        return login

    def _check(self, id_token: str, provider: "SchoolProvider") -> dict[str, Any]:
        """Return the claims of the ID token (OpenID Connect Core 3.1.3.7). Raises Unproven."""
        client: str = provider.app.client_id
        try:
            key = self._key_of(jwt.get_unverified_header(id_token))
            claims: dict[str, Any] = jwt.decode(
                id_token,
                key=key.key,
                algorithms=[key.algorithm_name],
                issuer=provider.issuer,
                audience=client,
                leeway=LEEWAY_SECONDS,
                options={"require": ["iss", "sub", "aud", "exp", "iat"]},
            )
        except jwt.PyJWTError as error:
            reason = Message("The ID token is not valid: {reason}", {"reason": str(error)[:200]})
            raise Unproven(reason) from error
        if has_faulty_times(claims):
            raise Unproven(
                Message("A time in the ID token is no number, or the token is valid for too long.")
            )
        has_several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if claims.get("azp", "" if has_several else client) != client:
            raise Unproven(Message("The ID token was made for another application (azp)."))
        if not 0 < len(claims["sub"]) <= SUB_LENGTH:
            raise Unproven(Message("The ID token names nobody (sub)."))
        return claims

    def _key_of(self, header: dict[str, Any]) -> jwt.PyJWK:
        """Return the provider's key that the token names. Raises Unproven or PyJWTError."""
        address = self.openid_config["jwks_uri"]
        name = _cache_key(address)
        known = _kept(name, lambda: _get_object(address))
        key = _find_key(known, header)
        if key is None and cache.add(f"{name}-again", True, KEYS_AGAIN_SECONDS):
            # The provider may have changed its keys.
            cache.delete(name)
            key = _find_key(_kept(name, lambda: _get_object(address)), header)
        if key is None:
            raise Unproven(Message("The ID token is not signed by a key of the provider."))
        return key

    def _ask_userinfo(self, token: str, claims: dict[str, Any]) -> dict[str, Any]:
        address = self.openid_config["userinfo_endpoint"]
        found = _get_object(address, Authorization=f"Bearer {token}")
        if found.get("sub") != claims["sub"]:
            raise Unproven(Message("The userinfo endpoint speaks of somebody else (sub)."))
        return found


class SchoolProvider(OpenIDConnectProvider):  # type: ignore[misc]
    """A school's provider, as allauth sees it. Nothing that it sends is stored but the `sub`."""

    id = "school"
    name = "School"
    pkce_enabled_default = True
    oauth2_adapter_class = SchoolAdapter

    @property
    def issuer(self) -> str:
        issuer: str = self.app.settings["server_url"]
        return issuer

    @property
    def asks_userinfo(self) -> bool:
        return bool(self.app.settings["fetch_userinfo"])

    def begin(self, request: HttpRequest, process: str, **kept: Any) -> str:
        """Keep what the end of the sign-in needs; return the provider's address that begins it.

        Raises OAuth2Error or RequestException.
        """
        nonce = secrets.token_urlsafe(24)
        params = self.get_auth_params() | {"nonce": nonce}
        response = self.redirect(request, process, auth_params=params, nonce=nonce, **kept)
        return str(response["Location"])

    def get_default_scope(self) -> list[str]:
        """Ask for no e-mail address, because none is used."""
        return ["openid", "profile"]

    def extract_uid(self, data: dict[str, Any]) -> str:
        return str(data["sub"])

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        return {}

    def extract_common_fields(self, data: dict[str, Any]) -> dict[str, Any]:
        return {}

    def extract_email_addresses(self, data: dict[str, Any]) -> list[Any]:
        return []


def check_nonce(login: SocialLogin) -> None:
    """Compare the nonce of the ID token with the one that was kept when the sign-in began.

    allauth adds what was kept to the sign-in when `SchoolAdapter.complete_login` has returned.
    Raises Unproven.
    """
    nonce = login.state.get("nonce") or ""
    if not nonce or not constant_time_compare(str(login.claims.get("nonce", "")), nonce):
        raise Unproven(Message("The ID token was made for another sign-in (nonce)."))


def callback_address(request: HttpRequest, app_id: str) -> str:
    """Return the address to which the provider sends people back."""
    return absolute(reverse("school_account_callback", args=[app_id]), request)


def _configuration(provider: SchoolProvider) -> dict[str, Any]:
    configuration = _get_object(f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration")
    if configuration.get("issuer") != provider.issuer:
        raise Unproven(
            Message(
                "The provider calls itself “{found}”, not “{issuer}”. Correct the issuer.",
                {"found": str(configuration.get("issuer"))[:200], "issuer": provider.issuer},
            )
        )
    for name in ENDPOINTS:
        if not isinstance(configuration.get(name), str) or fault_of_address(configuration[name]):
            raise Unproven(Message("The provider's configuration lacks “{name}”.", {"name": name}))
    return configuration


def _get_object(address: str, **headers: str) -> dict[str, Any]:
    """Return the JSON object at the address. Raises Unproven or RequestException."""
    with new_session() as session:
        response = session.get(address, headers=headers)
        response.raise_for_status()
        body = response.json()
    if not isinstance(body, dict):
        raise Unproven(Message("The provider's answer is not a JSON object."))
    return body


def _kept(name: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    stored: dict[str, Any] | None = cache.get(name)
    if stored is None:
        stored = ask()
        cache.set(name, stored, KEPT_SECONDS)
    return stored


def _cache_key(address: str) -> str:
    return f"openid-{hashlib.sha256(address.encode()).hexdigest()}"


def _find_key(known: dict[str, Any], header: dict[str, Any]) -> jwt.PyJWK | None:
    """Return the key that the header names; without a name, the only one."""
    try:
        keys = jwt.PyJWKSet.from_dict(known).keys
    except (jwt.PyJWTError, AttributeError, TypeError, ValueError):
        return None
    named = header.get("kid")
    fitting = [
        key
        for key in keys
        if key.public_key_use in (None, "sig")
        and key.algorithm_name in ALGORITHMS
        and named in (None, key.key_id)
    ]
    return fitting[0] if len(fitting) == 1 else None
