"""The way from a platform to a sign-in: the login, the launch, and the step that ends it.

A launch is a POST from the platform's site, which comes without cookies (SameSite=Lax). So it only
stores the launch and shows a page that sends the launch's word in a request of our own site. That
request has the cookie that the browser got when the login began. Without this binding, somebody
could make a browser sign in to an account that is not its user's (login CSRF).
"""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import parse_qs, urlencode, urlsplit

import msgspec
from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone

from puzzleclass.address import absolute
from puzzleclass.http import read_key
from puzzleclass.lti.models import ID_LENGTH, Launch, Platform
from puzzleclass.lti.tokens import TRY_AGAIN, Claims, LaunchRefused, not_trusted, read_token
from solvers.message import Message

COOKIE = "lti_browser"
STATE_SECONDS = 600
"""Seconds that a login may take at the platform."""
LONGEST_HINT = 20_000

UNKNOWN_PLATFORM = Message(
    "This learning platform is not registered here. Ask an administrator of your school to "
    "register it with the issuer and client ID that it uses."
)
OTHER_BROWSER = Message(
    "This sign-in was begun in another browser, so nobody was signed in. Allow cookies for "
    "PuzzleClass, and open it in your learning platform again."
)


FRAME_FIELD = "frame"
"""The field of a login that holds the word of the frame in which it began."""


@dataclass(frozen=True, slots=True)
class Login:
    """A login that a platform has begun."""

    platform: Platform
    target: str
    """The address to which the launch shall lead."""
    login_hint: str
    message_hint: str
    frame: str
    """The digest of the frame's word; empty without a frame."""


@dataclass(frozen=True, slots=True)
class LoginState:
    """What comes back with the launch. It is signed, so the login stores nothing."""

    platform: int
    nonce: str
    target: str
    browser: str
    """The digest of the browser's cookie."""
    frame: str
    """The digest of the word of the frame in which the login began; empty without a frame."""


def read_login(request: HttpRequest) -> Login:
    """Return the login that the request begins. Raises LaunchRefused."""
    fields = request.POST if request.method == "POST" else request.GET
    platform = _find_platform(fields)
    target = fields.get("target_link_uri", "")
    if read_target(target, request) is None:
        raise not_trusted("foreign target")
    hint, message_hint = fields.get("login_hint", ""), fields.get("lti_message_hint", "")
    if not hint or len(hint) + len(message_hint) > LONGEST_HINT:
        raise not_trusted("claims")
    frame = fields.get(FRAME_FIELD, "")
    return Login(platform, target, hint, message_hint, digest(frame) if frame else "")


def _find_platform(fields: QueryDict) -> Platform:
    """Return the platform with this issuer and client ID. The platform may leave out the ID if
    there is only one."""
    found = Platform.objects.filter(
        issuer=fields.get("iss", "")[:ID_LENGTH], school__deleted_at=None
    )
    if client_id := fields.get("client_id"):
        found = found.filter(client_id=client_id[:ID_LENGTH])
    platforms = list(found[:2])
    if len(platforms) != 1:
        raise LaunchRefused("unknown platform", UNKNOWN_PLATFORM)
    return platforms[0]


def authentication_url(request: HttpRequest, login: Login, browser: str) -> str:
    """Return the address at the platform that continues the login."""
    nonce = secrets.token_urlsafe(32)
    state = [login.platform.pk, nonce, login.target, digest(browser), login.frame]
    fields = {
        "scope": "openid",
        "response_type": "id_token",
        "response_mode": "form_post",
        "prompt": "none",
        "client_id": login.platform.client_id,
        "redirect_uri": absolute(reverse("lti_launch"), request),
        "login_hint": login.login_hint,
        "state": signing.dumps(state, salt=COOKIE, compress=True),
        "nonce": nonce,
    }
    if login.message_hint:
        fields["lti_message_hint"] = login.message_hint
    sign = "&" if urlsplit(login.platform.auth_url).query else "?"
    return f"{login.platform.auth_url}{sign}{urlencode(fields)}"


