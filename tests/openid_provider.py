"""A small OpenID provider, written from OpenID Connect Core 1.0, Discovery 1.0 and RFC 7636.

It shares no code with the site: joserfc signs its tokens, and the site checks them with PyJWT. The
people sign in by a press on their name. Tests replace what it signs and says by something wrong.
"""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import OctKey

from tests.learning_platform import made_key
from tests.served import answering

CLIENT_ID, CLIENT_SECRET = "puzzles", "a client's secret: §"


class OpenIDProvider:
    """A provider with one client, and people who are known by their claims."""

    def __init__(self, people: dict[str, dict[str, Any]]) -> None:
        self.people = people
        """Name -> the claims about the person, with `sub`."""
        self.change_key("one")
        self.userinfo: dict[str, dict[str, Any]] = {}
        """Name -> claims that only the userinfo endpoint tells."""
        self.change_claims: Callable[[dict[str, Any]], None] = lambda claims: None
        self.sign: Callable[[dict[str, Any]], str | None] = self.sign_well
        self.configuration: dict[str, Any] = {}
        """Entries of the configuration that differ."""
        self.codes: dict[str, tuple[str, dict[str, str]]] = {}
        self.asked: list[str] = []
        """The paths of all requests."""
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"

    def change_key(self, name: str) -> None:
        self.key = made_key(name)

    def sign_well(self, claims: dict[str, Any]) -> str:
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims, self.key)

    def sign_not(self, claims: dict[str, Any]) -> str:
        """Return a token of the algorithm `none`."""
        parts = ({"alg": "none", "kid": "one"}, claims)
        return ".".join(_base64(json.dumps(part).encode()) for part in parts) + "."

    def sign_by_secret(self, claims: dict[str, Any]) -> str:
        """Return a token signed by an HMAC with the client's secret."""
        key = OctKey.import_key(CLIENT_SECRET.encode() * 2)
        return jwt.encode({"alg": "HS256", "kid": "one"}, claims, key)

    def sign_by_another(self, claims: dict[str, Any]) -> str:
        other = made_key("another")
        return jwt.encode({"alg": "RS256", "kid": "one"}, claims, other)

    def consent(self, query: dict[str, str], name: str) -> str:
        """Return the address to which the browser goes back when the person has signed in."""
        assert (query["response_type"], query["client_id"]) == ("code", CLIENT_ID)
        assert "openid" in query["scope"].split()
        assert query["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self.codes[code] = (name, query)
        back = urlencode({"code": code, "state": query["state"]})
        return f"{query['redirect_uri']}?{back}"

    def token(self, form: dict[str, str]) -> dict[str, Any] | None:
        """Return the answer of the token endpoint; None if the request is refused."""
        name, query = self.codes.pop(form.get("code", ""), ("", {}))
        verifier = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        is_good = (
            bool(name)
            and form.get("grant_type") == "authorization_code"
            and form.get("redirect_uri") == query["redirect_uri"]
            and (form.get("client_id"), form.get("client_secret")) == (CLIENT_ID, CLIENT_SECRET)
            and query["code_challenge"] == _base64(verifier)
        )
        if not is_good:
            return None
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            **({"nonce": query["nonce"]} if "nonce" in query else {}),
            **self.people[name],
        }
        self.change_claims(claims)
        answer = {"access_token": f"access {name}", "token_type": "Bearer", "expires_in": 300}
        return answer | {"id_token": self.sign(claims)}

    def answer_of_configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            **self.configuration,
        }

    def told_by_userinfo(self, token: str) -> dict[str, Any] | None:
        name = token.removeprefix("Bearer access ")
        if name not in self.people:
            return None
        return {"sub": self.people[name]["sub"]} | self.userinfo.get(name, {})


@contextmanager
def running_provider(people: dict[str, dict[str, Any]]) -> Iterator[OpenIDProvider]:
    """Run a provider on a free port of this machine."""
    provider = OpenIDProvider(people)
    with answering(provider.server):
        yield provider


def _handler(provider: OpenIDProvider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = _flat(parts.query)
            provider.asked.append(parts.path)
            match parts.path:
                case "/.well-known/openid-configuration":
                    self.say_json(provider.answer_of_configuration())
                case "/keys":
                    self.say_json({"keys": [provider.key.as_dict(private=False)]})
                case "/userinfo":
                    self.say_json(provider.told_by_userinfo(self.headers.get("Authorization", "")))
                case "/authorize":
                    ways = {name: provider.consent(query, name) for name in provider.people}
                    links = "".join(
                        f'<p><a href="{escape(url)}">{escape(name)}</a></p>'
                        for name, url in ways.items()
                    )
                    page = f"<!doctype html><title>Provider</title><h1>Who are you?</h1>{links}"
                    self.say(200, page.encode(), "text/html; charset=utf-8")
                case _:
                    self.say(404, b"", "text/plain")

        def do_POST(self) -> None:
            provider.asked.append(self.path)
            length = int(self.headers.get("Content-Length", 0))
            self.say_json(provider.token(_flat(self.rfile.read(length).decode())))

        def say_json(self, answer: dict[str, Any] | None) -> None:
            content = json.dumps(answer or {"error": "invalid_request"}).encode()
            self.say(200 if answer else 400, content, "application/json")

        def say(self, status: int, content: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            pass

    return Handler


def _flat(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
