"""A small OneRoster service (REST, 1.2 or 1.1), written from the specification, for tests."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.served import answering

CLIENT_ID, SECRET, TOKEN = "puzzles", "hush", "a-token"

MASTER_ID = "7d444840-9dc0-41d1-b245-5ffdce74fad2"

ORGS = [{"sourcedId": "o1", "status": "active", "name": "みどり小学校", "type": "school"}]
CLASSES = [
    {
        "sourcedId": "c1",
        "status": "active",
        "title": "4年1組",
        "classType": "homeroom",
        "grades": ["P4"],
        "course": {"sourcedId": "k1", "type": "course"},
        "school": {"sourcedId": "o1", "type": "org"},
        "terms": [{"sourcedId": "t1", "type": "academicSession"}],
    }
]


def user(number: int, **more: Any) -> dict[str, Any]:
    """Return a student as OneRoster 1.2 describes one."""
    return {
        "sourcedId": f"u{number}",
        "status": "active",
        "enabledUser": "true",
        "username": f"student{number}",
        "givenName": f"{number}郎",
        "familyName": "安部",
        "userMasterIdentifier": f"{MASTER_ID[:-4]}{number:04}",
        "roles": [
            {"roleType": "primary", "role": "student", "org": {"sourcedId": "o1", "type": "org"}}
        ],
        "metadata": {"jp": {"kanaFamilyName": "アベ"}},
        **more,
    }


def user_of_1_1(number: int) -> dict[str, Any]:
    """Return the same student as OneRoster 1.1 describes one: one role, several organisations."""
    student = user(number) | {
        "role": "student",
        "orgs": [_reference("orgs", "o1", "org")],
        "userIds": [{"type": "FED", "identifier": f"f{number}"}],
        "identifier": str(number),
        "email": "",
        "sms": "",
        "phone": "",
        "agents": [],
        "grades": ["P4"],
        "password": "",
        "metadata": {"jp.kanaFamilyName": "アベ"},
    }
    # OneRoster 1.1 has one role and no identifier across systems.
    del student["roles"], student["userMasterIdentifier"]
    return student


def _reference(table: str, sourced_id: str, kind: str) -> dict[str, str]:
    href = f"https://koumu.example/ims/oneroster/v1p1/{table}/{sourced_id}"
    return {"href": href, "sourcedId": sourced_id, "type": kind}


def enrolment(number: int) -> dict[str, Any]:
    """Return the enrolment of a student in the class."""
    return {
        "sourcedId": f"e{number}",
        "status": "active",
        "class": {"sourcedId": "c1"},
        "school": {"sourcedId": "o1"},
        "user": {"sourcedId": f"u{number}"},
        "role": "student",
        "primary": "false",
        "metadata": {"jp.shussekiNo": number},
    }


PATHS = {"v1p1": "/ims/oneroster/v1p1", "v1p2": "/ims/oneroster/rostering/v1p2"}
"""The version -> the root of the addresses that its specification prescribes."""


class OneRosterService:
    """A service with one client. It sends at most `most` rows a page, whatever is asked for."""

    def __init__(self, students: int, version: str, most: int = 3) -> None:
        self.version, self.path = version, PATHS[version]
        described = user if version == "v1p2" else user_of_1_1
        numbers = range(1, students + 1)
        self.tables: dict[str, Any] = {
            "orgs": ORGS,
            "classes": CLASSES,
            "users": [described(number) for number in numbers],
            "enrollments": [enrolment(number) for number in numbers],
        }
        self.most, self.tells_total = most, True
        self.raw = b""
        """What is sent in place of any table."""
        self.refusals: list[tuple[int, dict[str, str]]] = []
        """Status and headers of the answers that are given first."""
        self.asked: list[str] = []
        self.tokens = 0
        """The number of tokens that were given."""
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.root = f"http://127.0.0.1:{self.server.server_port}"
        self.address = f"{self.root}{self.path}"
        self.token_address = f"{self.root}/token"


@contextmanager
def running_service(students: int, version: str = "v1p2") -> Iterator[OneRosterService]:
    """Run a service of this version of OneRoster on a free port of this machine."""
    service = OneRosterService(students, version)
    with answering(service.server):
        yield service


def _handler(service: OneRosterService) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            basic = base64.b64encode(f"{CLIENT_ID}:{SECRET}".encode()).decode()
            is_good = (
                self.path == "/token"
                and self.headers.get("Authorization") == f"Basic {basic}"
                and form["grant_type"] == ["client_credentials"]
                and form["scope"][0].endswith(f"/{service.version}/scope/roster-core.readonly")
            )
            if is_good:
                service.tokens += 1
                self.say(200, {"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3600})
            else:
                self.say(401, {"error": "invalid_client"})

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            table = parts.path.removeprefix(f"{service.path}/")
            service.asked.append(self.path)
            if self.headers.get("Authorization") != f"Bearer {TOKEN}":
                return self.say(401, {})
            if service.refusals:
                status, headers = service.refusals.pop(0)
                return self.say(status, {}, headers)
            if table not in service.tables:
                return self.say(404, {})
            if service.raw:
                return self.send(service.raw)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            offset, limit = int(query["offset"]), min(int(query["limit"]), service.most)
            rows = service.tables[table]
            total = {"X-Total-Count": str(len(rows))} if service.tells_total else {}
            return self.say(200, {table: rows[offset : offset + limit]}, total)

        def say(self, status: int, answer: object, headers: dict[str, str] | None = None) -> None:
            self.send(json.dumps(answer).encode(), status, headers)

        def send(
            self, content: bytes, status: int = 200, headers: dict[str, str] | None = None
        ) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            pass

    return Handler
