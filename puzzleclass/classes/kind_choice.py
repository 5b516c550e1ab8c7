"""The kinds of puzzles that a school chooses for its classes, or a class that has no school.

A choice is a list of names: the slug of a kind, or the name of a ready table, whose slug follows
from its rules. None stands for the kinds of the site.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

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
        chosen = super().clean(value)
        return None if set(chosen) in (set(), set(usual_names())) else chosen
