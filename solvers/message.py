"""Texts for people, kept apart from the language they will be read in.

The solvers know no translation machinery. They speak English with named
fields, and whoever shows the text may look up its translation first and fill
the fields afterwards. `manage.py messages` collects every literal that is
given to the names in `MARKERS`.
"""

from collections.abc import Mapping
from typing import Any, Self, Union

import msgspec

MARKERS = ("Message", "PuzzleError", "BadText", "IllegalMove", "gettext_noop")


def gettext_noop(text: str) -> str:
    """Return the text as it is; the name marks it for translation."""
    return text


class Message(msgspec.Struct, frozen=True):
    """An English text with `{named}` fields, and their values."""

    text: str
    values: Mapping[str, Union[str, int, float, "Message", None]] = {}

    def to_json(self) -> dict[str, Any]:
        """Return the message as JSON values, to be put into words where it is shown."""
        stored: dict[str, Any] = msgspec.to_builtins(self)
        return stored

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Return the message that `to_json` made. Raises ValueError for anything else."""
        return msgspec.convert(stored, cls)

    def __str__(self) -> str:
        return self.text.format_map(self.values)
