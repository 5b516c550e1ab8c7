"""Whether all answers about a position agree with each other and with the rules alone.

A statement on a page may come from any question: the numbers on the board from `count`, the map of
a class from `count` or `review`, the look-ahead from `hint`. `check` asks all of them about one
position and compares them with brute force. `boards` makes positions with clues of every sort that
the kind's editor has.
"""

import random
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from solvers.answers import CountAnswer, GroupsAnswer, HintAnswer, ReviewAnswer, SolutionsAnswer
from solvers.contract import brute
from solvers.contract.boards import make_ask, pressed
from solvers.hint import stages_of
from solvers.kind import IllegalMove, PuzzleError, split_moves
from solvers.registry import AnyKind, references
from solvers.symmetry import symmetries

MAX_MOVES = 12
"""The most legal moves of a position whose solutions a kind's own reference finds."""

MAX_LINES = 1500
"""The most positions on all lines of moves from a position that is walked through."""

LONGEST_LINE = 4
"""The most moves that are played before a position is checked."""

LISTED = 10_000


def boards(kind: AnyKind, rng: random.Random, largest: int) -> Iterator[Any]:
    """Yield small random positions without end, with clues that the editor paints, in mid-game, and
    with pieces taken back or set elsewhere."""
    while True:
        start = _painted(kind, rng, kind.sample(rng, rng.randint(1, largest)))
        position = start
        for _ in range(rng.randint(0, LONGEST_LINE)):
            moves = list(map(kind.write_move, kind.moves(position)))
            if not moves or rng.random() < 0.2:
                moves = sorted(pressed(kind, position)) or moves
            try:
                position = kind.play(position, kind.read_move(rng.choice(moves)))
            except (IllegalMove, IndexError):
                break
        for stage in dict.fromkeys((start, position)):
            if _is_small(kind, stage):
                yield stage


def _painted(kind: AnyKind, rng: random.Random, start: Any) -> Any:
    """Return the start, with some cells painted by the editor if that makes a start."""
    drawing = kind.write_start(start)
    rows, columns = kind.editor.size(drawing)
    for _ in range(rng.choice((0, 1, 2, 4))):
        cell = rng.randrange(rows), rng.randrange(columns)
        try:
            drawing = kind.editor.paint(drawing, cell, rng.choice([*kind.editor.brushes]))
        except PuzzleError:
            continue
    try:
        return kind.read(drawing)
    except PuzzleError:
        return start


def _is_small(kind: AnyKind, position: Any) -> bool:
    """Return whether brute force is quick from each stage of the position's line."""
    start = kind.start(position)
    if references(kind):
        return len(list(kind.moves(start))) <= MAX_MOVES
    waiting, seen = [(start, 0)], 0
    while waiting:
        here, depth = waiting.pop()
        seen += 1
        if seen > MAX_LINES or depth > brute.LONGEST_LINE:
            return False
        waiting += ((kind.play(here, move), depth + 1) for move in kind.moves(here))
    return True


@lru_cache(maxsize=4096)
def solutions_by_the_rules(kind: AnyKind, position: Hashable) -> int:
    """Return the number of solutions that the position leads to, by brute force."""
    reference = brute.reference(kind, "count")
    assert reference
    return reference(kind, position) or 0


@lru_cache(maxsize=4096)
def is_solvable(kind: AnyKind, position: Hashable) -> bool:
    """Return whether the position leads to a solution, by brute force."""
    reference = brute.reference(kind, "solve")
    assert reference
    return bool(reference(kind, position))


@dataclass(frozen=True, slots=True)
class Checked:
    """What could be compared on a position."""

    by_moves: int
    """The number of counts by move."""
    is_listed: bool
    is_grouped: bool
    is_hinted: bool


def check(kind: AnyKind, position: Any) -> Checked:
    """Assert that the answers about a position agree with each other and with brute force."""
    text = kind.write(position)
    counted: CountAnswer = make_ask(kind)("count", position)
    number = solutions_by_the_rules(kind, position)
    live = is_solvable(kind, position)
    if counted.proven:
        assert counted.value == number, f"{text} has {number} solutions, not {counted.value}"
        assert bool(number) == live, f"the references “count” and “solve” differ on {text}"
    else:
        assert (counted.value or 0) <= number or (live and counted.value == 1), (
            f"the bound {counted.value} of “count” is too high: {text}"
        )
        assert live or not counted.value, f"“count” finds a solution of {text}"
    _check_moves_counted(kind, position, counted)
    _check_solve(kind, position, live)
    _check_rating(kind, position, live)
    _check_review(kind, position)
    return Checked(
        len(counted.by_move),
        _check_list(kind, position, counted),
        _check_groups(kind, position, counted),
        _check_hint(kind, position, live),
    )


