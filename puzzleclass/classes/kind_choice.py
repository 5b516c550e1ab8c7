"""The kinds of puzzles that a school chooses for its classes, or a class that has no school.

A choice is a list of names: the slug of a kind, or the name of a ready table, whose slug follows
from its rules. None stands for the kinds of the site.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from django import forms
from django.db import transaction
from django.utils.translation import gettext_lazy

from puzzleclass.classes.models import Classroom
from puzzleclass.language.reader import say
from solvers.registry import AnyKind, kinds, ready_kinds


@cache
def named_kinds() -> dict[str, AnyKind]:
    """Return the kinds that can be chosen: name -> kind."""
    coded = {slug: kind for slug, kind in kinds().items() if kind.contents is None}
    return coded | dict(ready_kinds())


@cache
def usual_names() -> tuple[str, ...]:
    """Return the names of the kinds that are seen where nobody has chosen."""
    return tuple(name for name, kind in named_kinds().items() if kind.slug in kinds())


def chosen_kinds(names: Iterable[str] | None) -> dict[str, AnyKind]:
    """Return the kinds of a choice: slug -> kind, in the order of the menu."""
    chosen = set(usual_names() if names is None else names)
    return {kind.slug: kind for name, kind in named_kinds().items() if name in chosen}


def show_kind(classroom: Classroom, name: str, *, shown: bool) -> None:
    """Put a kind into the menus of a class without a school, or take it out of them."""
    with transaction.atomic():
        room = Classroom.objects.select_for_update().get(pk=classroom.pk)
        before = {*(usual_names() if room.kinds is None else room.kinds)}
        after = before | {name} if shown else before - {name}
        room.kinds = _as_stored([each for each in named_kinds() if each in after])
        room.save(update_fields=["kinds"])


def _as_stored(chosen: list[str]) -> list[str] | None:
    """Return None, which stands for the kinds of the site, for these kinds and for no choice."""
    return None if set(chosen) in (set(), set(usual_names())) else chosen


class KindsField(forms.MultipleChoiceField):
    """A field for a choice of kinds. No choice stands for the kinds of the site."""

    def __init__(self, chosen: list[str] | None) -> None:
        super().__init__(
            label=gettext_lazy("Kinds of puzzles"),
            help_text=gettext_lazy(
                "Other kinds are in no menu. Assigned puzzles can always be played."
            ),
            required=False,
            choices=[(name, say(kind.name)) for name, kind in named_kinds().items()],
            initial=[*usual_names()] if chosen is None else chosen,
            widget=forms.CheckboxSelectMultiple,
        )

    def clean(self, value: Any) -> list[str] | None:
        return _as_stored(super().clean(value))
