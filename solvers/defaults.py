"""Simple answers to the usual questions, based on a kind's own `count`.

They use nothing of a kind but its rules, so they are as slow as its count. They suit small boards
and serve a new kind until it has better solvers.
"""

import itertools
import math
import random
from bisect import bisect_right
from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any

from solvers import answers, options
from solvers.answers import BANDS, CountAnswer, Exact, GenerateAnswer, GeneratedBoard
from solvers.grid import write_cell
from solvers.hint import ALIVE, LEVEL, LIVE, NEXT, UNKNOWN, moves_to_keep, stages_of
from solvers.kind import Kind
from solvers.message import Message, gettext_noop
from solvers.question import Progress, Question, Run
from solvers.rating import UNDECIDED, UNSOLVABLE
from solvers.solutions import LISTING

GAMES = 400
"""The number of random games from which a difficulty is estimated, for each player."""

LONGEST_GAME = 100
"""The most moves of a random game. It ends the games of kinds whose moves never run out."""

CAREFUL_MOVES = 5
"""The most moves that the careful player examines to find one that leaves no fault."""

STARTS_PER_BOARD = 400
"""The most random starts examined for each board that is wanted."""

_LEVELS = (0.7, 1.3, 2.0)
"""The lowest levels of each of `BANDS` except the first."""

GENERATE = {
    "size": options.whole(gettext_noop("Size, from 1 to 8"), 3, 1, 8),
    "solutions": options.span(gettext_noop("Number of solutions"), "1..20", 1, 10**9),
    "many": options.whole(gettext_noop("Number of boards"), 5, 1, 100),
    "seed": options.seed(),
}
"""The options of `generate`."""


_QUESTIONS = {
    "count": Question(gettext_noop("How many solutions?"), "", CountAnswer),
    "solve": Question(gettext_noop("Is there a solution?"), f"{__name__}:solve", answers.Answer),
    "rate": Question(gettext_noop("How hard is it?"), f"{__name__}:rate", answers.RateAnswer),
    "hint": Question(
        gettext_noop("What can you do next?"),
        f"{__name__}:hint",
        answers.HintAnswer,
        "hint",
        options=LEVEL,
    ),
    "review": Question(
        gettext_noop("Which move made it unsolvable?"),
        "solvers.review:review",
        answers.ReviewAnswer,
        "review",
    ),
    "groups": Question(
        gettext_noop("How do the solutions differ?"),
        "solvers.groups:groups",
        answers.GroupsAnswer,
        is_compiled=False,
    ),
    "generate": Question(
        gettext_noop("Generate puzzles"), f"{__name__}:generate", GenerateAnswer, options=GENERATE
    ),
}

_OTHERS = {
    "solutions": Question(
        gettext_noop("Which solutions are there?"), "", answers.SolutionsAnswer, options=LISTING
    ),
    "estimate": Question(gettext_noop("About how many solutions?"), "", answers.EstimateAnswer),
}

REVIEW, GROUPS = _QUESTIONS["review"], _QUESTIONS["groups"]
"""The question where a line of moves lost its last solution, and the question how the solutions
differ. They suit every kind."""


def usual(name: str, solver: str, **changes: Any) -> Question:
    """Return one of the usual questions, `solutions` or `estimate`, with a kind's own solver.

    `solver` is a name `package.module:generator`. `changes` are the other fields of `Question`
    that differ.
    """
    return replace((_QUESTIONS | _OTHERS)[name], solver=solver, **changes)


def questions(count: str, *, position: str) -> dict[str, Question]:
    """Return the usual questions of a kind, by name.

    `count` is the name of the kind's solver of `count`, `package.module:generator`. `position` is
    a start that is used where the position does not matter. Use `|` to add other questions or to
    replace some of these (see `usual`).
    """
    generated = replace(_QUESTIONS["generate"], position=position)
    return _QUESTIONS | {"count": usual("count", count), "generate": generated}


def _count(kind: Kind[Any, Any], position: Hashable) -> Run[CountAnswer]:
    answer: CountAnswer = yield from kind.questions["count"].ask(kind, position)
    return answer


def solve(kind: Kind[Any, Any], position: Hashable) -> Run[answers.Answer]:
    """Search for one solution. The value is 1, with its moves, or 0 if there is none, or None if
    that was not decided."""
    counted = yield from _count(kind, position)
    if counted.value:
        return answers.Answer(Exact(1), counted.moves, proven=bool(counted.moves) or counted.proven)
    return answers.Answer(Exact(0)) if counted.proven else answers.Answer(None, proven=False)


