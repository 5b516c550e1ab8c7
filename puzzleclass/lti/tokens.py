"""Validate and parse the tokens that platforms send.

A token is accepted only if the platform has signed it with a key of its key set, for this site, a
deployment that the school has allowed and a login that has begun here, and if it has not expired.
PyJWT checks the signature. Everything else is checked here.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal

import jwt
import msgspec
from django.utils import timezone
from jwt import PyJWK

from puzzleclass.database.texts import cleaned
from puzzleclass.lti.models import ID_LENGTH, Deployment, Platform
from puzzleclass.outbound.sessions import OutboundError, new_session
from puzzleclass.outbound.token_times import has_faulty_times
from solvers.message import Message

ALGORITHMS = ("RS256", "RS384", "RS512", "ES256", "ES384", "ES512")
"""The algorithms that are accepted. All of them have a public and a private key."""
LEEWAY_SECONDS = 60
"""Seconds by which the platform's clock may be ahead of ours."""
LONGEST_TOKEN = 100_000
MAX_KEYS = 50
FEWEST_RSA_BITS = 2048
KEYS_LAST = timedelta(days=1)
KEYS_REST = timedelta(seconds=30)
"""The time after which the key set is read again when a token names an unknown key."""

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/"
PERSON_SOURCED_ID = "lis.person_sourcedid"
"""The claim with the identifier of the school's own system. Any other one that an administrator
names is a custom parameter."""
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/"

Reason = Literal[
    "unknown platform",
    "foreign target",
    "foreign state",
    "platform error",
    "signature",
    "unknown key",
    "no key set",
    "expired",
    "not yet valid",
    "times",
    "claims",
    "issuer",
    "audience",
    "authorized party",
    "nonce",
    "replayed",
    "deployment",
    "other browser",
    "old launch",
    "role",
    "account",
    "course",
    "class",
]
"""The reasons for which a launch is refused, as the security log names them."""


class LaunchRefused(Exception):
    """A launch is refused. The message says so to the user, the reason to the security log."""

    def __init__(self, reason: Reason, message: Message) -> None:
        super().__init__(reason)
        self.reason, self.message = reason, message


TRY_AGAIN = Message(
    "This sign-in has been used already or is too old. Go back to your learning platform and open "
    "PuzzleClass there again."
)
NOT_TRUSTED = Message(
    "The learning platform's message could not be verified, so nobody was signed in. Open "
    "PuzzleClass in the learning platform again. If this happens again, tell the people who "
    "look after the learning platform: {fault}"
)
FAULTS: dict[Reason, Message] = {
    "signature": Message("the signature is missing or wrong."),
    "unknown key": Message("the platform's public keyset does not contain the key of the token."),
    "no key set": Message("the platform's public keyset could not be read."),
    "not yet valid": Message("the token is from the future. A clock is wrong."),
    "times": Message("a time in the token is no number, or the token is valid for too long."),
    "claims": Message("something that the standard LTI 1.3 demands is missing or malformed."),
    "issuer": Message("the issuer is not the one that is registered."),
    "audience": Message("the token is meant for another client ID."),
    "authorized party": Message("the token is meant for another client ID."),
    "deployment": Message(
        "the deployment ID is not allowed. An administrator of the school can allow it on the page "
        "of the platform."
    ),
    "foreign target": Message("the target link is not an address of PuzzleClass."),
}


def not_trusted(reason: Reason) -> LaunchRefused:
    """Return the refusal of a token for one of the reasons in `FAULTS`."""
    return LaunchRefused(reason, Message(NOT_TRUSTED.text, {"fault": FAULTS[reason]}))


class PlatformCourse(msgspec.Struct, omit_defaults=True):
    """The course from which the user comes."""

    id: str
    title: str = ""
    label: str = ""


class ResourceLink(msgspec.Struct, omit_defaults=True):
    """The place in the course that leads here."""

    id: str
    title: str = ""


class DeepLinkingSettings(msgspec.Struct, omit_defaults=True):
    """What the platform accepts when a teacher chooses what a link shall lead to."""

    deep_link_return_url: str
    accept_types: list[str]
    accept_multiple: bool = True
    accept_lineitem: bool = True
    data: str = ""


class GradeEndpoint(msgspec.Struct, omit_defaults=True):
    """The addresses of the Assignment and Grade Services."""

    scope: list[str] = []
    lineitems: str = ""
    lineitem: str = ""


class NamesEndpoint(msgspec.Struct, omit_defaults=True):
    """The address of the Names and Role Provisioning Services."""

    context_memberships_url: str
    service_versions: list[str] = []


