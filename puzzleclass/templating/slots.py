"""Slots: the places in templates where apps of higher layers show something of their own.

A template has `{% slot "classroom_menu" %}`, and the `AppConfig` of each app that shows something
there calls `fill("classroom_menu", "stats/_classroom_menu.html")` in `ready()`. The parts appear in
the order of `INSTALLED_APPS`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.template import Context

MoreContext = Callable[[Context], Mapping[str, Any]]


class Filling(NamedTuple):
    """What one app shows in a slot."""

    template: str
    more: MoreContext | None = None
    """Returns what the template needs beyond the context of the page. It is called each time that
    the part is shown, so it makes no query where a page repeats the slot."""


_parts: defaultdict[str, list[Filling]] = defaultdict(list)


def fill(slot: str, template: str, more: MoreContext | None = None) -> None:
    """Show the template wherever a template has the slot."""
    _parts[slot].append(Filling(template, more))


def parts_of(slot: str) -> list[Filling]:
    """Return what is shown in the slot."""
    return _parts.get(slot, [])


def filled_slots() -> list[str]:
    """Return the names of all slots that are filled."""
    return list(_parts)