def browser_word(request: HttpRequest) -> str:
    """Return the browser's cookie, or a new value for it. Logins in several tabs share it."""
    word = request.COOKIES.get(COOKIE, "")
    return word if re.fullmatch(r"[\w-]{43}", word, re.ASCII) else secrets.token_urlsafe(32)


def bind_browser(response: HttpResponse, word: str) -> None:
    """Set the cookie that the end of the sign-in asks for."""
    response.set_cookie(
        COOKIE,
        word,
        max_age=STATE_SECONDS + Launch.OPEN_SECONDS,
        path="/lti/",
        httponly=True,
        secure=settings.HTTPS,
        samesite="Lax",
    )


def receive(request: HttpRequest) -> tuple[Launch, str]:
    """Store the launch that the platform has sent; return it and its word. Raises LaunchRefused."""
    state = _read_state(request.POST.get("state", ""))
    platform = Platform.objects.filter(pk=state.platform, school__deleted_at=None).first()
    if platform is None:
        raise LaunchRefused("unknown platform", UNKNOWN_PLATFORM)
    if "error" in request.POST:
        raise LaunchRefused("platform error", TRY_AGAIN)
    claims = read_token(platform, request.POST.get("id_token", ""), state.nonce, state.target)
    word = secrets.token_urlsafe(32)
    try:
        with transaction.atomic():
            launch = Launch.objects.create(
                platform=platform,
                nonce=digest(state.nonce),
                word_digest=digest(word),
                browser_digest=state.browser,
                frame_digest=state.frame,
                claims=msgspec.to_builtins(claims) | {"target": state.target},
            )
    except IntegrityError:
        raise LaunchRefused("replayed", TRY_AGAIN) from None
    return launch, word


def redeem(request: HttpRequest) -> Launch:
    """Return the launch whose word the request brings, and redeem it. Raises LaunchRefused.

    The browser must be the one in which the login began.
    """
    launch = (
        Launch.objects.select_related("platform")
        .filter(word_digest=digest(request.POST.get("word", "")))
        .first()
    )
    now = timezone.now()
    since = now - timedelta(seconds=Launch.OPEN_SECONDS)
    if launch is None or launch.made_at < since:
        raise LaunchRefused("old launch", TRY_AGAIN)
    if launch.browser_digest != digest(request.COOKIES.get(COOKIE, "")):
        raise LaunchRefused("other browser", OTHER_BROWSER)
    if not Launch.objects.filter(pk=launch.pk, opened_at=None).update(opened_at=now):
        raise LaunchRefused("replayed", TRY_AGAIN)
    return launch


def claims_of(launch: Launch) -> Claims:
    """Return the claims of the token with which the platform started the launch."""
    return msgspec.convert(launch.claims, Claims)


def digest(word: str) -> str:
    """Return the fingerprint of a secret word."""
    return hashlib.sha256(word.encode(errors="replace")).hexdigest()


def _read_state(text: str) -> LoginState:
    try:
        return LoginState(*signing.loads(text, salt=COOKIE, max_age=STATE_SECONDS))
    except (signing.BadSignature, TypeError):
        raise LaunchRefused("foreign state", TRY_AGAIN) from None


# What a link leads to


def target_of(assignment: int | None, request: HttpRequest | None = None) -> str:
    """Return the address of a link to an assignment, or to the class without one."""
    address = absolute(reverse("lti_launch"), request)
    return f"{address}?{urlencode({'assignment': assignment})}" if assignment else address


def read_target(url: str, request: HttpRequest) -> int | None:
    """Return the key of the assignment to which a link leads, 0 if it leads to the class, and None
    if it is no link of this site."""
    if url == target_of(None, request):
        return 0
    try:
        values = parse_qs(urlsplit(url).query, strict_parsing=True).get("assignment", [""])
    except ValueError:
        return None
    key = read_key(values[0])
    return key if key and url == target_of(key, request) else None