class SourcedIds(msgspec.Struct, omit_defaults=True):
    """The identifiers that the school's own system has given."""

    person_sourcedid: str | None = None
    course_section_sourcedid: str | None = None


class Claims(msgspec.Struct, omit_defaults=True):
    """What a launch says about the user, the course and the link."""

    sub: str
    version: str = msgspec.field(name=f"{CLAIM}version")
    message_type: str = msgspec.field(name=f"{CLAIM}message_type")
    deployment_id: str = msgspec.field(name=f"{CLAIM}deployment_id")
    roles: list[str] = msgspec.field(name=f"{CLAIM}roles")
    target: str = msgspec.field(name=f"{CLAIM}target_link_uri", default="")
    name: str = ""
    given_name: str = ""
    family_name: str = ""
    course: PlatformCourse | None = msgspec.field(name=f"{CLAIM}context", default=None)
    link: ResourceLink | None = msgspec.field(name=f"{CLAIM}resource_link", default=None)
    custom: Any = msgspec.field(name=f"{CLAIM}custom", default=None)
    sourced: SourcedIds | None = msgspec.field(name=f"{CLAIM}lis", default=None)
    deep_linking: DeepLinkingSettings | None = msgspec.field(
        name=f"{DEEP_LINKING}deep_linking_settings", default=None
    )
    grades: GradeEndpoint | None = msgspec.field(
        name="https://purl.imsglobal.org/spec/lti-ags/claim/endpoint", default=None
    )
    names: NamesEndpoint | None = msgspec.field(
        name="https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice", default=None
    )

    @property
    def is_deep_linking(self) -> bool:
        """Whether a teacher chooses what a link shall lead to."""
        return self.message_type == "LtiDeepLinkingRequest"

    @property
    def is_teacher(self) -> bool:
        return is_teacher(self.roles)

    @property
    def is_assistant(self) -> bool:
        """Whether the user is only a teaching assistant."""
        return any(role.startswith(f"{ROLE}membership/Instructor#Teach") for role in self.roles)

    @property
    def is_student(self) -> bool:
        return not self.is_teacher and is_learner(self.roles)

    def value_of(self, claim: str) -> object:
        """Return the value of the claim that the platform's administrator has named."""
        if claim == PERSON_SOURCED_ID:
            return self.sourced.person_sourcedid if self.sourced else None
        return self.custom.get(claim) if isinstance(self.custom, dict) else None

    @property
    def full_name(self) -> str:
        """The name; empty if the platform does not send any."""
        return self.name or f"{self.family_name} {self.given_name}".strip()


def is_teacher(roles: Sequence[str]) -> bool:
    """Return whether the roles in a course are those of a teacher.

    Roles in the institution count only for a user without any role in the course.
    """
    in_course = [role for role in roles if not role.startswith((f"{ROLE}inst", f"{ROLE}sys"))]
    if in_course:
        return any(
            role in ("Instructor", "Administrator")
            or role.endswith(("membership#Instructor", "membership#Administrator"))
            or role.startswith((f"{ROLE}membership/Instructor#", f"{ROLE}membership/Admin"))
            for role in in_course
        )
    ends = ("person#Instructor", "person#Faculty", "person#Administrator")
    return any(role.endswith(ends) for role in roles)


def is_learner(roles: Sequence[str]) -> bool:
    """Return whether the roles are those of a student."""
    ends = ("membership#Learner", "person#Learner", "person#Student")
    return any(
        role == "Learner" or role.endswith(ends) or role.startswith(f"{ROLE}membership/Learner#")
        for role in roles
    )


def read_token(platform: Platform, token: str, nonce: str, target: str) -> Claims:
    """Return what the token says. Raises LaunchRefused."""
    payload = _verified(platform, token)
    if payload.get("nonce") != nonce:
        raise LaunchRefused("nonce", TRY_AGAIN)
    try:
        claims = msgspec.convert(cleaned(payload), Claims)
    except msgspec.ValidationError:
        raise not_trusted("claims") from None
    is_complete = claims.version == "1.3.0" and 0 < len(claims.sub) <= ID_LENGTH
    if claims.is_deep_linking:
        is_complete = is_complete and claims.deep_linking is not None
    else:
        is_link = claims.message_type == "LtiResourceLinkRequest"
        has_link = bool(claims.link and 0 < len(claims.link.id) <= ID_LENGTH)
        is_complete = is_complete and is_link and has_link
    if claims.course and not 0 < len(claims.course.id) <= ID_LENGTH:
        is_complete = False
    if not is_complete:
        raise not_trusted("claims")
    if claims.target != target and not (claims.is_deep_linking and not claims.target):
        raise not_trusted("foreign target")
    _check_deployment(platform, claims.deployment_id)
    # Nothing else of the custom parameters is stored, and an identifier is a text.
    name = platform.roster_claim
    value = claims.value_of(name)
    claims.custom = {name: value} if value and isinstance(value, str) else None
    return claims


