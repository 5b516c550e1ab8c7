"""A learning platform for tests, written from the specifications of LTI 1.3 Advantage.

It shares no code with the site: joserfc makes and checks its tokens, where the site uses PyJWT.
"""

import hmac
import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from tests.served import answering

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
DL = "https://purl.imsglobal.org/spec/lti-dl/claim/"
MEMBER = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
TEACHER, STUDENT = f"{MEMBER}Instructor", f"{MEMBER}Learner"
CLIENT_ID = "client-1"
DEPLOYMENT = "deployment-1"
COURSE = {"id": "course-7", "title": "4年1組 算数", "label": "4-1"}


@cache
def made_key(name: str) -> RSAKey:
    """Return a key of this name, which is made once: that takes as long as a launch."""
    return RSAKey.generate_key(2048, {"kid": name, "use": "sig", "alg": "RS256"})


class LearningPlatform:
    """A platform with one course. `people` are its members, `asked` the requests that it got."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.key = made_key("key-1")
        self.published = [self.key]
        self.people: dict[str, dict[str, object]] = {
            "t-1": {"name": "佐藤 恵子", "roles": [TEACHER]},
            "s-1": {"name": "安部 陽斗", "roles": [STUDENT]},
        }
        self.asked: list[str] = []
        self.message: dict[str, object] = {}
        """Claims that the next launches add or replace."""
        self.target = ""
        self.frame_url = ""
        self.chosen = ""
        """The answer to a deep linking request."""
        self.site_keys: list[dict[str, object]] = []
        """The site's key set."""
        self.scores: list[dict[str, object]] = []
        self.is_down = False
        self.tool: dict[str, object] = {}
        """The description of the site that a registration has brought."""
        self.given: str | None = None
        """The permission with which the registration came."""
        self.configuration: dict[str, object] = {
            "issuer": address,
            "authorization_endpoint": f"{address}/auth",
            "token_endpoint": f"{address}/token",
            "jwks_uri": f"{address}/keys",
            "registration_endpoint": f"{address}/register",
            "https://purl.imsglobal.org/spec/lti-platform-configuration": {
                "product_family_code": "moodle"
            },
        }
        self.refuses = 0
        """The status with which scores are refused; 0 if they are taken."""

    @property
    def registration(self) -> dict[str, str]:
        """The fields with which the site registers this platform."""
        return {
            "issuer": self.address,
            "client_id": CLIENT_ID,
            "auth_url": f"{self.address}/auth",
            "token_url": f"{self.address}/token",
            "key_set_url": f"{self.address}/keys",
        }

    def claims(self, sub: str, nonce: str, target: str, **changed: object) -> dict[str, object]:
        """Return the claims of a launch; a changed claim that is None is left out."""
        now = int(time.time())
        claims = {
            "iss": self.address,
            "aud": CLIENT_ID,
            "sub": sub,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            "name": self.people[sub]["name"],
            f"{CLAIM}version": "1.3.0",
            f"{CLAIM}message_type": "LtiResourceLinkRequest",
            f"{CLAIM}deployment_id": DEPLOYMENT,
            f"{CLAIM}target_link_uri": target,
            f"{CLAIM}roles": self.people[sub]["roles"],
            f"{CLAIM}context": COURSE,
            f"{CLAIM}resource_link": {"id": "link-1", "title": "PuzzleClass"},
        }
        found = claims | self.message | changed
        return {name: value for name, value in found.items() if value is not None}

    def token(self, claims: dict[str, object], **header: object) -> str:
        """Return the claims, signed with the platform's key unless the header says otherwise."""
        fields = {"alg": "RS256", "kid": self.key.kid, "typ": "JWT"} | header
        return jwt.encode(fields, claims, self.key, algorithms=[str(fields["alg"])])

    def secret_token(self, claims: dict[str, object]) -> str:
        """Return the claims, signed with the text of the public key as a shared secret."""
        parts = ({"alg": "HS256", "kid": self.key.kid}, claims)
        signed = b".".join(urlsafe_b64encode(json.dumps(part).encode()) for part in parts)
        signed = signed.replace(b"=", b"")
        mac = hmac.digest(self.key.as_pem(private=False), signed, "sha256")
        return (signed + b"." + urlsafe_b64encode(mac).replace(b"=", b"")).decode()

    def login_fields(self, sub: str, target: str) -> dict[str, str]:
        """Return the fields of a login that the platform begins."""
        return {
            "iss": self.address,
            "login_hint": sub,
            "target_link_uri": target,
            "client_id": CLIENT_ID,
            "lti_message_hint": "hint",
        }

    # The platform's own pages

    def answer(self, handler: BaseHTTPRequestHandler, body: str) -> tuple[int, str, str]:
        """Return status, type and content of the answer to a request."""
        parts = urlsplit(handler.path)
        fields = {name: values[0] for name, values in parse_qs(parts.query).items()}
        self.asked.append(f"{handler.command} {parts.path}")
        match parts.path:
            case "/keys":
                keys = KeySet(self.published).as_dict(private=False)
                return 200, "application/json", json.dumps(keys)
            case "/auth":
                return 200, "text/html", self._authenticated(fields)
            case "/.well-known/openid-configuration":
                return 200, "application/json", json.dumps(self.configuration)
            case "/register":
                self.tool = json.loads(body)
                self.given = handler.headers["Authorization"]
                name = "https://purl.imsglobal.org/spec/lti-tool-configuration"
                answer = self.tool | {"client_id": CLIENT_ID, name: {"deployment_id": DEPLOYMENT}}
                return 201, "application/json", json.dumps(answer)
            case "/token":
                return self._token(body)
            case "/members":
                return self._members(handler, int(fields.get("page", "1")))
            case "/column/7/scores" if handler.command == "POST":
                return self._score(handler, body)
            case "/chosen":
                self.chosen = parse_qs(body)["JWT"][0]
                return 200, "text/html", "<h1>Chosen</h1>"
            case "/course":
                frame = f'<iframe src="{self.frame_url}" width="800" height="500"></iframe>'
                return 200, "text/html", f"<h1>Course</h1>{frame}"
        return 404, "text/plain", "nothing here"

    def _token(self, body: str) -> tuple[int, str, str]:
        if self.is_down:
            return 503, "text/plain", "down"
        fields = {name: values[0] for name, values in parse_qs(body).items()}
        assert fields["grant_type"] == "client_credentials"
        claims = self.read(fields["client_assertion"])
        assert claims["iss"] == claims["sub"] == CLIENT_ID
        assert claims["aud"] == f"{self.address}/token" and claims["jti"]
        answer = {"access_token": "opens", "token_type": "Bearer", "expires_in": 3600}
        return 200, "application/json", json.dumps(answer | {"scope": fields["scope"]})

    def _members(self, handler: BaseHTTPRequestHandler, page: int) -> tuple[int, str, str]:
        """Return a page of two members. The head of the answer names the next page."""
        assert handler.headers["Authorization"] == "Bearer opens"
        rows = [{"user_id": sub, "status": "Active", **one} for sub, one in self.people.items()]
        if page * 2 < len(rows):
            handler.next_page = f"{self.address}/members?page={page + 1}"
        answer = {"id": self.address, "members": rows[page * 2 - 2 : page * 2]}
        return 200, "application/json", json.dumps(answer)

    @property
    def names(self) -> dict[str, object]:
        """The claim that offers the list of the course's members."""
        service = {"context_memberships_url": f"{self.address}/members?page=1"}
        return {"https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": service}

    def _score(self, handler: BaseHTTPRequestHandler, body: str) -> tuple[int, str, str]:
        if self.refuses:
            return self.refuses, "text/plain", "refused"
        assert handler.headers["Authorization"] == "Bearer opens"
        assert handler.headers["Content-Type"] == "application/vnd.ims.lis.v1.score+json"
        self.scores.append(json.loads(body))
        return 200, "application/json", "{}"

    def read(self, token: str) -> dict[str, object]:
        """Return the claims of a token that the site has signed."""
        keys = KeySet.import_key_set({"keys": self.site_keys})
        decoded = jwt.decode(token, keys, algorithms=["RS256"])
        jwt.JWTClaimsRegistry(exp={"essential": True}, iat={"essential": True}).validate(
            decoded.claims
        )
        return decoded.claims

    @property
    def deep_linking(self) -> dict[str, object]:
        """The claims by which a launch asks a teacher to choose a link."""
        return {
            f"{CLAIM}message_type": "LtiDeepLinkingRequest",
            f"{CLAIM}resource_link": None,
            f"{DL}deep_linking_settings": {
                "deep_link_return_url": f"{self.address}/chosen",
                "accept_types": ["link", "ltiResourceLink"],
                "accept_presentation_document_targets": ["iframe", "window"],
                "data": "the platform's own words",
            },
        }

    @property
    def column(self) -> dict[str, object]:
        """The claim that names the link's column in the grade book."""
        scopes = [f"https://purl.imsglobal.org/spec/lti-ags/scope/{end}" for end in ("score",)]
        address = f"{self.address}/column/7?type=lti"
        endpoint = {"scope": scopes, "lineitem": address, "lineitems": f"{self.address}/columns"}
        return {"https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": endpoint}

    def _authenticated(self, fields: dict[str, str]) -> str:
        assert fields["response_mode"] == "form_post" and fields["prompt"] == "none"
        claims = self.claims(fields["login_hint"], fields["nonce"], self.target)
        return (
            f'<form method="post" action="{fields["redirect_uri"]}">'
            f'<input type="hidden" name="id_token" value="{self.token(claims)}">'
            f'<input type="hidden" name="state" value="{fields["state"]}">'
            "</form><script>document.forms[0].submit()</script>"
        )

    def login_url(self, site: str, sub: str) -> str:
        """Return the address with which the platform begins a login at the site."""
        self.target = self.target or f"{site}/lti/launch/"
        return f"{site}/lti/login/?{urlencode(self.login_fields(sub, self.target))}"


@contextmanager
def learning_platform(host: str = "127.0.0.1") -> Iterator[LearningPlatform]:
    """Start a platform and stop it afterwards."""

    class Handler(BaseHTTPRequestHandler):
        next_page = ""

        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            status, kind, content = platform.answer(self, self.rfile.read(length).decode())
            raw = content.encode()
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(raw)))
            if self.next_page:
                self.send_header("Link", f'<{self.next_page}>; rel="next"')
                self.next_page = ""
            self.end_headers()
            self.wfile.write(raw)

        do_POST = do_PUT = do_GET

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    platform = LearningPlatform(f"http://{host}:{server.server_port}")
    with answering(server):
        yield platform
