"""Kinds made of stored tables, by their slugs."""

import re
from collections.abc import Iterable
from time import monotonic
from typing import Any

import msgspec

from puzzleclass.kinds.models import StoredTable
from solvers.kind import PuzzleError
from solvers.registry import OLD_SLUG_LENGTH, AnyKind
from solvers.rule_tables.kept import Kept
from solvers.rule_tables.kind import TableKind
from solvers.rule_tables.table import SLUG_DIGITS, Table, read_table, write_table

FRESH_SECONDS = 60
"""For so long a process does not look again whether a kind has got another name."""
MAX_REMEMBERED = 500
"""The most tables whose texts a process remembers."""
MAX_KIND_BYTES = 16_000_000
"""The most bytes that the kinds take which a process keeps."""
BYTES_PER_LETTER = 60
"""What a kind takes for each letter of its table, as measured with the ready tables."""

_SLUG = re.compile(rf"t-[0-9a-f]{{{SLUG_DIGITS}}}")
_looked_up: dict[str, tuple[float, str]] = {}
"""Slug -> when it was looked up, and the table's text."""
_KINDS: Kept[tuple[TableKind, int]] = Kept(MAX_KIND_BYTES, lambda made: made[1])
"""Text of a table -> its kind, and the bytes that this takes."""


def find_kind(slug: str) -> AnyKind | None:
    """Return the kind of the stored table with this slug, or None. One query a minute."""
    if not _SLUG.fullmatch(slug):
        return None
    at, text = _looked_up.get(slug, (0.0, ""))
    if not text or monotonic() - at > FRESH_SECONDS:
        stored = StoredTable.objects.filter(slug=slug).first()
        if stored is None:
            return made_kind(text) if text else None
        text = stored.text
        if len(_looked_up) >= MAX_REMEMBERED:
            _looked_up.clear()
        _looked_up[slug] = (monotonic(), text)
    return made_kind(text)


def made_kind(text: str) -> TableKind:
    """Return the kind of a table as JSON. Raise PuzzleError if it makes none."""
    return _KINDS.get(text, lambda: (TableKind(read_table(text)), BYTES_PER_LETTER * len(text)))[0]


def check_kind(table: Table) -> None:
    """Raise PuzzleError if the table, which has been checked, makes no kind."""
    kind = TableKind(table)
    kind.read_start(kind.editor.blank(1, 1))


def store(table: Table, *, is_kept: bool) -> StoredTable:
    """Store a checked table, unless it is stored already. A kept one stays kept, with its names."""
    row, is_new = StoredTable.objects.get_or_create(
        slug=table.slug, defaults={"text": write_table(table), "is_kept": is_kept}
    )
    if not is_new and not row.is_kept:
        row.text, row.is_kept = write_table(table), is_kept
        row.save()
        _looked_up.pop(row.slug, None)
    return row


def read_foreign_table(text: str, slug: str) -> Table:
    """Return the table of a puzzle that comes from elsewhere. Raise PuzzleError if it can't be
    read, makes no kind, or is not the one with this slug. Files of earlier versions have the
    beginnings of slugs."""
    table = read_table(text)
    if slug not in (table.slug, table.slug[:OLD_SLUG_LENGTH]):
        raise PuzzleError("The table of rules is not the one that the puzzle names.")
    check_kind(table)
    return table


def rename(row: StoredTable, table: Table) -> None:
    """Store the names and pictures of a table, whose rules are the same."""
    row.text = write_table(table)
    row.save()
    _looked_up.pop(row.slug, None)


def tables_of(slugs: Iterable[str]) -> dict[str, Any]:
    """Return the stored tables among the kinds with these slugs, as JSON values: slug -> table."""
    rows = StoredTable.objects.filter(slug__in=list(slugs))
    return {row.slug: msgspec.json.decode(row.text) for row in rows}
