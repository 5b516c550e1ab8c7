"""The question `reason`: pieces of the player with which the others don't fit any more.

The elements are the pieces that the player has set. A set of them is met by a solution that has
them, with the other pieces taken back.
"""

from solvers.answers import Reason, ReasonAnswer
from solvers.kikazu import rules
from solvers.kikazu.rules import NAMES, PIECES, Move, Position
from solvers.kikazu.search import Race, problem_of
from solvers.kikazu.solutions import placements
from solvers.kind import Kind
from solvers.message import Message
from solvers.question import Run
from solvers.reasons import IMPOSSIBLE, ImpossibleSet, answer_with, impossible_set, start_with

SEARCH_SECONDS = 0.3
"""The most seconds for one set of pieces."""


def reason(kind: Kind[Position, Move], position: Position) -> Run[ReasonAnswer]:
    """Find a smallest set of the player's pieces with which no solution is left."""
    placed = rules.placed(position)

    def meet(kept: int) -> Run[int | None]:
        problem = problem_of(start_with(kind, position, placed, kept))
        if problem is None:
            return IMPOSSIBLE
        if not any(problem.hand):
            return kept
        race = Race(problem, keep=1)
        while not race.leader.finished and not race.leader.kept:
            if race.seconds > SEARCH_SECONDS:
                return None
            yield race.step()
        leaf = next(race.leader.leaves(), None)
        if leaf is None:
            return IMPOSSIBLE
        solution = {
            (piece, problem.cell(square)) for piece, square in next(placements(problem, leaf))
        }
        also = (n for n, move in enumerate(placed) if (move.piece, move.cell) in solution)
        return kept | sum(1 << n for n in also)

    found = yield from impossible_set(len(placed), meet)
    return answer_with(found, lambda found: _reason(kind, position, placed, found))


def _reason(
    kind: Kind[Position, Move], position: Position, placed: list[Move], found: ImpossibleSet
) -> Reason:
    here = start_with(kind, position, placed, found.elements)
    cells = [placed[number].cell for number in found.numbers()]
    word, message = _in_words(here, len(cells))
    return found.reason(word, message, cells)


def _in_words(position: Position, number: int) -> tuple[str, Message]:
    """Return the sort of the reason and its sentence, for the position with its pieces alone."""
    for attacker, victim in rules.conflicts(position):
        return "attack", rules.attack_message(position, attacker, victim)
    if obstacle := rules.obstacle(position):
        return "pieces", obstacle
    free = [move.piece for move in rules.moves(position)]
    for piece, left in zip(PIECES, position.hand):
        if free.count(piece) < left:
            fields: dict[str, Message | int] = {
                "piece": NAMES[piece],
                "left": left,
                "free": free.count(piece),
            }
            if number:
                return "squares", Message(
                    "Pieces besides the marked ones, {piece}: {left}. Safe squares that the marked "
                    "ones leave for them: {free}.",
                    fields,
                )
            return "squares", Message(
                "Pieces to place, {piece}: {left}. Safe squares for them at the start: {free}.",
                fields,
            )
    if not number:
        return "start", Message("The pieces can't all be placed on this board.")
    return "room", Message(
        "With the marked pieces where they stand, the others can't all be placed."
    )
