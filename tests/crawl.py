"""Opens every page that leads on from the first, as a reader would."""

import re
from collections import Counter
from html import unescape
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


def refuse_writes(execute, sql, params, many, context):
    """A GET changes nothing and takes no lock."""
    if sql.endswith("WHERE 1 = 0"):
        return execute(sql, params, many, context)  # asks whether the database takes writes
    reads = sql.lstrip().startswith(("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK TO", "PRAGMA"))
    assert reads or any(f'"{table}"' in sql for table in LOGS), sql
    return execute(sql, params, many, context)


def crawl(user: User) -> Counter[str]:
    """Open every page that leads on from the first; return how many of each view answered."""
    client = Client(headers={"accept-language": "ja"}, raise_request_exception=False)
    client.force_login(user)
    seen, wanted, opened = {"/"}, ["/"], Counter()
    while wanted:
        url = wanted.pop(0)
        name = resolve(urlsplit(url).path).url_name
        if name in STAYS or opened[name] >= MOST:
            continue
        with connection.execute_wrapper(refuse_writes):
            answer = client.get(url, follow=True)
        assert answer.status_code in (200, 204, 405), f"{url}: {answer.status_code}"
        opened[name] += 1
        if not answer["Content-Type"].startswith("text/html"):
            continue
        for link in LINK.findall(answer.content.decode()):
            to = urljoin(url, unescape(link))
            is_page = urlsplit(to).netloc == "" and not to.startswith(("/static/", "data:"))
            if is_page and to not in seen:
                seen.add(to)
                wanted.append(to)
    return opened
