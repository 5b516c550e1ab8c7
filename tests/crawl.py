"""Opens every page that leads on from the first, as a reader would."""

import re
from html import unescape
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from django.db import connection
from django.test import Client
from django.urls import resolve

from puzzleclass.accounts.models import User

LINK = re.compile(r'(?:href|hx-get|src)="([^"#]*)')
MOST = 12
"""Pages of one view that are opened: each kind of puzzle, each state of a try comes up."""

STAYS = {"sign_out", "set_language", "set_reader"}

LOGS = ("django_session", "classes_datarecord")
"""Tables that a GET may write to: its reader's session, and the log of who has seen what."""


class Opened(NamedTuple):
    """An address that answered."""

    name: str
    """Of its view."""
    url: str
    is_page: bool
    """Not a part of a page, nor a file."""


def refuse_writes(execute, sql, params, many, context):
    """A GET changes nothing and takes no lock."""
    if sql.endswith("WHERE 1 = 0"):
        return execute(sql, params, many, context)  # asks whether the database takes writes
    reads = sql.lstrip().startswith(("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK TO", "PRAGMA"))
    assert reads or any(f'"{table}"' in sql for table in LOGS), sql
    return execute(sql, params, many, context)


def crawl(user: User | None, most: int = MOST) -> list[Opened]:
    """Open every page that leads on from the first, `most` of each view; return what answered.

    Without a user: what is open to everybody.
    """
    client = Client(
        headers={"accept-language": "ja"}, raise_request_exception=False, SERVER_NAME="localhost"
    )
    if user:
        client.force_login(user)
    seen, wanted, opened = {"/"}, ["/"], []
    while wanted:
        url = wanted.pop(0)
        name = resolve(urlsplit(url).path).url_name
        if name in STAYS or sum(page.name == name for page in opened) >= most:
            continue
        with connection.execute_wrapper(refuse_writes):
            answer = client.get(url, follow=True)
        assert answer.status_code in (200, 204, 405), f"{url}: {answer.status_code}"
        is_html = answer["Content-Type"].startswith("text/html")
        text = answer.content.decode() if is_html else ""
        opened.append(Opened(name, url, text.startswith("<!doctype html>")))
        for link in LINK.findall(text):
            to = urljoin(url, unescape(link))
            is_page = urlsplit(to).netloc == "" and not to.startswith(("/static/", "data:"))
            if is_page and to not in seen:
                seen.add(to)
                wanted.append(to)
    return opened
