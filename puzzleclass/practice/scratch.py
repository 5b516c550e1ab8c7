"""Boards that are played and stored nowhere: introductions, guests' boards, single positions.

The moves made so far come with each press, and the rules read them anew: nobody can send a board
that the rules don't know. The browser plays them as it plays a student's board (static/steps.js).
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from django.http import HttpResponse
from django.shortcuts import render
from django.template.backends.utils import csrf_input
from msgspec import ValidationError

from puzzleclass.http import Request
from puzzleclass.play.board import ToolChoice, Warnings, refusal_drawn_on, tools_for
from puzzleclass.play.forms import MoveText, read
from solvers.kind import Place, PuzzleError, Verdict, split_moves
from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import AnyKind

MOST_MOVES = 300
"""On a board: more than any of them needs. All are replayed at each press."""

LineText = Annotated[str, msgspec.Meta(max_length=20 * MOST_MOVES, pattern=r"^[^\0]*$")]


class SentScratch(msgspec.Struct, frozen=True):
    """A press on a board, and what stood on it."""

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
    """A board as it stands after what was pressed."""

    kind: AnyKind
    beginning: Any
    """The position that is given: moves may have been made in it, which can't be taken back."""
    line: str = ""
    """The moves since."""
    undone: str = ""
    """Those taken back that can be made again, the next one first."""
    wanted_tool: str = ""
    fault: Message | None = None
    """Why what was pressed could not be done."""
    place: Place = field(default_factory=Place)
    is_new: bool = False
    """A move was made just now."""

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
        """No move is left, and it is not solved."""
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
        """The board, with what is wrong marked on it."""
        return refusal_drawn_on(
            Warnings(self.verdict.faults).drawn_on(self.tools.picture), self.place
        )

    @property
    def faults(self) -> list[Message]:
        """What the rules find wrong, in words."""
        return Warnings(self.verdict.faults).said

    @property
    def status(self) -> Message | None:
        """What happened last, in words."""
        if self.fault:
            return self.fault
        if self.is_solved:
            return Message("Solved!")
        if self.is_jammed:
            return Message("No move is left. Go back some moves or start again.")
        moves = split_moves(self.line)
        if not moves:
            return None
        what = self.kind.describe(self.kind.read_move(moves[-1]))
        return Message("Move {number}: {what}", {"number": len(moves), "what": what})


def play(request: Request, kind: AnyKind, beginning: Any) -> Scratch:
    """Return the board after what was sent; untouched for a GET.

    What can't be read begins anew and says so.
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
        fault = Message("This could not be read. Please do it again.")
        return Scratch(kind, beginning, fault=fault)
    if sent.take or sent.action == "look":
        return board
    if sent.action == "restart":
        return untouched
    if sent.action == "undo":
        undone = f"{moves[-1]} {sent.undone}".strip() if moves else ""
        return Scratch(kind, beginning, " ".join(moves[:-1]), undone, sent.tool)
    return _moved(board, sent.move or sent.redo or sent.typed)


def _moved(board: Scratch, text: str) -> Scratch:
    kind, moves = board.kind, split_moves(board.line)
    if len(moves) >= MOST_MOVES:
        fault = Message("This try has too many steps. Please start again from the beginning.")
        return replace(board, fault=fault)
    try:
        move = kind.read_move(text)
        kind.play(board.position, move)
    except PuzzleError as refused:
        return replace(board, fault=refused.message, place=refused.place)
    made = kind.write_move(move)
    first, *rest = split_moves(board.undone) or [""]
    return replace(
        board,
        line=" ".join([*moves, made]),
        # Another move than the one taken back leads elsewhere.
        undone=" ".join(rest) if first == made else "",
        is_new=True,
    )


def answer(request: Request, board: Scratch, page: str, context: dict[str, object]) -> HttpResponse:
    """Return the page around the board; for HTMX the board alone.

    `context` has the address that presses go to as `url`, and as `solved` the template that says
    what comes after.
    """
    context = context | {"scratch": board, "kind": board.kind, "tools": board.tools}
    status = 422 if board.fault else 200
    if request.htmx:
        return render(request, "practice/_scratch_answer.html", context, status=status)
    context |= {"is_page": True, "csrf_input": csrf_input(request)}
    return render(request, page, context, status=status)
