"""The registry of puzzle kinds and of the files in their folders.

A kind is a package that defines `KIND`. The registry finds it in one of three ways: as a folder of
this package, by the environment variable `PUZZLE_KINDS` (module names, separated by commas), or by
an entry point of an installed distribution, in its pyproject.toml:

    [project.entry-points."puzzleclass.kinds"]
    lightsout = "lightsout"

Kinds made of a table of rules (`solvers.rule_tables`) are shown if `PUZZLE_TABLES` names their
files. The others can be asked for by their slugs, too, so that their puzzles stay. So can those
that teachers make: a program that stores their tables names its `TableSource`.

Importing a kind loads only its rules and never numba, so that web processes stay small.
"""

import importlib
import importlib.metadata
import logging
import os
import pkgutil
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

import solvers
from solvers.kind import INTERFACE, Kind
from solvers.missing import MissingKind

AnyKind = Kind[Any, Any]

VARIABLE = "PUZZLE_KINDS"
ENTRY_POINTS = "puzzleclass.kinds"

TABLES_VARIABLE = "PUZZLE_TABLES"
"""The environment variable with the names of the tables whose kinds are shown, separated by commas,
or `all`."""
READY = "solvers.rule_tables.ready"
"""The module that reads the ready tables."""

OLD_SLUG_LENGTH = 12
"""The length of the slugs of tables in files and addresses of earlier versions."""

TEMPLATES = ("solvers._template_sequence", "solvers._template_placement", "solvers._template_moves")
"""The kinds that `manage.py newkind` copies. They are not in the menu."""

FRAMEWORK_PACKAGES = {"contract", "rule_tables"}
"""Packages in this package that belong to the framework and are not kinds."""

REQUIRED_ATTRIBUTES = ("slug", "title", "rule", "family", "version", "questions", "editor")
"""The attributes that a kind must define besides its methods."""

logger = logging.getLogger(__name__)


class UnknownKind(LookupError):
    """The error that no kind has a slug."""


class BadKind(ImportError):
    """The error that a module named as a kind can't be used. The message names it and the fault."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search for kinds."""

    kinds: dict[str, AnyKind]
    """The slug -> the kind, in the order of the menu."""
    faults: tuple[BadKind, ...]
    """The faults of the modules that are named as kinds but can't be used, one for each."""


@cache
def find_kinds() -> SearchResult:
    """Return all kinds except the templates, and the faults of those that can't be used.

    A kind that can't be used is logged and skipped, so that the others keep working.
    """
    kinds_by_slug: dict[str, AnyKind] = {}
    faults: list[BadKind] = []
    for module in dict.fromkeys(_modules()):
        try:
            kind = load(module)
            if kind.slug in kinds_by_slug:
                raise BadKind(f"{module}: another kind is called “{kind.slug}” already.")
        except BadKind as fault:
            logger.error("A puzzle kind is left out: %s", fault)
            faults.append(fault)
        else:
            kinds_by_slug[kind.slug] = kind
    # The slug of a table says nothing to readers. Its kinds follow by the names of their files.
    kinds_by_slug = dict(sorted(kinds_by_slug.items()))
    wanted = [each.strip() for each in os.environ.get(TABLES_VARIABLE, "").split(",")]
    for name in filter(None, wanted):
        if name != "all" and name not in ready_kinds():
            faults.append(BadKind(f"{TABLES_VARIABLE}: there is no table “{name}”."))
    for name, kind in ready_kinds().items():
        if name in wanted or "all" in wanted:
            kinds_by_slug[kind.slug] = kind
    return SearchResult(kinds_by_slug, tuple(faults))


def kinds() -> dict[str, AnyKind]:
    """Return the kinds by slug, in the order of the menu."""
    return find_kinds().kinds


def ready_kinds() -> Mapping[str, AnyKind]:
    """Return the kinds that are made of a table, shown or not: name of the table -> kind."""
    result: Mapping[str, AnyKind] = importlib.import_module(READY).ready_kinds()
    return result


