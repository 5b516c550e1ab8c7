"""Texts for people, independent of the language in which they are read.

The solvers do not use a translation library. They write English with named
fields. The code that shows a text looks up its translation first and fills in
the fields afterwards. `manage.py messages` collects every literal that is
passed to the names in `MARKERS`.
"""

from collections.abc import Mapping
from typing import Any, Self, Union

import msgspec

MARKERS = ("Message", "PuzzleError", "BadText", "IllegalMove", "gettext_noop")


def gettext_noop(text: str) -> str:
    """Return the text unchanged. The name of the function marks the text for translation."""
    return text


class Message(msgspec.Struct, frozen=True):
    """An English text with `{named}` fields, and their values."""

    text: str
    values: Mapping[str, Union[str, int, float, "Message", None]] = {}

    def to_json(self) -> dict[str, Any]:
        """Return the message as JSON values, from which its text is made where it is shown."""
        stored: dict[str, Any] = msgspec.to_builtins(self)
        return stored

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Return the message from the JSON values of `to_json`. Raise ValueError for others."""
        return msgspec.convert(stored, cls)

    def __str__(self) -> str:
        return self.text.format_map(self.values)
