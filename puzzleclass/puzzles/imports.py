"""Many boards from one text: what each of them is, before it is saved."""

from dataclasses import dataclass

from puzzleclass.accounts.models import User
from puzzleclass.puzzles.drawing import ShownLine, lines_around
from puzzleclass.puzzles.generator import library_positions
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.seen_kinds import seen_kinds
from solvers.answers import GeneratedBoard
from solvers.boards import read_boards
from solvers.kind import Place, plain
from solvers.message import Message
from solvers.registry import AnyKind


@dataclass(frozen=True, slots=True)
class ImportedBoard:
    """A board of a text: a puzzle, or the reason why it can't be read."""

    number: int
    line: int
    """The line of the text at which the board begins."""
    title: str
    puzzle: Puzzle | None = None
    """The board as an unsaved puzzle; None if it can't be read."""
    moves: int = 0
    """The number of moves played in the text. The puzzle is the board before them."""
    is_known: bool = False
    """Whether the teacher's library already has the board."""
    same_as: int = 0
    """The number of an earlier board of the text that is the same; 0 if there is none."""
    fault: Message | None = None
    lines: tuple[ShownLine, ...] = ()
    """The faulty line of the text with its neighbours, if the fault is in a line."""

    @property
    def can_be_saved(self) -> bool:
        return self.puzzle is not None and not self.is_known and not self.same_as


def boards_of(user: User, kind: AnyKind, text: str) -> list[ImportedBoard]:
    """Return the boards of a text, in order. One query.

    Raise PuzzleError if the text is too long or has too many boards.
    """
    known = library_positions(user, kind.slug)
    rows = plain(text).split("\n")
    numbers: dict[str, int] = {}
    boards = []
    for board in read_boards(kind, text):
        at, title = board.text.line, board.text.title
        if board.fault:
            # A fault that is in no line is shown with the first line of its board.
            place = board.place if board.place and board.place.line else Place(line=at)
            own = range(at, at + board.text.text.count("\n") + 1)
            lines_shown = tuple(line for line in lines_around(rows, place) if line.number in own)
            boards.append(
                ImportedBoard(board.number, at, title, fault=board.fault, lines=lines_shown)
            )
            continue
        position = kind.write_start(board.position)
        first = numbers.setdefault(position, board.number)
        boards.append(
            ImportedBoard(
                board.number,
                at,
                title,
                Puzzle(kind_slug=kind.slug, position=position, title=title),
                moves=len(kind.line(board.position)),
                is_known=position in known,
                same_as=first if first != board.number else 0,
            )
        )
    return boards


def kind_of(kind: AnyKind, text: str) -> AnyKind:
    """Return the kind whose boards the text has: this one, unless only another kind reads any.

    Raise PuzzleError if the text is too long or has too many boards.
    """
    for each in (kind, *seen_kinds().values()):
        if any(board.position for board in read_boards(each, text)):
            return each
    return kind


def savable(boards: list[ImportedBoard]) -> list[Puzzle]:
    """Return the unsaved puzzles of the boards that can be saved."""
    return [board.puzzle for board in boards if board.puzzle and board.can_be_saved]


def generated(puzzles: list[Puzzle]) -> list[GeneratedBoard]:
    """Return the boards as `generator.save_boards` takes them. Nothing is known about them yet."""
    return [GeneratedBoard(position=puzzle.position) for puzzle in puzzles]