@cache
def _ready_by_slug() -> dict[str, AnyKind]:
    # Files and addresses of earlier versions name them by the beginnings of their slugs.
    old = {kind.slug[:OLD_SLUG_LENGTH]: kind for kind in ready_kinds().values()}
    return old | {kind.slug: kind for kind in ready_kinds().values()}


TableSource = Callable[[str], AnyKind | None]
"""A function from a slug to a kind made of a table that is stored elsewhere, or None."""

_sources: list[TableSource] = []


def add_source(source: TableSource) -> None:
    """Have kinds that are not found here looked up in a source."""
    _sources.append(source)


def _find(slug: str) -> AnyKind | None:
    found = kinds().get(slug) or _ready_by_slug().get(slug)
    return found or next((kind for source in _sources if (kind := source(slug))), None)


def is_known(slug: str) -> bool:
    """Return whether there is a kind with this slug, in code, as a ready table, or in a source."""
    return _find(slug) is not None


def faults() -> tuple[BadKind, ...]:
    """Return the reasons why modules that are named as kinds were left out."""
    return find_kinds().faults


def _modules() -> Iterator[str]:
    for module in pkgutil.iter_modules(solvers.__path__):
        if (
            module.ispkg
            and not module.name.startswith("_")
            and module.name not in FRAMEWORK_PACKAGES
        ):
            yield f"solvers.{module.name}"
    yield from filter(None, map(str.strip, os.environ.get(VARIABLE, "").split(",")))
    for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
        yield entry.module


def load(module: str) -> AnyKind:
    """Return the kind that a module defines. Raise BadKind for any error in its code."""
    try:
        kind = importlib.import_module(module).KIND
    except Exception as error:
        raise BadKind(f"{module} is no puzzle kind: {type(error).__name__}: {error}") from error
    if not isinstance(kind, Kind):
        raise BadKind(f"{module} is no puzzle kind: its KIND is {kind!r}")
    declared = getattr(kind, "interface", None)
    if declared is None:
        raise BadKind(f"{module} is no puzzle kind: it does not state its interface = {INTERFACE}")
    if declared != INTERFACE:
        older = "the kind" if declared < INTERFACE else "the site"
        raise BadKind(
            f"{module} was written for version {declared} of the interface of kinds, but this is "
            f"version {INTERFACE}: update {older}"
        )
    if lacking := [name for name in REQUIRED_ATTRIBUTES if not hasattr(kind, name)]:
        raise BadKind(f"{module} is no puzzle kind: it does not state {', '.join(lacking)}")
    return kind


def get_kind(slug: str) -> AnyKind:
    """Return the kind with the slug. Raise UnknownKind if there is none."""
    if kind := _find(slug):
        return kind
    raise UnknownKind(slug)


def kind_or_missing(slug: str) -> AnyKind:
    """Return the kind of a stored puzzle, or a stand-in if it is not installed any more."""
    return _find(slug) or _missing(slug)


@cache
def _missing(slug: str) -> AnyKind:
    logger.warning("Puzzles of the kind “%s” are stored, but the kind is not installed.", slug)
    return MissingKind(slug)


# Files in a kind's folder


def folder(kind: AnyKind) -> Path:
    """Return the folder of the kind's package."""
    return Path(importlib.import_module(type(kind).__module__).__file__ or "").parent


@cache
def style_sheets() -> tuple[Path, ...]:
    """Return the existing style sheets of the kinds, `static/<slug>.css` in their folders."""
    sheets = (folder(kind) / "static" / f"{slug}.css" for slug, kind in kinds().items())
    return tuple(sheet for sheet in sheets if sheet.exists())


def static_folders() -> list[Path]:
    """Return the `static` folders of the kinds that have style sheets or rules for browsers, and
    that of the kinds that are made of tables."""
    folders = {folder(kind) / "static" for kind in kinds().values()}
    folders.add(Path(__file__).parent / "rule_tables" / "static")
    return sorted(path for path in folders if path.exists())


