"""Texts for people, kept apart from the language they will be read in.

The solvers know no translation machinery. They speak English with named
fields, and whoever shows the text may look up its translation first and fill
the fields afterwards. `manage.py messages` collects every literal that is
given to the names in `MARKERS`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

MARKERS = ("Message", "PuzzleError", "BadText", "IllegalMove", "gettext_noop")


def gettext_noop(text: str) -> str:
    """Return the text as it is; the name marks it for translation."""
    return text


@dataclass(frozen=True, slots=True)
class Message:
    """An English text with `{named}` fields, and their values."""

    text: str
    values: Mapping[str, object] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """Return the message as JSON values, to be put into words where it is shown."""
        return {"text": self.text, "values": dict(self.values)}

    def __str__(self) -> str:
        return self.text.format_map(self.values)
