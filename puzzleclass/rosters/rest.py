"""Rosters from the REST service of a school's own system (OneRoster 1.1 and 1.2).

The rows are fetched page by page and written in the format of the ZIP files, so that the dry run,
the import and its undo are the same for both.
"""

import csv
import io
import math
import re
import zipfile
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from time import monotonic, sleep, time
from typing import Any
from urllib.parse import urlsplit

import requests

from puzzleclass.outbound.sealed import Unopenable, unseal
from puzzleclass.outbound.sessions import OutboundError, new_session
from puzzleclass.rosters.models import RosterService
from puzzleclass.rosters.tables import file_of
from solvers.message import Message

PAGE_ROWS = 500
MAX_ROWS = 200_000
MAX_BYTES = 64 << 20
"""The most rows and bytes of all tables together."""
MAX_SECONDS = 600
"""The time in which all tables must have come. Meanwhile, the work for other servers waits."""
RETRY_SECONDS = (1, 5, 15)
"""How long to wait before a request is sent again."""
BUSY = {
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
}
"""The statuses of a service that is worth asking again."""
SCOPE = "https://purl.imsglobal.org/spec/or/{version}/scope/roster-core.readonly"
VERSIONS = {"v1p1": "1.1", "v1p2": "1.2"}
"""The end of a service's address -> the version of OneRoster."""

COLUMNS: dict[str, dict[str, str]] = {
    "orgs": {"name": "name", "type": "type", "identifier": "identifier"},
    "classes": {
        "title": "title",
        "grades": "grades",
        "classType": "classType",
        "school": "schoolSourcedId",
    },
    "users": {
        "enabledUser": "enabledUser",
        "username": "username",
        "givenName": "givenName",
        "familyName": "familyName",
        "email": "email",
        "userMasterIdentifier": "userMasterIdentifier",
        "preferredGivenName": "preferredGivenName",
        "preferredFamilyName": "preferredFamilyName",
        "primaryOrg": "primaryOrgSourcedId",
        "role": "role",
        "orgs": "orgSourcedIds",
    },
    "enrollments": {
        "class": "classSourcedId",
        "school": "schoolSourcedId",
        "user": "userSourcedId",
        "role": "role",
        "primary": "primary",
        "beginDate": "beginDate",
        "endDate": "endDate",
    },
}
"""Table -> property of the service's JSON -> column of the file. Nothing else is kept."""

METADATA = {
    "classes": ("specialNeeds",),
    "users": (
        *("kanaGivenName", "kanaFamilyName"),
        *("kanaPreferredGivenName", "kanaPreferredFamilyName"),
    ),
    "enrollments": ("shussekiNo", "ShussekiNo"),
}
"""Table -> extensions of the Japanese profiles that become columns `metadata.jp...`."""

Json = dict[str, Any]


