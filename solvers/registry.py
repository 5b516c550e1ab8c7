"""Finds the puzzle kinds, and what lies in their folders.

A kind is a package that defines `KIND`. There are three ways to be found: as a folder of this
package; named in the environment variable `PUZZLE_KINDS` (modules, with commas between); or by
an entry point of an installed distribution, in its pyproject.toml:

    [project.entry-points."puzzleclass.kinds"]
    lightsout = "lightsout"

Importing a kind loads its rules only, never numba: web processes stay small.
"""

import importlib
import importlib.metadata
import os
import pkgutil
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

import solvers
from solvers.kind import Kind

AnyKind = Kind[Any, Any]

VARIABLE = "PUZZLE_KINDS"
ENTRY_POINTS = "puzzleclass.kinds"


class UnknownKind(LookupError):
    """No kind has this slug."""


class BadKind(ImportError):
    """A module that is named as a kind is none; the message names it and the fault."""


@cache
def kinds() -> dict[str, AnyKind]:
    """Return slug -> kind, in the order of the menu. The templates are not among them.

    Raises BadKind, naming the module, for one that can't be loaded or takes another's slug.
    """
    found: dict[str, AnyKind] = {}
    for module in dict.fromkeys(_modules()):
        kind = load(module)
        if kind.slug in found:
            raise BadKind(f"{module}: another kind is called “{kind.slug}” already.")
        found[kind.slug] = kind
    return dict(sorted(found.items()))


def _modules() -> Iterator[str]:
    for module in pkgutil.iter_modules(solvers.__path__):
        if module.ispkg and not module.name.startswith("_"):
            yield f"solvers.{module.name}"
    yield from filter(None, map(str.strip, os.environ.get(VARIABLE, "").split(",")))
    for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
        yield entry.module


def load(module: str) -> AnyKind:
    """Return the kind of a module. Raises BadKind."""
    try:
        kind = importlib.import_module(module).KIND
    except (ImportError, AttributeError, TypeError) as error:
        raise BadKind(f"{module} is no puzzle kind: {error}") from error
    if not isinstance(kind, Kind):
        raise BadKind(f"{module} is no puzzle kind: its KIND is {kind!r}")
    return kind


def get_kind(slug: str) -> AnyKind:
    """Return the kind. Raises UnknownKind."""
    try:
        return kinds()[slug]
    except KeyError:
        raise UnknownKind(slug) from None


# What lies in a kind's folder


def folder(kind: AnyKind) -> Path:
    """Return the folder of the kind's package."""
    return Path(importlib.import_module(type(kind).__module__).__file__ or "").parent


@cache
def style_sheets() -> tuple[Path, ...]:
    """Return the kinds' style sheets, `static/<slug>.css` in the folders of those that have one."""
    sheets = (folder(kind) / "static" / f"{slug}.css" for slug, kind in kinds().items())
    return tuple(sheet for sheet in sheets if sheet.exists())


def locale_folders() -> list[Path]:
    """Return the `locale` folders of the kinds that bring translations of their own."""
    folders = (folder(kind) / "locale" for kind in kinds().values())
    return [path for path in folders if path.exists()]


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An instance with known answers."""

    title: str
    position: str
    source: str
    """Where the answers come from."""
    answers: dict[str, str]
    """Question -> value, as a string."""
    shown: str = ""
    """The moves after which it makes the kind's best picture; of one of the examples at least."""


class DemoBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle of the demo class. Its title is a teacher's own, so it is not translated."""

    title: str
    position: str
    way: str = ""
    """A solution, where simulated students would hardly come upon one."""


class CollectedPuzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle of a kind's ready collection."""

    level: int
    """Its world, from 1 on; each has about as many puzzles."""
    position: str
    solutions: int
    """Exactly how many; 1 where the kind allows it."""
    band: str
    """One of `solvers.answers.BANDS`."""
    difficulty: float
    """By which the collection is sorted. What `rate` says of the careful player: the negative
    decimal logarithm of the chance; of kinds with a score what the goal is missed by."""


T = TypeVar("T")


def _entries(kind: AnyKind, file: str, name: str, of: type[T]) -> tuple[T, ...]:
    """Return the entries of a file in the kind's folder, all of one name; none without the file."""
    path = folder(kind) / file
    if not path.exists():
        return ()
    return msgspec.toml.decode(path.read_bytes(), type=dict[Literal[name], tuple[of, ...]])[name]  # type: ignore[valid-type]


@cache
def examples(kind: AnyKind) -> tuple[Example, ...]:
    """Return the kind's instances with known answers, from its `examples.toml`."""
    return _entries(kind, "examples.toml", "example", Example)


@cache
def demo_boards(kind: AnyKind) -> tuple[DemoBoard, ...]:
    """Return the kind's puzzles for the demo class, from easy to hard; from its `demo.toml`, if
    it has one."""
    return _entries(kind, "demo.toml", "board", DemoBoard)


@cache
def collection(kind: AnyKind) -> tuple[CollectedPuzzle, ...]:
    """Return the kind's ready collection, from easy to hard; from its `collection.toml`, if it
    has one. `python -m bench.collection` makes ours."""
    return _entries(kind, "collection.toml", "puzzle", CollectedPuzzle)


class Order(msgspec.Struct, frozen=True):
    """What `generate` is asked for when boards of a kind are made, some with each order."""

    position: str
    options: Mapping[str, Any]


@cache
def orders(kind: AnyKind) -> tuple[Order, ...]:
    """Return the kind's orders for new boards, from easy to hard: the `ORDERS` of its `orders.py`;
    none where it has none. Loads no numba."""
    found: tuple[Order, ...] = _named(kind, "orders", "ORDERS", ())
    return found


Twin = Callable[[AnyKind, Hashable], int | None]
"""Called with the kind and a position it returns a question's value, from the rules alone."""


def twins(kind: AnyKind) -> dict[str, Twin]:
    """Return question -> slow twin, the `TWINS` of the kind's `twin.py`; none where it has none.

    They are what the contract tests compare the kind's solvers with, where walking through all
    lines of moves would take too long or count something else.
    """
    found: dict[str, Twin] = _named(kind, "twin", "TWINS", {})
    return found


def _named(kind: AnyKind, module: str, name: str, default: object) -> Any:
    """Return what a module in the kind's folder calls so; the default where there is none."""
    if not (folder(kind) / f"{module}.py").exists():
        return default
    return getattr(importlib.import_module(f"{type(kind).__module__}.{module}"), name, default)
