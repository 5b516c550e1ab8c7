"""Tests of the files in a kind's folder, and of its introduction."""

from typing import Any

from solvers.answers import BANDS
from solvers.capabilities import TinyBoard
from solvers.contract import brute
from solvers.contract.boards import make_ask
from solvers.kind import IllegalMove, split_moves
from solvers.registry import AnyKind, collection, demo_boards, examples
from solvers.styles import unknown_styles

MAX_SOLUTIONS = 1000
"""The most solutions of a puzzle in the collection that is counted again."""
STRIDE = 5
"""The distance of the puzzles in the collection that are examined for counting again."""
MAX_AIM = 80
"""The most characters of the aim, which is one line above the board."""
MAX_MOVES = 6
"""The most moves that a board of the introduction needs."""


def test_there_is_an_example_and_one_that_is_shown(kind: AnyKind) -> None:
    assert examples(kind), "examples.toml must contain at least one board with known answers"


def test_the_demo_boards_are_puzzles(kind: AnyKind) -> None:
    for board in demo_boards(kind):
        assert kind.write(kind.read(board.position)) == board.position, (
            f"demo.toml: write the position of “{board.title}” as the kind writes it"
        )
        if board.solution:
            assert kind.judge(kind.play_line(kind.read(board.position), board.solution)).solved, (
                f"demo.toml: the solution of “{board.title}” does not solve it"
            )


def test_the_collection_goes_from_easy_to_hard(kind: AnyKind) -> None:
    puzzles = collection(kind)
    levels = [puzzle.level for puzzle in puzzles]
    assert levels == sorted(levels), "collection.toml: sort the puzzles by level"
    assert set(levels) == set(range(1, max(levels, default=0) + 1)), "number the levels from 1"
    difficulties = [puzzle.difficulty for puzzle in puzzles]
    assert difficulties == sorted(difficulties), "collection.toml: sort by difficulty"
    bands = [BANDS.index(puzzle.band) for puzzle in puzzles]
    assert bands == sorted(bands), "a more difficult puzzle must not have an easier band"


def test_the_collection_has_no_puzzle_twice(kind: AnyKind) -> None:
    seen: dict[str, str] = {}
    for puzzle in collection(kind):
        position = kind.read(puzzle.position)
        assert kind.write(position) == puzzle.position
        assert not kind.judge(position).solved and list(kind.moves(position)), puzzle.position
        other = seen.setdefault(kind.canonical(position), puzzle.position)
        assert other == puzzle.position, (
            f"collection.toml: {puzzle.position} is {other} turned or mirrored"
        )
    assert len(seen) == len(collection(kind)), "collection.toml contains a puzzle twice"


def test_the_counts_of_the_collection_are_right(kind: AnyKind) -> None:
    for number, puzzle in enumerate(collection(kind)):
        if puzzle.solutions <= MAX_SOLUTIONS and number % STRIDE == 0:
            answer = make_ask(kind)("count", puzzle.position)
            assert answer.proven and answer.value == puzzle.solutions, (
                f"collection.toml: {puzzle.position} has {answer.value} solutions"
            )


def test_the_aim_is_one_line(kind: AnyKind) -> None:
    assert len(kind.aim) <= MAX_AIM, f"the aim may have at most {MAX_AIM} characters"


def is_solvable(kind: AnyKind, position: Any) -> bool:
    """Return whether the position leads to a solution, by the reference implementation."""
    solve = brute.reference(kind, "solve")
    assert solve
    return bool(solve(kind, position))


def test_an_introduction_is_unsolved_and_is_solved_in_a_few_moves(
    kind: AnyKind, tiny: TinyBoard
) -> None:
    position = kind.read(tiny.position)
    assert kind.write(position) == tiny.position
    assert not kind.judge(position).solved, f"{tiny.position} is solved already"
    assert is_solvable(kind, position), f"{tiny.position} has no solution"
    # The next test plays the solution, if there is one.
    fewest = len(split_moves(tiny.solution)) if tiny.solution else _fewest(kind, position)
    assert fewest <= MAX_MOVES, f"{tiny.position} needs more than {MAX_MOVES} moves"


def _fewest(kind: AnyKind, position: Any) -> int:
    """Return the number of moves of a shortest solution, by breadth-first search."""
    boards = [position]
    for moves in range(MAX_MOVES + 1):
        if any(kind.judge(board).solved for board in boards):
            return moves
        after = [kind.play(board, move) for board in boards for move in kind.moves(board)]
        boards = list(
            {
                kind.draw(board).text + str(_recent_moves(kind, board)): board for board in after
            }.values()
        )
    return MAX_MOVES + 1


def _recent_moves(kind: AnyKind, position: Any) -> object:
    """Return what matters besides the picture: the last two moves of a sequence, which determine
    how it can go on. For a placement this is nothing."""
    return kind.line(position)[-2:] if kind.family == "sequence" else None


def test_the_finger_of_an_introduction_leads_to_a_solution(kind: AnyKind, tiny: TinyBoard) -> None:
    if not tiny.solution:
        return
    position = kind.read(tiny.position)
    for text in split_moves(tiny.solution):
        assert not kind.judge(position).solved, f"“{tiny.solution}” goes on after the solution"
        move = kind.read_move(text)
        assert kind.write_move(move) == text, f"write “{text}” as the kind writes it"
        styles = {shape.style for shape in kind.shown_to_beginners(position, move)}
        unknown = sorted(unknown_styles(kind.slug, styles))
        assert not unknown, f"shown_to_beginners has styles that are not shared: {unknown}"
        position = kind.play(position, move)
    assert kind.judge(position).solved, f"“{tiny.solution}” does not solve {tiny.position}"


def test_the_slip_of_an_introduction_goes_against_the_rule(kind: AnyKind, tiny: TinyBoard) -> None:
    position = kind.read(tiny.position)
    *first, last = split_moves(tiny.slip) or [""]
    if not last:
        return
    position = kind.play_line(position, " ".join(first))
    assert not kind.judge(position).faults, "only the last move of a slip may break a rule"
    try:
        slipped = kind.play(position, kind.read_move(last))
    except IllegalMove:
        return
    assert kind.judge(slipped).faults or not is_solvable(kind, slipped), (
        f"the last move of the slip “{tiny.slip}” must be refused, cause a fault or make the board "
        "unsolvable"
    )
