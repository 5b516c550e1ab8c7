"""Boards that are played and stored nowhere: introductions, guests' boards, single positions.

Each press sends the moves made so far, and the rules read them again, so nobody can send a board
that the rules forbid. The browser plays them as it plays a student's board (static/send-steps.js).
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from django.http import HttpResponse
from django.shortcuts import render
from django.template.backends.utils import csrf_input
from msgspec import ValidationError

from puzzleclass.http import Request, quietly_refused
from puzzleclass.play.forms import MoveText, read
from puzzleclass.play.tools import ToolChoice, tools_for
from puzzleclass.play.warnings import Warnings, refusal_drawn_on
from solvers.kind import Place, PuzzleError, Verdict, split_moves
from solvers.message import Message
from solvers.picture import Picture, Shape
from solvers.registry import AnyKind

MAX_MOVES = 300
"""The most moves on a board, which is more than any board needs. Each press replays all moves."""

LineText = Annotated[str, msgspec.Meta(max_length=20 * MAX_MOVES, pattern=r"^[^\0]*$")]


class SentScratch(msgspec.Struct, frozen=True):
    """A press on a board, with the moves that were on the board before it."""

    line: LineText = ""
    undone: LineText = ""
    action: Literal["move", "undo", "restart", "look"] = "move"
    move: MoveText = ""
    redo: MoveText = ""
    typed: MoveText = ""
    tool: MoveText = ""
    take: MoveText = ""


@dataclass(frozen=True)
class Scratch:
    """A board as it stands after a press."""

    kind: AnyKind
    beginning: Any
    """The position at the beginning. Moves that lead to it can't be taken back."""
    line: str = ""
    """The moves made since the beginning."""
    undone: str = ""
    """The moves that were taken back and can be made again, the next one first."""
    wanted_tool: str = ""
    fault: Message | None = None
    """The reason why the press could not be carried out."""
    place: Place = field(default_factory=Place)
    is_new: bool = False
    """Whether the press has made a move."""
    marks: tuple[Shape, ...] = ()
    """Shapes on top of the board."""
    is_undo: bool = False
    """Whether the press has taken a move back, which is then the next of `undone`."""

    @cached_property
    def position(self) -> Any:
        return self.kind.play_line(self.beginning, self.line)

    @cached_property
    def verdict(self) -> Verdict:
        return self.kind.judge(self.position)

    @property
    def is_solved(self) -> bool:
        return self.verdict.solved

    @property
    def is_jammed(self) -> bool:
        """Whether no move is left and the board is not solved."""
        is_over = self.verdict.over and not self.verdict.solved
        return is_over and self.kind.family == "sequence"

    @property
    def redo(self) -> str:
        return next(iter(split_moves(self.undone)), "")

    @cached_property
    def tools(self) -> ToolChoice:
        return tools_for(self.kind, self.position, self.wanted_tool)

    @property
    def picture(self) -> Picture:
        """The board, with marks on its faults and on a refused move."""
        picture = Warnings(self.verdict.faults).drawn_on(self.tools.picture)
        return refusal_drawn_on(picture, self.place).with_shapes(self.marks)

    @property
    def faults(self) -> list[Message]:
        """The faults of the board, in words."""
        return Warnings(self.verdict.faults).sentences

    @property
    def status(self) -> Message | None:
        """The sentence that says what happened last; None before the first move."""
        if self.fault:
            return self.fault
        if self.is_solved:
            return Message("Solved!")
        if self.is_jammed:
            return Message("No move is left. Go back some moves or start again.")
        moves = split_moves(self.line)
        if self.is_undo:
            what = self.kind.describe(self.kind.read_move(self.redo))
            return Message(
                "Move undone: {what}. Moves so far: {number}", {"what": what, "number": len(moves)}
            )
        if not moves:
            return None
        what = self.kind.describe(self.kind.read_move(moves[-1]))
        return Message("Move {number}: {what}", {"number": len(moves), "what": what})

    @property
    def spoken_sentences(self) -> tuple[Message, ...]:
        """What a screen reader says of the press, in addition to the status."""
        if self.is_undo:
            undone = self.kind.play(self.position, self.kind.read_move(self.redo))
            return self.kind.announcements_after_undo(self.position, undone)
        return self.kind.announcements(self.position) if self.is_new else ()


def play(request: Request, kind: AnyKind, beginning: Any) -> Scratch:
    """Return the board after the request's press; the untouched board for a GET.

    If the request can't be read, return the untouched board with a message that says so.
    """
    untouched = Scratch(kind, beginning)
    if request.method != "POST":
        return untouched
    try:
        sent = read(request.POST, SentScratch)
        moves = split_moves(sent.line)
        board = Scratch(kind, beginning, " ".join(moves), sent.undone, sent.take or sent.tool)
        _ = board.redo, board.verdict
    except (ValidationError, PuzzleError):
        fault = Message("This could not be read. Please try again.")
        return Scratch(kind, beginning, fault=fault)
    if sent.take or sent.action == "look":
        return board
    if sent.action == "restart":
        return untouched
    if sent.action == "undo":
        if not moves:
            return board
        undone = f"{moves[-1]} {sent.undone}".strip()
        line = " ".join(moves[:-1])
        return Scratch(kind, beginning, line, undone, sent.tool, is_undo=True)
    return _with_move(board, sent.move or sent.redo or sent.typed)


def _with_move(board: Scratch, text: str) -> Scratch:
    kind, moves = board.kind, split_moves(board.line)
    if len(moves) >= MAX_MOVES:
        fault = Message("This attempt has too many moves. Please start again from the beginning.")
        return replace(board, fault=fault)
    try:
        move = kind.read_move(text)
        kind.play(board.position, move)
    except PuzzleError as refused:
        return replace(board, fault=refused.message, place=refused.place)
    written = kind.write_move(move)
    first, *rest = split_moves(board.undone) or [""]
    return replace(
        board,
        line=" ".join([*moves, written]),
        # After a different move, the undone moves no longer fit the board.
        undone=" ".join(rest) if first == written else "",
        is_new=True,
    )


def answer(request: Request, board: Scratch, page: str, context: dict[str, object]) -> HttpResponse:
    """Return the page with the board; for HTMX only the board.

    `context` has the address for presses as `url`, and the template for a solved board as `solved`.
    """
    context = context | {"scratch": board, "kind": board.kind, "tools": board.tools}
    if request.htmx:
        page = "practice/_scratch_answer.html"
    else:
        context |= {"is_page": True, "csrf_input": csrf_input(request)}
    response = render(request, page, context)
    return quietly_refused(request, response) if board.fault else response
