"""How `count` splits: by the first stone. What begins with different stones never overlaps.

Two halves look at 55 to 65 percent of the situations each, as many are reached from starts of
both. Stones from all over the board go into each part, which makes the parts alike; those that
a symmetry of the board exchanges stay together, to be counted once.
"""

from collections.abc import Sequence
from typing import Any

from solvers.goishi.network import network
from solvers.goishi.rules import Position
from solvers.grid import write_cell
from solvers.kind import Answer, Cell, Kind


def parts(kind: Kind[Position, Cell], position: Position, number: int) -> list[dict[str, Any]]:
    """Return the options of `count` for at most `number` parts; all solutions are in one each."""
    board, starts = network(position)
    if not starts:
        return [{}]
    symmetries = board.symmetries() if not position.picked else []
    orbits: dict[int, list[str]] = {}
    for state in starts:
        least = min([state.stone, *(symmetry.stones[state.stone] for symmetry in symmetries)])
        orbits.setdefault(least, []).append(write_cell(board.cells[state.stone]))
    groups = list(orbits.values())
    return [
        {"first": [move for group in groups[part::number] for move in group]}
        for part in range(min(number, len(groups)))
    ]


def combine(answers: Sequence[Answer]) -> Answer:
    """Return the whole count from those of all parts: proven when all are, else a lower bound."""
    details: dict[str, Any] = {"states": sum(answer.details.get("states", 0) for answer in answers)}
    by_moves = [answer.details.get("by_move") for answer in answers]
    if all(by_moves):
        details["by_move"] = {
            move: str(sum(int(by_move[move]) for by_move in by_moves if by_move))
            for move in by_moves[0] or {}
        }
    notes = [answer.details["note"] for answer in answers if "note" in answer.details]
    if notes:
        details["note"] = notes[0]
    if not all(answer.proven for answer in answers):
        details |= _estimate(answers)
    return Answer(
        sum(answer.value or 0 for answer in answers),
        next((answer.moves for answer in answers if answer.moves), ()),
        all(answer.proven for answer in answers),
        details,
    )


def _estimate(answers: Sequence[Answer]) -> dict[str, float]:
    """Return the estimate of the sum, where each part is counted or estimated on its own."""
    if not all(answer.proven or "estimate" in answer.details for answer in answers):
        return {}
    means = [
        float(answer.value or 0) if answer.proven else answer.details["estimate"]
        for answer in answers
    ]
    # The parts play by the same random numbers, so their errors may go hand in hand.
    error = sum(answer.details["error"] for answer in answers if not answer.proven)
    return {"estimate": float(f"{sum(means):.4g}"), "error": float(f"{error:.2g}")}
