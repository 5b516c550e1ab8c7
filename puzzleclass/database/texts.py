"""Texts that can be stored: those that both PostgreSQL and SQLite accept and return unchanged.

Neither a NUL nor half of a surrogate pair is a character of UTF-8 text as PostgreSQL stores it.
SQLite stores a NUL, but a backup of such a database could not be restored into PostgreSQL.
Therefore both engines refuse the same texts.
"""

import re
from collections.abc import Callable
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

STORABLE = r"^[^\0]*$"
"""The pattern of a storable text for msgspec, which refuses surrogates itself."""
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


class UnstorableText(ValueError):
    """A text holds a character that the database must not store."""


def is_storable(text: str) -> bool:
    """Return whether every character of the text can be stored."""
    # Lines of moves are long and ASCII, and for them the regular expression takes a hundred times
    # as long.
    return "\0" not in text if text.isascii() else UNSTORABLE.search(text) is None


def cleaned(value: Any) -> Any:
    """Return the text or JSON value with U+FFFD in place of each character that can't be stored."""
    if isinstance(value, str):
        return UNSTORABLE.sub(REPLACEMENT, value)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {cleaned(key): cleaned(item) for key, item in value.items()}
    return value


def refuse_unstorable_texts(connection: BaseDatabaseWrapper, **kwargs: object) -> None:
    """Let the connection refuse texts that can't be stored, wherever they come from."""
    if _refuse not in connection.execute_wrappers:
        # It goes first, because code that adds a wrapper for a time removes the last one
        # afterwards.
        connection.execute_wrappers.insert(0, _refuse)


def _refuse(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Execute the statement. Raises UnstorableText."""
    if many:
        params = list(params)
    for row in params if many else (params,):
        for value in row.values() if isinstance(row, dict) else row or ():
            if isinstance(value, str) and not is_storable(value):
                raise UnstorableText
    return execute(sql, params, many, context)
