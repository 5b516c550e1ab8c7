"""Finds the puzzle kinds: every folder of this package that defines `KIND`.

Importing a kind loads its rules only, never numba: web processes stay small.
"""

import importlib
import pkgutil
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import solvers
from solvers.kind import Kind

AnyKind = Kind[Any, Any]


class UnknownKind(LookupError):
    """No kind has this slug."""


@cache
def kinds() -> dict[str, AnyKind]:
    """Return slug -> kind, in the order of the menu. `_template` is not among them."""
    found = [
        importlib.import_module(f"solvers.{module.name}").KIND
        for module in pkgutil.iter_modules(solvers.__path__)
        if module.ispkg and not module.name.startswith("_")
    ]
    return {kind.slug: kind for kind in sorted(found, key=lambda kind: kind.slug)}


def get_kind(slug: str) -> AnyKind:
    """Return the kind. Raises UnknownKind."""
    try:
        return kinds()[slug]
    except KeyError:
        raise UnknownKind(slug) from None


def examples(kind: AnyKind) -> list[dict[str, Any]]:
    """Return the kind's instances with known answers, from its `examples.toml`.

    Each has `position`, `title`, `source`, and `answers`: question -> value as a string.
    One may have `shown`, the moves after which it makes the kind's best picture.
    """
    folder = Path(importlib.import_module(type(kind).__module__).__file__ or "").parent
    with (folder / "examples.toml").open("rb") as file:
        loaded: list[dict[str, Any]] = tomllib.load(file)["example"]
    return loaded
