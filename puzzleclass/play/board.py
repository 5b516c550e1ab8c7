"""What the student's page shows: the board, what happened last, the set, the solutions."""

from typing import Any

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.faults import warned
from puzzleclass.play.hand import Hand, hand_of
from puzzleclass.play.hint import hint_card
from puzzleclass.play.models import Attempt, FoundSolution, Step
from puzzleclass.play.outlook import told_outlook
from puzzleclass.play.score import score_card
from puzzleclass.play.services import StepRefused, known_total, puzzle_states
from solvers.kind import split_moves
from solvers.message import Message
from solvers.picture import Spot


def board_context(
    student: User,
    puzzle: AssignedPuzzle,
    attempt: Attempt | None,
    tool: str,
    refused: StepRefused | None = None,
) -> dict[str, Any]:
    """Return what the templates of the page need. `attempt` is the latest one, if any.

    `tool` is what the student has in the hand, or would like to: any text.
    """
    states = puzzle_states(student, puzzle.assignment.puzzles.all())
    place = [state.puzzle for state in states].index(puzzle)
    is_over = puzzle.assignment.is_over
    is_open = attempt is not None and attempt.state == Attempt.State.OPEN
    is_live = is_open and not is_over
    found = list(FoundSolution.objects.filter(student=student, puzzle=puzzle))
    kind, position = puzzle.kind, attempt.position if attempt else puzzle.start
    verdict = kind.judge(position)
    # A board whose mark is reached stays open as long as its score can be beaten.
    is_solved = attempt is not None and (not is_open or bool(verdict.solved and attempt.line))
    hand = hand_of(kind, position, tool) if is_live else None
    faults = warned(puzzle, position, verdict)
    outlook = told_outlook(attempt) if is_live else None
    hint = hint_card(attempt, outlook) if is_live else None
    picture = faults.mark(hand.picture if hand else kind.draw(position))
    return {
        "puzzle": puzzle,
        "assignment": puzzle.assignment,
        "attempt": attempt,
        "picture": hint.mark(picture) if hint else picture,
        "hint": hint,
        "outlook": outlook,
        "hand": hand,
        "example": _example(hand) if hand else "",
        "score": score_card(student, puzzle, verdict, may_see_records=bool(found) or is_over),
        "faults": faults,
        "is_over": is_over,
        "is_solved": is_solved,
        "is_live": is_live,
        "refused": refused,
        "status": status(attempt) if attempt else None,
        "states": states,
        "previous": states[place - 1].puzzle if place else None,
        "next": states[place + 1].puzzle if place + 1 < len(states) else None,
        "found": [_with_picture(puzzle, solution) for solution in found],
        "total": known_total(puzzle) if puzzle.assignment.shows_total else None,
        **(_solved(attempt, found) if is_solved else {}),
    }


def _example(hand: Hand) -> str:
    """Return a move as it may be typed: what some press would do. Empty when there is none."""
    spots = (shape for shape in hand.picture.shapes if isinstance(shape, Spot))
    names = {**hand.tools, **hand.movable}
    return next((spot.move for spot in spots if spot.move not in names), "")


def _with_picture(puzzle: AssignedPuzzle, solution: FoundSolution) -> dict[str, Any]:
    kind = puzzle.kind
    return {
        "line": solution.line,
        "picture": kind.draw(kind.play_line(puzzle.start, solution.line)),
    }


def _solved(attempt: Attempt, found: list[FoundSolution]) -> dict[str, Any]:
    """Return which of the student's solutions this try is, and whether it is new."""
    text = attempt.puzzle.kind.solution(attempt.position)
    number, solution = next(
        (number, solution) for number, solution in enumerate(found, 1) if solution.text == text
    )
    # Stored together with the step that found it, so with the same time.
    return {"solution_number": number, "is_new": solution.found_at == attempt.last_at}


def status(attempt: Attempt) -> Message:
    """Return the last thing that happened on the board, in words."""
    if attempt.state == Attempt.State.SOLVED:
        return Message("Solved!")
    if attempt.is_jammed:
        return Message("No move is left. Go back some moves or start again.")
    last = attempt.steps.last()
    moves = split_moves(attempt.line)
    if last is None:
        if attempt.number == 1:
            return Message("The board is ready. Make the first move.")
        return Message("A new try: the board is as it was at the start.")
    if last.action == Step.Action.UNDO:
        return Message("One move taken back. Moves so far: {number}", {"number": len(moves)})
    return Message(
        "Move {number}: {what}", {"number": len(moves), "what": _told(attempt, moves[-1])}
    )


def _told(attempt: Attempt, move: str) -> Message:
    kind = attempt.puzzle.kind
    return kind.told(kind.read_move(move))