def _check_moves_counted(kind: AnyKind, position: Any, counted: CountAnswer) -> None:
    """Assert that `by_move` has the number of solutions after each move."""
    legal = {kind.write_move(move): move for move in kind.moves(position)}
    for text, number in counted.by_move.items():
        assert text in legal, f"“count” counts {text}, which is no move: {kind.write(position)}"
        after = kind.play(position, legal[text])
        left = solutions_by_the_rules(kind, after)
        assert number == left, (
            f"{text} on {kind.write(position)} leaves {left} solutions; by_move says {number}"
        )
    if kind.family == "sequence" and counted.by_move and not kind.judge(position).solved:
        assert counted.by_move.keys() == legal.keys(), "by_move must have all moves, or none"
        assert sum(counted.by_move.values()) == counted.value


def _check_solve(kind: AnyKind, position: Any, live: bool) -> None:
    if "solve" in kind.questions:
        solved = make_ask(kind)("solve", position)
        assert not solved.proven or bool(solved.value) == live, (
            f"“solve” says {solved.value} of {kind.write(position)}"
        )


def _check_list(kind: AnyKind, position: Any, counted: CountAnswer) -> bool:
    """Assert that `solutions` lists what `count` counts. Return whether there is a whole list."""
    if "solutions" not in kind.questions:
        return False
    text, ask = kind.write(position), make_ask(kind)
    listed: SolutionsAnswer = ask("solutions", position, first=1, limit=LISTED)
    if not listed.proven:
        return False
    assert counted.proven, f"“solutions” knows all solutions of {text}, but “count” does not"
    assert listed.value == counted.value == len(listed.solutions), (
        f"{len(listed.solutions)} solutions of {text} are listed, {counted.value} are counted"
    )
    ends = [kind.play_line(position, line) for line in listed.solutions]
    assert all(kind.judge(end).solved for end in ends)
    assert len({kind.solution(end) for end in ends}) == len(ends), f"a solution is twice: {text}"
    if len(ends) > 1:
        second = ask("solutions", position, first=2, limit=1)
        assert second.solutions == listed.solutions[1:2] and second.more == (len(ends) > 2)
    if position == kind.start(position):
        for move, number in counted.by_move.items():
            assert sum(move in kind.counted_moves(end) for end in ends) == number, (
                f"by_move and counted_moves differ for {move} on {text}"
            )
    return True


def _check_groups(kind: AnyKind, position: Any, counted: CountAnswer) -> bool:
    """Assert that `groups` has the counted solutions. Return whether they are grouped."""
    if "groups" not in kind.questions:
        return False
    text = kind.write(position)
    answer: GroupsAnswer = make_ask(kind)("groups", position)
    assert answer.proven == counted.proven and answer.value == counted.value, (
        f"“groups” has {answer.value} solutions of {text}, “count” has {counted.value}"
    )
    for group in answer.by_move:
        after = kind.play(position, kind.read_move(group.key))
        assert group.size == solutions_by_the_rules(kind, after), (
            f"the group {group.key} of {text} has the wrong size"
        )
    for name, grouped in answer.groupings.items():
        assert sum(group.size for group in grouped.groups) == answer.value
        ends = [kind.play_line(position, group.line) for group in grouped.groups]
        named = [kind.groupings[name].describe(end) for end in ends]
        assert len({str(each) for each in named}) == len(named) or None in named, (
            f"two groups by “{name}” of {text} have one name: {[str(each) for each in named]}"
        )
    return bool(answer.groupings)