def _verified(platform: Platform, token: str) -> dict[str, Any]:
    """Return the content of a token that the platform has signed for this site."""
    if len(token) > LONGEST_TOKEN:
        raise not_trusted("claims")
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError:
        raise not_trusted("signature") from None
    algorithm, kid = header.get("alg"), header.get("kid")
    if algorithm not in ALGORITHMS:
        raise not_trusted("signature")
    key = _find_key(platform, kid, algorithm)
    try:
        payload: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=[algorithm],
            audience=platform.client_id,
            options={
                "require": ["exp", "iat", "iss", "aud", "sub", "nonce"],
                # PyJWT takes a text for a number, so the times are checked below.
                "verify_exp": False,
                "verify_iat": False,
                "verify_nbf": False,
            },
        )
    except jwt.InvalidAudienceError:
        raise not_trusted("audience") from None
    except jwt.MissingRequiredClaimError:
        raise not_trusted("claims") from None
    except (jwt.PyJWTError, TypeError, ValueError):
        raise not_trusted("signature") from None
    party, audience = payload.get("azp"), payload["aud"]
    _check_times(payload)
    if payload["iss"] != platform.issuer:
        raise not_trusted("issuer")
    has_several = isinstance(audience, list) and len(audience) > 1
    if party != platform.client_id and (has_several or party is not None):
        raise not_trusted("authorized party")
    return payload


def _check_times(payload: Mapping[str, Any]) -> None:
    """Refuse a token that is not valid now. `LEEWAY_SECONDS` is for a clock that is ahead."""
    if has_faulty_times(payload):
        raise not_trusted("times")
    now = timezone.now().timestamp()
    if max(payload["iat"], payload.get("nbf", payload["iat"])) > now + LEEWAY_SECONDS:
        raise not_trusted("not yet valid")
    if payload["exp"] <= now:
        raise LaunchRefused("expired", TRY_AGAIN)


def _check_deployment(platform: Platform, deployment_id: str) -> None:
    """Refuse a deployment that is not allowed, and remember it for the administrators."""
    if not 0 < len(deployment_id) <= ID_LENGTH:
        raise not_trusted("claims")
    known = platform.deployments.filter(deployment_id=deployment_id).first()
    if known is None and platform.deployments.count() < Deployment.MAX_COUNT:
        platform.deployments.create(deployment_id=deployment_id, is_allowed=False)
    if known is None or not known.is_allowed:
        raise not_trusted("deployment")


# The platform's keys


def _find_key(platform: Platform, kid: object, algorithm: str) -> Any:
    """Return the platform's public key for a token. Reads the key set again at most once.

    An unknown key makes it read only if that was not done within `KEYS_REST`, so that nobody makes
    this site send requests without end.
    """
    age = timezone.now() - platform.keys_read_at if platform.keys_read_at else KEYS_LAST
    key = _key_in(platform.key_set, kid, algorithm)
    if age >= KEYS_LAST or (key is None and age >= KEYS_REST):
        _read_key_set(platform)
        key = _key_in(platform.key_set, kid, algorithm)
    if key is None:
        raise not_trusted("unknown key")
    return key


def _key_in(key_set: Sequence[Mapping[str, Any]], kid: object, algorithm: str) -> Any:
    for each in key_set:
        fits = each.get("alg", algorithm) == algorithm and each.get("use", "sig") == "sig"
        if not fits or not isinstance(kid, str) or each.get("kid") != kid:
            continue
        if each.get("kty") != ("RSA" if algorithm.startswith("RS") else "EC"):
            continue
        try:
            key = PyJWK(dict(each), algorithm).key
        except jwt.PyJWTError:
            continue
        if not algorithm.startswith("RS") or key.key_size >= FEWEST_RSA_BITS:
            return key
    return None


def _read_key_set(platform: Platform) -> None:
    """Read the platform's key set and store it. Raises LaunchRefused if it can't be read."""
    try:
        with new_session() as session:
            answer = session.get(platform.key_set_url, headers={"Accept": "application/json"})
        answer.raise_for_status()
        key_set = answer.json()
    except (OutboundError, ValueError):
        key_set = None
    keys = key_set.get("keys") if isinstance(key_set, dict) else None
    if isinstance(keys, list):
        platform.key_set = [key for key in keys if isinstance(key, dict)][:MAX_KEYS]
    platform.keys_read_at = timezone.now()
    platform.save(update_fields=["key_set", "keys_read_at"])
    if not isinstance(keys, list):
        raise not_trusted("no key set")
