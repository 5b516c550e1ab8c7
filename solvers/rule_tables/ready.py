"""The ready kinds: tables in `tables/`, each in one file with its boards."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from solvers.capabilities import TinyBoard
from solvers.message import Message
from solvers.rule_tables.kind import TableKind
from solvers.rule_tables.sentences import sentence
from solvers.rule_tables.table import Table, check_table

TABLES = Path(__file__).parent / "tables"


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board of the introduction."""

    position: str
    solution: str
    rule: int = 0
    """The number of the rule that the board teaches, from 1, or 0 for all of them."""
    slip: str = ""


class ReadyKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table in a file, with what other kinds have in their folders."""

    table: Table
    largest: tuple[int, int]
    """The most rows and columns of a board."""
    introduction: tuple[Lesson, ...]
    example: tuple[dict[str, Any], ...]
    puzzle: tuple[dict[str, Any], ...] = ()
    """The collection."""
    address: str = ""
    """The name of the kind in addresses of puzz.link, if it has one there (`addresses.FORMATS`)."""


@cache
def ready_kinds() -> Mapping[str, TableKind]:
    """Return the ready kinds: name of the file -> kind."""
    return {path.stem: read_kind(path) for path in sorted(TABLES.glob("*.json"))}


def read_kind(path: Path) -> TableKind:
    """Return the kind in a file."""
    ready = msgspec.json.decode(path.read_bytes(), type=ReadyKind)
    check_table(ready.table)
    contents = {"example": ready.example, "puzzle": ready.puzzle}
    lessons = tuple(_tiny(ready.table, lesson) for lesson in ready.introduction)
    return TableKind(ready.table, contents, ready.largest, lessons, ready.address)


def _tiny(table: Table, lesson: Lesson) -> TinyBoard:
    before = Message("Now everything together.")
    if lesson.rule:
        before = sentence(table, table.rules[lesson.rule - 1])
    return TinyBoard(
        lesson.position, before, Message("Every rule holds!"), lesson.slip, lesson.solution
    )
