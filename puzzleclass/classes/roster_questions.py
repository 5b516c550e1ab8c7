"""Questions about a class list that was not understood, and the answers to them.

A question is about certain rows or cells of the list, and its key is made of their texts. The same
list therefore always gives the same questions, and an answer holds as long as what it is about has
not been edited.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from puzzleclass.spreadsheets.reading import SheetRow

FIELD = "answer-"
"""The form's fields that hold answers begin with this."""
ROWS_IN_VIEW = 40
"""The most rows that are shown with a question."""


class ListChoice(NamedTuple):
    """An answer that a teacher can choose."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class ListQuestion:
    """A question about a list, with the rows in question."""

    key: str
    text: str
    choices: tuple[ListChoice, ...]
    rows: tuple[SheetRow, ...]
    more: int
    """The number of rows in question that are not shown."""
    answer: str
    """The value of the choice that was taken; empty if none was."""

    @property
    def field(self) -> str:
        """The name of the form's field for the answer."""
        return f"{FIELD}{self.key}"


class Questions:
    """The questions about one list, as they come up while it is read."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self._answers = answers
        self.asked: list[ListQuestion] = []

    def ask(
        self,
        kind: str,
        text: str,
        choices: Sequence[ListChoice],
        rows: Sequence[SheetRow],
        subject: Iterable[str] | None = None,
    ) -> str:
        """Ask a question and return the value of the answer; empty while there is none.

        `subject` is what the question is about, if it is not the texts of the rows.
        """
        if subject is None:
            subject = ("\t".join(row.cells).strip() for row in rows)
        digest = hashlib.sha256("\n".join(subject).encode("utf-8", "replace")).hexdigest()
        key = f"{kind}-{digest[:12]}"
        answer = self._answers.get(f"{FIELD}{key}", "")
        if answer not in {choice.value for choice in choices}:
            answer = ""
        if key not in {question.key for question in self.asked}:
            first_rows, more = tuple(rows[:ROWS_IN_VIEW]), len(rows[ROWS_IN_VIEW:])
            self.asked.append(ListQuestion(key, text, tuple(choices), first_rows, more, answer))
        return answer
