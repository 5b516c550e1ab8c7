"""Texts for people, kept apart from the language they will be read in.

The solvers know no translation machinery. They speak English with named
fields, and whoever shows the text may look up its translation first and fill
the fields afterwards. `manage.py messages` collects every literal that is
given to the names in `MARKERS`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

MARKERS = ("Message", "PuzzleError", "BadText", "IllegalMove", "gettext_noop")


def gettext_noop(text: str) -> str:
    """Return the text as it is; the name marks it for translation."""
    return text


@dataclass(frozen=True, slots=True)
class Message:
    """An English text with `{named}` fields, and their values."""

    text: str
    values: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the message as JSON values, to be put into words where it is shown."""
        values = {
            name: value.to_json() if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        return {"text": self.text, "values": values}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Return the message that `to_json` made."""
        values = {
            name: cls.from_json(value) if isinstance(value, dict) else value
            for name, value in stored["values"].items()
        }
        return cls(stored["text"], values)

    def __str__(self) -> str:
        return self.text.format_map(self.values)