def locale_folders() -> list[Path]:
    """Return the `locale` folders of the kinds that have their own translations."""
    folders = (folder(kind) / "locale" for kind in kinds().values() if kind.contents is None)
    return [path for path in folders if path.exists()]


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle with known answers."""

    title: str
    position: str
    source: str
    """The source of the answers."""
    answers: dict[str, str]
    """The name of a question -> its value as text."""
    shown: str = ""
    """The moves after which the puzzle makes the best picture of the kind. At least one example has
    such moves."""


class DemoBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle of the demo class. Its title stands for a teacher's own, so it is not translated."""

    title: str
    position: str
    solution: str = ""
    """A solution, for puzzles that simulated students would hardly solve by themselves."""


class CollectedPuzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle of a kind's graded collection."""

    level: int
    """The number of its world, from 1. All worlds have about the same number of puzzles."""
    position: str
    solutions: int
    """The exact number of solutions, which is 1 if the kind allows it."""
    band: str
    """One of `solvers.answers.BANDS`."""
    difficulty: float
    """The difficulty by which the collection is sorted. It is the level of the careful player, as
    `rate` finds it: the negative decimal logarithm of the chance. For kinds with a score it is the
    amount by which this player misses the goal."""


T = TypeVar("T")


def _entries(kind: AnyKind, file: str, name: str, of: type[T]) -> tuple[T, ...]:
    """Return the entries with one name of a file in the kind's folder. Without the file, there are
    none."""
    if kind.contents is not None:
        return msgspec.convert(kind.contents.get(name, ()), type=tuple[of, ...])  # type: ignore[valid-type]
    path = folder(kind) / file
    if not path.exists():
        return ()
    return msgspec.toml.decode(path.read_bytes(), type=dict[Literal[name], tuple[of, ...]])[name]  # type: ignore[valid-type]


@cache
def examples(kind: AnyKind) -> tuple[Example, ...]:
    """Return the kind's puzzles with known answers, from its `examples.toml`."""
    return _entries(kind, "examples.toml", "example", Example)


@cache
def demo_boards(kind: AnyKind) -> tuple[DemoBoard, ...]:
    """Return the kind's puzzles for the demo class, from easy to hard, from its `demo.toml`. The
    file is optional."""
    return _entries(kind, "demo.toml", "board", DemoBoard)


@cache
def collection(kind: AnyKind) -> tuple[CollectedPuzzle, ...]:
    """Return the kind's graded collection, from easy to hard, from its `collection.toml`. The file
    is optional. `python -m bench.collection` makes those of the kinds in this package."""
    return _entries(kind, "collection.toml", "puzzle", CollectedPuzzle)


@cache
def collected_counts(kind: AnyKind) -> Mapping[str, int]:
    """Return the exact numbers of solutions of the kind's graded collection, by position."""
    return {each.position: each.solutions for each in collection(kind)}


class Order(msgspec.Struct, frozen=True):
    """The position and the options of `generate` for making some of a kind's stock of boards."""

    position: str
    options: Mapping[str, Any]


@cache
def orders(kind: AnyKind) -> tuple[Order, ...]:
    """Return the kind's orders for new boards, from easy to hard. They are `ORDERS` in its optional
    `orders.py`. This does not load numba."""
    result: tuple[Order, ...] = _named(kind, "orders", "ORDERS", ())
    return result


Reference = Callable[[AnyKind, Hashable], int | None]
"""A function from a kind and a position to a question's value, which uses the rules alone."""


def references(kind: AnyKind) -> dict[str, Reference]:
    """Return the reference implementations of the kind's solvers, by question. They are
    `REFERENCES` in its optional `reference.py`.

    The contract tests compare the kind's solvers with them. A kind needs them if walking through
    all lines of moves would take too long or would count something else.
    """
    result: dict[str, Reference] = _named(kind, "reference", "REFERENCES", {})
    return result


def _named(kind: AnyKind, module: str, name: str, default: object) -> Any:
    """Return the attribute `name` of a module in the kind's folder, or the default if there is no
    such module or attribute."""
    if not (folder(kind) / f"{module}.py").exists():
        return default
    package = importlib.import_module(type(kind).__module__).__package__
    return getattr(importlib.import_module(f"{package}.{module}"), name, default)
