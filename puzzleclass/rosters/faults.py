"""Faults of a roster, each with the place where it was found."""

from dataclasses import dataclass, field

from solvers.message import Message

MAX_FAULTS = 100
"""The most faults that are described. All others are only counted."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault at a place of the roster."""

    file: str
    """The name of the file; that of the ZIP itself is empty."""
    line: int
    """The number of the line, from 1; 0 if the fault concerns the file as a whole."""
    column: str
    """The heading of the column; empty if the fault concerns the whole line."""
    message: Message


@dataclass(slots=True)
class Faults:
    """The faults of a roster in the order in which they were found."""

    first: list[Fault] = field(default_factory=list)
    count: int = 0
    unread: set[str] = field(default_factory=set)
    """The files with lines that can't be read. What these lines hold is unknown."""

    def add(self, file: str, line: int, column: str, text: Message) -> None:
        """Add a fault."""
        self.count += 1
        if self.count <= MAX_FAULTS:
            self.first.append(Fault(file, line, column, text))

    def add_unread(self, file: str, line: int, text: Message) -> None:
        """Add the fault that the line, or what follows it, can't be read."""
        self.add(file, line, "", text)
        self.unread.add(file)