def rate(kind: Kind[Any, Any], position: Hashable) -> Run[answers.RateAnswer]:
    """Estimate how hard the position is, from the share of random games that end solved.

    The careful player passes over moves that leave a fault. The answer is not proven, because it is
    an estimate. The games are the same each time.
    """
    solved = yield from solve(kind, position)
    if not solved.value:
        return UNSOLVABLE if solved.proven else UNDECIDED
    rng = random.Random(1)
    chances = []
    for careful in (False, True):
        won = 0
        for game in range(GAMES):
            won += _plays_well(kind, position, rng, careful)
            yield Progress(careful * GAMES + game, 2 * GAMES)
        # Laplace's rule of succession: a player without a win still has a chance above 0.
        chances.append((won + 1) / (GAMES + 2))
    lucky, careful_chance = chances
    level = -math.log10(careful_chance)
    return answers.RateAnswer(
        None,
        proven=False,
        random=lucky,
        careful=careful_chance,
        random_level=-math.log10(lucky),
        careful_level=level,
        error=math.sqrt(careful_chance * (1 - careful_chance) / GAMES),
        band=BANDS[bisect_right(_LEVELS, level)],
    )


def _plays_well(
    kind: Kind[Any, Any], position: Hashable, rng: random.Random, careful: bool
) -> bool:
    for _ in range(LONGEST_GAME):
        if kind.judge(position).solved:
            return True
        moves = list(kind.moves(position))
        rng.shuffle(moves)
        after = None
        for move in moves[: CAREFUL_MOVES if careful else 1]:
            after = kind.play(position, move)
            if not kind.judge(after).faults:
                break
        if after is None:
            return False
        position = after
    return False


def hint(kind: Kind[Any, Any], position: Hashable, *, level: str) -> Run[answers.HintAnswer]:
    """Return help with the position, as much as the `level` (see `solvers.hint`) allows.

    The next move is the first move of the solution that the count shows. If the count shows none,
    it is the move that leaves the most solutions. The region consists of the cells of the next
    move and the cells around them.
    """
    counted = yield from _count(kind, position)
    if not counted.proven and not counted.value:
        return UNKNOWN
    if not counted.value:
        stages = stages_of(kind, position)
        keep = yield from moves_to_keep(stages, lambda stage: _is_live(kind, stage))
        note = Message("This can't be solved any more.")
        return answers.HintAnswer(Exact(0), state="trapped", note=note, keep=keep)
    left = counted.value if counted.proven else None
    live = answers.HintAnswer(Exact(1), state="live", note=LIVE, left=left)
    if level == ALIVE or kind.judge(position).solved:
        return live
    best = kind.read_move(counted.moves[0]) if counted.moves else None
    most = 0
    for move in kind.moves(position) if best is None else ():
        after = yield from _count(kind, kind.play(position, move))
        if (after.value or 0) > most:
            best, most = move, int(after.value or 0)
    if best is None:
        return live
    rows, columns = kind.editor.size(kind.write_start(position))
    region = tuple(
        write_cell((r, c))
        for r, c in itertools.product(range(rows), range(columns))
        if any(abs(r - row) <= 1 and abs(c - column) <= 1 for row, column in kind.cells_of(best))
    )
    moves = (kind.write_move(best),) if level == NEXT else ()
    return answers.HintAnswer(Exact(1), moves, state="live", note=LIVE, left=left, region=region)


def _is_live(kind: Kind[Any, Any], position: Hashable) -> Run[bool | None]:
    counted = yield from _count(kind, position)
    return bool(counted.value) if counted.proven or counted.value else None


def generate(
    kind: Kind[Any, Any],
    position: Hashable,
    *,
    size: int,
    solutions: list[int],
    many: int,
    seed: int,
) -> Run[GenerateAnswer]:
    """Generate boards from the kind's random starts (`Kind.sample`).

    `solutions` is the range of the number of solutions, [least, most]. The position does not
    matter. The same seed yields the same boards.
    """
    rng = random.Random(seed)
    starts = (kind.sample(rng, size) for _ in itertools.count())
    note = Message("No more boards like this were found. Allow more solutions or more sizes.")
    return (yield from select_boards(kind, starts, solutions, many, note))


def select_boards(
    kind: Kind[Any, Any], starts: Iterable[Hashable], solutions: list[int], many: int, note: Message
) -> Run[GenerateAnswer]:
    """Return the unsolved starts with a number of solutions in the range [least, most].

    At most `STARTS_PER_BOARD` starts are examined for each of the `many` boards. The answer has the
    note if there are too few boards.
    """
    least, most = solutions
    selection: dict[str, GeneratedBoard] = {}
    for examined, start in zip(range(many * STARTS_PER_BOARD), starts):
        so_far = GenerateAnswer(boards=tuple(selection.values()))
        yield Progress(examined, many * STARTS_PER_BOARD, at_least=len(selection), found=so_far)
        text = kind.write_start(start)
        if text in selection or kind.judge(start).solved:
            continue
        counted = yield from _count(kind, start)
        if counted.proven and counted.value is not None and least <= counted.value <= most:
            selection[text] = GeneratedBoard(position=text, solutions=counted.value)
            if len(selection) == many:
                break
    return GenerateAnswer.of(selection.values(), many, note)
