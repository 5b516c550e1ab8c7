"""Send requests that nobody would send, from every role to every address.

Methods, addresses, fields and headers are random. Whatever is sent, the answer must be a page, a
redirect or a clear error. It must never be a 500, and never take longer than `LIMIT`. Each request
is undone before the next one, so that any of them can be sent alone.
"""

import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django import forms
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, get_resolver

from puzzleclass.accounts import forms as accounts
from puzzleclass.accounts.models import User
from puzzleclass.assignments import forms as assignments
from puzzleclass.classes import forms as classes
from puzzleclass.classes.models import Classroom
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles import forms as puzzles
from solvers.registry import kinds

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 3.0
"""Seconds of processor time for one request."""
METHODS = ("GET",) * 10 + ("POST",) * 10 + ("HEAD", "PUT", "DELETE", "OPTIONS")
ODD = [
    *("", "0", "-1", "1", "2", "9" * 19, "1" * 400, "1e9", "NaN", "true", "null", "\0", "\ud800"),
    *("é", "１", "٣", "🀄", "%00", "../..", "//evil.example", "javascript:1", "' OR 1=1 --"),
    *(
        "<b>",
        "{{ 7 }}",
        "a" * 5000,
        "\r\nX: 1",
        "2026-02-30T25:00",
        "[]",
        '{"a": 1}',
        "1,1",
        "o.o/oo.",
    ),
]


@dataclass(slots=True)
class Request:
    """A request to send."""

    role: str
    method: str
    path: str
    fields: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


def addresses() -> list[list[tuple[str, str]]]:
    """Return every address of the site as a list of parts: a text, or a converter and its name."""

    def walk(patterns: list[Any], before: str) -> Iterator[str]:
        for pattern in patterns:
            route = before + str(pattern.pattern)
            if isinstance(pattern, URLPattern):
                yield route
            else:
                yield from walk(pattern.url_patterns, route)

    part = re.compile(r"<(?:(\w+):)?(\w+)>")
    found = []
    for route in walk(get_resolver().url_patterns, "/"):
        pieces = part.split(route)
        parts = [("text", pieces[0])]
        for at in range(1, len(pieces), 3):
            parts += [(pieces[at] or "str", pieces[at + 1]), ("text", pieces[at + 2])]
        found.append(parts)
    return found


def names_of_fields() -> list[str]:
    """Return the name of every field of every form."""
    names = set()
    for path in (ROOT / "templates").rglob("*.html"):
        names.update(re.findall(r'name="(\w+)"', path.read_text(encoding="utf-8")))
    for module in (accounts, assignments, classes, puzzles):
        for found in vars(module).values():
            if isinstance(found, type) and issubclass(found, forms.BaseForm):
                names.update(getattr(found, "base_fields", ()))
    return sorted(names)


class Lot:
    """A source of random requests."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.addresses, self.names = addresses(), names_of_fields()
        self.keys = [str(key) for key in Attempt.objects.values_list("key", flat=True)[:200]]
        self.codes = list(Classroom.objects.values_list("code", flat=True))
        self.slugs = [slug for kind in kinds().values() for slug in (kind.slug, *kind.questions)]
        self.positions = list({kind.write(kind.sample(self.rng, 3)) for kind in kinds().values()})

    def request(self, roles: list[str]) -> Request:
        """Return the next random request."""
        rng = self.rng
        path = "".join(self._part(*part) for part in rng.choice(self.addresses))
        method = rng.choice(METHODS)
        fields = {name: self._value() for name in rng.choices(self.names, k=rng.randrange(8))}
        if rng.random() < 0.2:
            path += "?" + "&".join(
                f"{rng.choice(self.names)}={quote(self._value().encode(errors='replace')[:300])}"
                for _ in range(rng.randrange(1, 4))
            )
        headers = {}
        if rng.random() < 0.4:
            headers["HX-Request"] = "true"
        if rng.random() < 0.1:
            name = rng.choice(("HX-Current-URL", "Accept-Language", "Referer", "Host", "Cookie"))
            headers[name] = rng.choice(ODD).encode("latin-1", "replace").decode("latin-1")
        return Request(rng.choice(roles), method, path, fields, headers)

    def _part(self, converter: str, name: str) -> str:
        rng = self.rng
        if converter == "text":
            return name
        if rng.random() < 0.05:
            return quote(rng.choice(ODD).encode(errors="replace")[:300], safe="")
        if converter in ("key", "int"):
            return str(rng.choice((rng.randrange(1, 8), rng.randrange(1, 90), 2**63 - 1)))
        if converter == "uuid":
            return rng.choice(self.keys) if self.keys else "0" * 8 + "-0000" * 3 + "-" + "0" * 12
        if converter == "slug":
            return rng.choice(self.slugs)
        return rng.choice(self.codes) if self.codes else "AAAAAA"

    def _value(self) -> str:
        rng = self.rng
        known = (*self.positions, *self.slugs, *self.codes, "move", "undo", "1", "3", "0")
        return rng.choice(known) if rng.random() < 0.6 else rng.choice(ODD)


def fault_of(request: Request, user: Any) -> tuple[int, str]:
    """Send the request in a transaction that is undone; return its status, and its fault or ""."""
    client = Client(raise_request_exception=False, headers=request.headers, SERVER_NAME="localhost")
    began = time.thread_time()
    with transaction.atomic():
        if user:
            client.force_login(user)
        answer = client.generic(
            request.method,
            request.path,
            "&".join(
                f"{quote(name)}={quote(value.encode(errors='replace'))}"
                for name, value in request.fields.items()
            ),
            content_type="application/x-www-form-urlencoded",
        )
        content = b"".join(answer) if answer.streaming else answer.content
        transaction.set_rollback(True)
    taken = time.thread_time() - began
    if answer.status_code >= 500 or b"Traceback (most recent" in content:
        return answer.status_code, f"status {answer.status_code}: {answer.exc_info}"
    return answer.status_code, f"takes {taken:.1f} s" if taken > LIMIT else ""


def fuzz(number: int, seed: int) -> tuple[Counter[int], list[str]]:
    """Send `number` requests to the site of the current database.

    Returns how often each status came, and the faults.
    """
    users: dict[str, Any] = {"anonymous": None}
    for role in ("teacher", "student"):
        for at, user in enumerate(User.objects.filter(role=role).order_by("pk")[:3]):
            users[f"{role} {at}"] = user
    lot, statuses, faults = Lot(seed), Counter[int](), []
    for _ in range(number):
        request = lot.request(list(users))
        status, fault = fault_of(request, users[request.role])
        statuses[status] += 1
        if fault:
            faults.append(f"{fault}\n    {request!r}"[:1500])
    return statuses, faults
