"""Dynamic registration (LTI Dynamic Registration 1.0): a platform and the site register each other.

An administrator of a school or a board copies a link into the platform. The link is signed for the
school or the board and valid for an hour. The platform opens it, usually in a frame, and adds the
address of its own configuration. The registration is made when the administrator presses the button
there.
"""

from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec
from django.core import signing
from django.http import HttpRequest
from django.urls import reverse

from puzzleclass.address import absolute
from puzzleclass.classes.school_models import Board, Owner, School, owned_by
from puzzleclass.lti.grades import SCOPE
from puzzleclass.lti.keys import renew_keys
from puzzleclass.lti.members import SCOPE as MEMBERS_SCOPE
from puzzleclass.lti.models import ID_LENGTH, Platform
from puzzleclass.outbound.sessions import OutboundError, fault_of_address, new_session
from solvers.message import Message

SALT = "puzzleclass.lti.registration"
LINK_SECONDS = 3600
TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
PLATFORM_CONFIGURATION = "https://purl.imsglobal.org/spec/lti-platform-configuration"


class NotRegistered(Exception):
    """The registration has failed. `message` says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


OLD_LINK = Message(
    "This link is not valid any more. Copy a new one from the page of your school's learning "
    "platforms."
)
UNREADABLE = Message(
    "The platform's configuration could not be read, or it lacks something that the standard "
    "demands. Register the platform by hand."
)
REFUSED = Message("The platform has refused the registration. Register the platform by hand.")
TOO_MANY = Message(
    "There are too many learning platforms, or this one is registered already. Remove one first."
)


class Configuration(msgspec.Struct):
    """The configuration of a platform."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    registration_endpoint: str
    product: dict[str, Any] = msgspec.field(name=PLATFORM_CONFIGURATION, default={})


def registration_link(request: HttpRequest, owner: Owner) -> str:
    """Return the link by which a platform registers itself for the school or the board."""
    word = signing.dumps([owner.FIELD, owner.pk], salt=SALT)
    return f"{absolute(reverse('lti_register'), request)}?{urlencode({'school': word})}"


def owner_of(word: str) -> Owner:
    """Return the school or the board for which the link was made. Raises NotRegistered."""
    try:
        field, key = signing.loads(word, salt=SALT, max_age=LINK_SECONDS)
    except (signing.BadSignature, TypeError, ValueError):
        raise NotRegistered(OLD_LINK) from None
    model: type[Owner] = Board if field == Board.FIELD else School
    owner = model._default_manager.filter(pk=key).first()
    if owner is None:
        raise NotRegistered(OLD_LINK)
    return owner


def register(request: HttpRequest, owner: Owner, configuration: str, token: str) -> Platform:
    """Register the site at the platform, and the platform here. Raises NotRegistered."""
    if owner.platforms.count() >= Platform.MAX_COUNT:
        raise NotRegistered(TOO_MANY)
    if fault_of_address(configuration) or not token.isascii() or not token.isprintable():
        raise NotRegistered(UNREADABLE)
    with new_session() as session:
        try:
            answer = session.get(configuration)
            answer.raise_for_status()
            answered = msgspec.json.decode(answer.content, type=Configuration)
        except (OutboundError, msgspec.MsgspecError, ValueError):
            raise NotRegistered(UNREADABLE) from None
        _check(answered, configuration)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            answer = session.post(
                answered.registration_endpoint, json=_tool(request), headers=headers
            )
            answer.raise_for_status()
            given = answer.json()
            client_id, extra = str(given["client_id"]), given.get(TOOL) or {}
        except (OutboundError, ValueError, KeyError, TypeError, AttributeError):
            raise NotRegistered(REFUSED) from None
    if not client_id or len(client_id) > ID_LENGTH:
        raise NotRegistered(REFUSED)
    product = str(answered.product.get("product_family_code", ""))[:40]
    platform, is_new = Platform.objects.get_or_create(
        issuer=answered.issuer,
        client_id=client_id,
        defaults={
            **owned_by(owner),
            "name": product.capitalize() or str(urlsplit(answered.issuer).hostname)[:60],
            "auth_url": answered.authorization_endpoint,
            "token_url": answered.token_endpoint,
            "key_set_url": answered.jwks_uri,
        },
    )
    if not is_new:
        raise NotRegistered(TOO_MANY)
    deployment = str(extra.get("deployment_id", "")) if isinstance(extra, dict) else ""
    if 0 < len(deployment) <= ID_LENGTH:
        platform.deployments.create(deployment_id=deployment)
    renew_keys()
    return platform


def _check(found: Configuration, configuration: str) -> None:
    """Refuse a configuration whose addresses are none, or which speaks for another host."""
    addresses = (
        *(found.authorization_endpoint, found.token_endpoint),
        *(found.jwks_uri, found.registration_endpoint),
    )
    is_local = urlsplit(found.issuer).hostname == urlsplit(configuration).hostname
    if not is_local or len(found.issuer) > ID_LENGTH or any(map(fault_of_address, addresses)):
        raise NotRegistered(UNREADABLE)


def _tool(request: HttpRequest) -> dict[str, Any]:
    """Return the description of this site for the platform."""
    launch = absolute(reverse("lti_launch"), request)
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": absolute(reverse("lti_login"), request),
        "redirect_uris": [launch],
        "client_name": "PuzzleClass",
        "jwks_uri": absolute(reverse("lti_jwks"), request),
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": f"{SCOPE} {MEMBERS_SCOPE}",
        TOOL: {
            "domain": urlsplit(launch).netloc,
            "target_link_uri": launch,
            "claims": ["iss", "sub", "name", "given_name", "family_name"],
            "messages": [{"type": "LtiDeepLinkingRequest", "target_link_uri": launch}],
        },
    }
