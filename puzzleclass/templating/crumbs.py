"""Breadcrumbs: the pages above a page, found from what the page shows."""

from typing import NamedTuple, Protocol

from django.urls import reverse
from django.utils.functional import Promise


class HasPage(Protocol):
    """An object with a page, below which there are other pages."""

    def crumb(self) -> "Crumb": ...


class Crumb(NamedTuple):
    """A page on the way to another page."""

    url: str
    title: str | Promise
    above: HasPage | str | None = None
    """The object, or the URL name of the list, whose page is above this one."""


class _ListPage(NamedTuple):
    title: Promise
    above: str | None


_list_pages: dict[str, _ListPage] = {}
"""The URL name of a page without an object -> its title, and the URL name of the page above it."""


def add_list_page(url_name: str, title: Promise, above: str | None = None) -> None:
    """Let `{% crumbs %}` find a page without an object by its URL name. The `AppConfig` of the app
    that shows the page calls this."""
    _list_pages[url_name] = _ListPage(title, above)


def crumbs_to(page: HasPage | Crumb | str) -> list[Crumb]:
    """Return the crumbs of all pages above the page, and its own."""
    if isinstance(page, str):
        title, above = _list_pages[page]
        last = Crumb(reverse(page), title, above)
    else:
        last = page if isinstance(page, Crumb) else page.crumb()
    return [*(crumbs_to(last.above) if last.above else []), last]