class ServiceFault(Exception):
    """Raised if the service does not answer as it should. The message says how."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


def fetch_roster(service: RosterService) -> bytes:
    """Return all rows of the service as a OneRoster ZIP in bulk. Raises ServiceFault."""
    version = version_of(service.address)
    with new_session() as session:
        fetched = _Fetched(session, service, version)
        for table in COLUMNS:
            fetched.add(table)
    return _pack(service, version, fetched)


def version_of(address: str) -> str:
    """Return the version in the address of a service, such as v1p2; empty if there is none."""
    end = urlsplit(address).path.rstrip("/").rpartition("/")[2]
    return end if end in VERSIONS else ""


def _token(session: requests.Session, service: RosterService, version: str) -> str:
    """Return an access token (OAuth 2, client credentials). Raises ServiceFault."""
    try:
        secret = unseal(service.sealed_secret)
    except Unopenable as error:
        raise ServiceFault(error.message) from error
    try:
        response = session.post(
            service.token_address,
            data={"grant_type": "client_credentials", "scope": SCOPE.format(version=version)},
            auth=(service.client_id, secret),
        )
    except OutboundError as error:
        raise ServiceFault(_no_answer(error, "token")) from error
    if response.status_code in (400, 401, 403):
        raise ServiceFault(Message("The service refuses the client ID or the secret."))
    token = _object(response, "token").get("access_token")
    if not isinstance(token, str) or not token.isascii() or not token.isprintable():
        raise ServiceFault(Message("The service has sent no access token."))
    return token


class _Fetched:
    """The tables as lines of cells. One bound holds for all of them together.

    A row is cut down to its cells at once, because the objects of a JSON text take many times the
    memory of the text.
    """

    def __init__(self, session: requests.Session, service: RosterService, version: str) -> None:
        self.session, self.service, self.version = session, service, version
        self._renew_token()
        self.until = monotonic() + MAX_SECONDS
        self.rows = self.bytes = 0
        self.tables: dict[str, list[list[str]]] = {}
        self.roles: list[list[str]] = []

    def add(self, table: str) -> None:
        """Fetch a table. A row that is about to be deleted is left out. Raises ServiceFault."""
        lines = self.tables[table] = [_heads(table)]
        for row in self._rows_of(table):
            if row.get("status") != "tobedeleted":
                lines.append(_line(table, row))
                if table == "users":
                    self.roles += _role_lines(row)

    def _rows_of(self, table: str) -> Iterator[Json]:
        """Yield the rows of the table, page by page.

        A page may be shorter than asked for, so only an empty page or the total ends the table.
        """
        offset = 0
        while True:
            params = {"limit": str(PAGE_ROWS), "offset": str(offset), "sort": "sourcedId"}
            page = f"{table}, {offset}"
            response = self._get(f"{self.service.address}/{table}", params, page)
            rows = _object(response, page).get(table)
            if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
                raise ServiceFault(
                    Message("The answer of the service lacks “{table}”.", {"table": table})
                )
            self.rows += len(rows)
            self.bytes += len(response.content)
            self._check_bounds()
            yield from rows
            offset += len(rows)
            total = response.headers.get("X-Total-Count", "")
            if not rows or (total.isdecimal() and offset >= int(total)):
                return

    def _renew_token(self) -> None:
        token = _token(self.session, self.service, self.version)
        self.session.headers["Authorization"] = f"Bearer {token}"

    def _get(self, url: str, params: dict[str, str], page: str) -> requests.Response:
        """Return the answer, whatever its status.

        A token that has expired is renewed once for each page. A service that is busy, or does not
        answer, is asked again, after the time that it names. Raises ServiceFault.
        """
        is_renewed, waits = False, list(RETRY_SECONDS)
        while True:
            try:
                response = self.session.get(url, params=params)
            except OutboundError as error:
                if not waits:
                    raise ServiceFault(_no_answer(error, page)) from error
                wait = waits.pop(0)
            else:
                if response.status_code == HTTPStatus.UNAUTHORIZED and not is_renewed:
                    is_renewed = True
                    self._renew_token()
                    continue
                if response.status_code not in BUSY or not waits:
                    return response
                wait = max(waits.pop(0), _seconds_to_wait(response))
            if monotonic() + wait > self.until:
                raise ServiceFault(_slow())
            sleep(wait)

    def _check_bounds(self) -> None:
        if monotonic() > self.until:
            raise ServiceFault(_slow())
        if self.rows > MAX_ROWS:
            many = Message("The service has more than {most} rows.", {"most": MAX_ROWS})
            raise ServiceFault(many)
        if self.bytes > MAX_BYTES:
            large = {"most": MAX_BYTES >> 20}
            raise ServiceFault(Message("The service has more than {most} MB.", large))


def _slow() -> Message:
    minutes = {"n": MAX_SECONDS // 60}
    return Message("The service needs more than {n} minutes for its roster.", minutes)


def _no_answer(error: OutboundError, page: str) -> Message:
    return Message(
        "The service has not answered correctly ({type}; page: {page}).",
        {"type": type(error).__name__, "page": page},
    )


def _seconds_to_wait(response: requests.Response) -> int:
    """Return the seconds that `Retry-After` asks to wait (RFC 9110, 10.2.3); 0 without it."""
    text = response.headers.get("Retry-After", "")
    if re.fullmatch("[0-9]{1,9}", text):
        return int(text)
    try:
        return max(0, math.ceil(parsedate_to_datetime(text).timestamp() - time()))
    except (ValueError, OverflowError):
        return 0


def _object(response: requests.Response, page: str) -> Json:
    """Return the JSON object of the answer. Raises ServiceFault, which names status and page."""
    if not response.ok:
        raise ServiceFault(
            Message(
                "The service has answered with status {status} (page: {page}).",
                {"status": response.status_code, "page": page},
            )
        )
    try:
        body = response.json()
    except (RecursionError, requests.JSONDecodeError):
        body = None
    if not isinstance(body, dict):
        raise ServiceFault(Message("The service's answer is not a JSON object."))
    return body


# Writing


def _pack(service: RosterService, version: str, fetched: _Fetched) -> bytes:
    files = dict(fetched.tables)
    if fetched.roles:
        heads = ["sourcedId", "userSourcedId", "roleType", "role", "orgSourcedId"]
        files["roles"] = [heads, *fetched.roles]
    manifest = [
        ["propertyName", "value"],
        ["manifest.version", "1.0"],
        ["oneroster.version", VERSIONS[version]],
        ["source.systemCode", service.source],
        *([f"file.{table}", "bulk"] for table in files),
    ]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for table, lines in {"manifest": manifest, **files}.items():
            text = io.StringIO(newline="")
            csv.writer(text).writerows(lines)
            archive.writestr(file_of(table), text.getvalue().encode(errors="replace"))
    return packed.getvalue()


def _role_lines(user: Json) -> list[list[str]]:
    roles = user.get("roles")
    return [
        [f"{_cell(user.get('sourcedId'))} {number}", _cell(user.get("sourcedId"))]
        + [_cell(role.get(name)) for name in ("roleType", "role", "org")]
        for number, role in enumerate(roles if isinstance(roles, list) else [])
        if isinstance(role, dict)
    ]


def _heads(table: str) -> list[str]:
    extras = (f"metadata.jp.{name}" for name in METADATA.get(table, ()))
    return ["sourcedId", *COLUMNS[table].values(), *extras]


def _line(table: str, row: Json) -> list[str]:
    extras = (_extra(row, name) for name in METADATA.get(table, ()))
    cells = (row.get(name) for name in COLUMNS[table])
    return [_cell(each) for each in (row.get("sourcedId"), *cells, *extras)]


def _extra(row: Json, name: str) -> Any:
    """Return an extension of the Japanese profiles, which services write in two ways."""
    metadata = row.get("metadata")
    if not isinstance(metadata, dict):
        return None
    nested = metadata.get("jp")
    value = nested.get(name) if isinstance(nested, dict) else None
    return metadata.get(f"jp.{name}") if value is None else value


def _cell(value: Any) -> str:
    """Return a value of the JSON as a cell: a reference by its identifier, a list with commas."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return _cell(value.get("sourcedId"))
    if isinstance(value, list):
        return ",".join(_cell(each) for each in value)
    return str(value)
