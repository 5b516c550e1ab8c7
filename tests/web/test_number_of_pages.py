"""A teacher's pages: how many there are, and how many buttons of each are filled."""

import re

from django.http import HttpResponse
from django.urls import reverse

from tests.web.roles import ROLES, administrator, clients, world
from tests.web.test_rights import RIGHTS

__all__ = ["administrator", "clients", "world"]

MAX_PAGES = 47

OF_OTHERS = re.compile(
    r"^(school|board|roster|platform|administrator|site_log|stud(y|ies)|join|practice"
    r"|introduction|daily|offline)"
)
"""The names of the pages of the administrators of a school, of a board and of the site, of the
studies, and of students."""

STATES = {
    "sign_in_code": "sign_in",
    "confirm": "sign_in",
    "password_reset": "sign_in",
    "school_account_unknown": "sign_in",
    "school_account_connect": "sign_in",
}
"""The steps of the sign-in, which is one page."""

PARTS = {
    "lesson": r"lessons/(lesson|question_list)",
    "what we found": r"lessons/_?found|stats/found_solution",
    "a student at a puzzle": r"stats/(attempts|replay)",
    "sign_in": r"accounts/sign_in",
    "workshop": r"workshop/",
}
"""Pages that lead from one part of a whole to another -> the templates of the parts."""

BARS = {"assignment", "found", "lesson", "trial"}
"""Pages whose bars and dialogs have a filled button each, of which one is open at a time."""

PRIMARY = re.compile(r'class="button[^"]*\bprimary\b')


def page_of(response: HttpResponse) -> str:
    """Return the name of the page that answers, which is that of its template; nothing if the
    answer is no page."""
    is_page = response.status_code == 200 and response["Content-Type"].startswith("text/html")
    if not is_page or not response.content.startswith(b"<!doctype html>"):
        return ""
    template = str(response.templates[0].name)
    return next((whole for whole, parts in PARTS.items() if re.match(parts, template)), template)


def test_a_teachers_year_has_few_pages(clients, world):
    """A page is an address with a template of its own. A tab counts; an open panel does not."""
    pages: dict[str, set[str]] = {}
    for name, methods, _who, words in RIGHTS:
        if "GET" not in methods or OF_OTHERS.match(name):
            continue
        url = reverse(name, args=[world.get(word, word) for word in words.split()])
        for role in ("owner", "anonymous"):
            if page := page_of(clients[ROLES.index(role)].get(url)):
                pages.setdefault(STATES.get(name, page), set()).add(name)
                break
    assert len(pages) <= MAX_PAGES, pages


def test_a_page_has_one_filled_button(clients, world):
    """One button of a page is filled, at most: what one does next."""
    owner, filled = clients[ROLES.index("owner")], {}
    for name, methods, _who, words in RIGHTS:
        if "GET" not in methods or OF_OTHERS.match(name) or name in BARS:
            continue
        url = reverse(name, args=[world.get(word, word) for word in words.split()])
        response = owner.get(url)
        if page_of(response):
            main = response.content.decode().partition("<main")[2].partition("</main")[0]
            if (number := len(PRIMARY.findall(main))) > 1:
                filled[url] = number
    assert filled == {}
