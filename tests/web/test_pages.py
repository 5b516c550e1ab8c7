"""A teacher's pages: how many there are, and where those have gone that are none any more."""

import re
from html import unescape
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.urls import reverse

from puzzleclass.moved import MOVED
from tests.web.roles import ROLES, administrator, clients, world
from tests.web.test_rights import RIGHTS

__all__ = ["administrator", "clients", "world"]

MAX_PAGES = 45

OF_OTHERS = re.compile(
    r"^(school|roster|platform|administrator_list|stud(y|ies)|join|practice|introduction|offline)"
)
"""The names of the pages of a school's administrator, of the studies, and of students."""

HEADING = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
TAB = re.compile(r'aria-current="page"[^>]*>([^<]*)')


def heading(response: HttpResponse) -> tuple[str, ...] | None:
    """Return the heading of a page, with its tab if it has tabs; None of what is no page."""
    is_page = response.status_code == 200 and response["Content-Type"].startswith("text/html")
    text = response.content.decode() if is_page else ""
    if not text.startswith("<!doctype html>"):
        return None
    found = HEADING.findall(text)
    main = text.partition("<main")[2]
    tabs = TAB.findall(main)
    return tuple(unescape(re.sub(r"<[^>]*>|\s+", " ", part)).strip() for part in found + tabs)


def test_a_teachers_year_has_few_pages(clients, world):
    """A page is an address with a heading of its own. A tab counts; a panel does not."""
    owner = clients[ROLES.index("owner")]
    pages: dict[tuple[str, ...], list[str]] = {}
    for name, methods, _who, words in RIGHTS:
        if "GET" in methods and not OF_OTHERS.match(name):
            url = reverse(name, args=[world.get(word, word) for word in words.split()])
            if page := heading(owner.get(url)):
                pages.setdefault(page, []).append(name)
    for page, names in pages.items():
        print(page, names)
    assert len(pages) <= MAX_PAGES, pages


def test_addresses_of_former_pages_lead_to_what_they_have_become(clients, world):
    """The page is there, and so is the place in it."""
    owner = clients[ROLES.index("owner")]
    values = {name: what for name, _methods, _who, what in RIGHTS}
    for name in MOVED:
        words = values[name].split()
        url = reverse(name, args=[world.get(word, word) for word in words])
        response = owner.get(f"{url}?only=1")
        assert response.status_code == 302, name
        to = urlsplit(response["Location"])
        assert "only=1" in to.query
        page = owner.get(f"{to.path}?{to.query}")
        assert page.status_code == 200, name
        if to.fragment:
            assert f'id="{to.fragment}"' in page.content.decode(), name
