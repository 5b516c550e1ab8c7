"""A crawler that opens every page reachable from the first one, as a reader would."""

import re
from html import unescape
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from django.db import connection
from django.test import Client
from django.urls import resolve

from puzzleclass.accounts.models import User

LINK = re.compile(r'(?:href|hx-get|src)="([^"#]*)')
MAX_PAGES = 12
"""The most pages of one view that are opened, so that each kind of puzzle and each state of an
attempt occurs."""

STAYS = {"sign_out", "set_language", "set_reader"}

LOGS = ("accounts_session", "classes_datarecord", "accounts_lock", "api_apitoken")
"""Tables that a GET may write to: its reader's session, the log of data that was viewed, and the
quota and the last use of a script's token."""


class Opened(NamedTuple):
    """An address that has answered."""

    name: str
    """The name of its view."""
    url: str
    text: str
    """Its HTML; empty for a file."""

    @property
    def is_page(self) -> bool:
        """Whether it is a whole page, and neither a fragment nor a file."""
        return self.text.startswith("<!doctype html>")


def refuse_writes(execute, sql, params, many, context):
    """Fail when a GET changes something or takes a lock."""
    if sql.endswith("WHERE 1 = 0"):
        return execute(sql, params, many, context)  # tests whether the database takes writes
    start = sql.lstrip(" \n(")
    reads = start.startswith(("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK TO", "PRAGMA"))
    assert reads or any(f'"{table}"' in sql for table in LOGS), sql
    return execute(sql, params, many, context)


def crawl(user: User | None, most: int = MAX_PAGES, language: str = "ja") -> list[Opened]:
    """Open every page reachable from the first one, `most` of each view, and return what answered.

    Without a user, the pages are those that are open to everybody.
    """
    client = Client(
        headers={"accept-language": language},
        raise_request_exception=False,
        SERVER_NAME="localhost",
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
        opened.append(Opened(name, url, text))
        for link in LINK.findall(text):
            to = urljoin(url, unescape(link))
            is_page = urlsplit(to).netloc == "" and not to.startswith(("/static/", "data:"))
            if is_page and to not in seen:
                seen.add(to)
                wanted.append(to)
    return opened