def _check_hint(kind: AnyKind, position: Any, live: bool) -> bool:
    """Assert that each level of `hint` is true. Return whether it knows anything."""
    if "hint" not in kind.questions:
        return False
    text = kind.write(position)
    stages = stages_of(kind, position)
    for level in kind.questions["hint"].options["level"].choices:
        hint: HintAnswer = make_ask(kind)("hint", position, level=level)
        if hint.value is None:
            assert not hint.state and not hint.moves, f"“hint” is undecided, but helps: {text}"
            continue
        assert bool(hint.value) == live, f"“hint” calls {text} {hint.state}"
        assert (hint.state == "live") == live
        if hint.left is not None:
            assert hint.left == solutions_by_the_rules(kind, position), (
                f"“hint” says that {hint.left} solutions of {text} are left"
            )
        if hint.keep is not None:
            assert not live and is_solvable(kind, stages[hint.keep]), (
                f"“hint” keeps {hint.keep} moves of {text}, which can't be solved then"
            )
        if live and hint.moves:
            after = kind.play_line(position, hint.moves[0])
            assert is_solvable(kind, after), f"“hint” gives {text} away by {hint.moves[0]}"
            if hint.sure is not None:
                left = solutions_by_the_rules(kind, after)
                assert hint.sure == (left == solutions_by_the_rules(kind, position))
    return True


def _check_review(kind: AnyKind, position: Any) -> None:
    """Assert that `review` names the move after which no stage could be solved, and counts what was
    left at each stage."""
    if "review" not in kind.questions:
        return
    text, stages = kind.write(position), stages_of(kind, position)
    answer: ReviewAnswer = make_ask(kind)("review", position)
    live = [number for number, stage in enumerate(stages) if is_solvable(kind, stage)]
    if answer.proven:
        last = live[-1] if live else None
        value = None if last is None else 0 if last == len(stages) - 1 else last + 1
        assert answer.value == value, f"“review” of {text} must be {value}, not {answer.value}"
    for stage, left in zip(stages, answer.left):
        assert left is None or left == solutions_by_the_rules(kind, stage), (
            f"“review” counts {left} solutions of {kind.write(stage)}"
        )


def _check_rating(kind: AnyKind, position: Any, live: bool) -> None:
    """Assert that a board without a solution has no difficulty."""
    if "rate" in kind.questions and not live:
        rated = make_ask(kind)("rate", position)
        assert not rated.band, f"“rate” calls {kind.write(position)}, without a solution, hard"
        assert rated.note, "“rate” must say why there is no difficulty"


def check_turned(kind: AnyKind, start: Any) -> None:
    """Assert that images of a start have equal counts, and groups of equal sizes. Otherwise an
    answer depends on which of several equal things was taken.

    The solutions of an image are those of the start, turned or mirrored: `turned` returns no board
    on which the rules mean something else.
    """
    if "solutions" not in kind.questions:
        return
    ask = make_ask(kind)
    listed: SolutionsAnswer = ask("solutions", start, first=1, limit=LISTED)
    counted: CountAnswer = ask("count", start)
    for symmetry in symmetries(*kind.editor.size(kind.write_start(start))):
        turned = kind.turned(start, symmetry)
        if turned is None or turned == start or not (listed.proven and listed.solutions):
            continue
        other: CountAnswer = ask("count", turned)
        lines = [
            " ".join(
                kind.write_move(kind.turned_move(kind.read_move(move), symmetry))
                for move in split_moves(line)
            )
            for line in listed.solutions
        ]
        assert other.value == counted.value and _all_solve(kind, turned, lines), (
            f"{kind.write(turned)} is no image of {kind.write(start)} by the rules"
        )
        legal = {kind.write_move(move): move for move in kind.moves(start)}
        for text, number in counted.by_move.items():
            image = kind.write_move(kind.turned_move(legal[text], symmetry))
            assert other.by_move.get(image) == number, (
                f"{text} on {kind.write(start)} and {image} on {kind.write(turned)} differ"
            )
        if "groups" in kind.questions:
            assert _sizes(ask("groups", start)) == _sizes(ask("groups", turned)), (
                f"{kind.write(start)} and {kind.write(turned)} have different groups"
            )


def _all_solve(kind: AnyKind, start: Any, lines: list[str]) -> bool:
    """Return whether all of these lines solve a start."""
    try:
        return all(kind.judge(kind.play_line(start, line)).solved for line in lines)
    except IllegalMove:
        return False


def _sizes(answer: GroupsAnswer) -> dict[str, list[int]]:
    """Return the sizes of the groups of each grouping."""
    return {
        name: sorted(group.size for group in grouped.groups)
        for name, grouped in answer.groupings.items()
    }


def check_many(kind: AnyKind, seed: int, number: int, largest: int = 3) -> list[Checked]:
    """Check `number` random positions of a kind. Return what could be compared on each."""
    checked = []
    for position in islice(boards(kind, random.Random(seed), largest), number):
        checked.append(check(kind, position))
        if position == kind.start(position):
            check_turned(kind, position)
    return checked
