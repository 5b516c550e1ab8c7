"""The question `hint` of every kind, checked by the rules alone."""

import random
from itertools import combinations

import msgspec
import pytest

from solvers.answers import HintAnswer
from solvers.contract import brute
from solvers.grid import write_cell
from solvers.hint import ALIVE, LEVEL, NEXT, REGION, moves_to_keep, stages_of
from solvers.kikazu.hint import standing
from solvers.maxstrings import reference as maxstrings_reference
from solvers.question import Progress, finish
from solvers.registry import AnyKind, get_kind, kinds

KINDS = [kind for kind in kinds().values() if "hint" in kind.questions]

every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)


def ask(kind: AnyKind, position: object, level: str = ALIVE) -> HintAnswer:
    return finish(kind.questions["hint"].ask(kind, position, level=level))


def random_lines(kind: AnyKind, seed: int, number: int):
    """Yield positions small enough for brute force, along random lines that take nothing back."""
    rng = random.Random(seed)
    for _ in range(number):
        position = kind.sample(rng, 3)
        yield position
        for _ in range(6):
            texts = [(kind.write_move(move), move) for move in kind.moves(position)]
            moves = [move for text, move in texts if not text.startswith("-")]
            if not moves:
                break
            position = kind.play(position, rng.choice(moves))
            yield position


def solvable(kind: AnyKind, position: object) -> bool:
    if kind.slug == "maxstrings":
        return bool(maxstrings_reference.solve(kind, position))
    return bool(brute.solve(kind, position))


@every_kind
def test_every_kind_has_the_levels(kind):
    assert kind.questions["hint"].options == LEVEL
    assert kind.questions["hint"].queue == "hint"


@every_kind
def test_the_state_and_the_numbers_agree_with_the_rules(kind):
    seen = set()
    for position in random_lines(kind, seed=7, number=40):
        told = ask(kind, position)
        if told.value is None:
            # A position without a goal has nothing to reach.
            assert kind.judge(position).goal is None and kind.slug == "maxstrings"
        else:
            assert told.proven
            assert told.value == solvable(kind, position), kind.write(position)
            assert told.value == (told.state == "live")
            seen.add(told.value)
            if kind.obstacles:
                doomed = kind.obstacles.doomed(position) or kind.judge(position).faults
                assert (told.state == "doomed") == bool(doomed)
        assert not told.moves
        if told.left is not None:
            assert told.left == brute.count(kind, position), kind.write(position)
            seen.add("left")
        if told.reach is not None:
            assert told.reach == maxstrings_reference.best(kind, position)
            assert told.optimum == maxstrings_reference.best(kind, kind.start(position))
            seen.add("reach")
    assert seen == {0, 1, "reach" if kind.slug == "maxstrings" else "left"}


@every_kind
def test_the_levels_tell_ever_more_of_the_same(kind):
    for position in random_lines(kind, seed=8, number=12):
        alive, region, plain = (ask(kind, position, level) for level in (ALIVE, REGION, NEXT))
        assert alive.value == region.value == plain.value
        for name, value in msgspec.structs.asdict(alive).items():
            if value not in (None, (), ""):
                assert getattr(region, name) == getattr(plain, name) == value
        assert not region.moves
        if plain.value == 1 and plain.moves:
            cell = write_cell(kind.cell_of(kind.read_move(plain.moves[0])))
            assert cell in region.region
            assert solvable(kind, kind.play_line(position, plain.moves[0]))


@every_kind
def test_the_way_back_ends_where_it_can_be_solved_last(kind):
    found = 0
    for position in random_lines(kind, seed=9, number=80 if kind.slug == "kikazu" else 12):
        told = ask(kind, position)
        if told.value != 0:
            continue
        stages = stages_of(kind, position)
        assert stages[-1] == position
        live = [number for number, stage in enumerate(stages) if solvable(kind, stage)]
        # Nothing is taken back on these lines, so a lost position stays lost.
        assert told.keep == max(live, default=None), kind.write(position)
        found += bool(live)
    assert found


def fewest_to_clear(kind: AnyKind, position: object) -> int:
    """Return the least number of pieces on the board that must go, found by examining every set."""
    placed, start = standing(position), kind.start(position)
    for number in range(len(placed) + 1):
        for rest in combinations(placed, len(placed) - number):
            stage = start
            for move in rest:
                stage = kind.play(stage, move)
            if brute.solve(kind, stage):
                return number
    raise AssertionError("it never could be solved")


def test_as_few_pieces_as_possible_are_to_be_cleared():
    kind = get_kind("kikazu")
    known = kind.read("4/4/4 RBL2P | L 2,1 P 1,3 P 2,2 B 2,3")
    lost = [known, *random_lines(kind, seed=9, number=400)]
    told = [(position, ask(kind, position, REGION)) for position in lost]
    wrong = [(position, answer.wrong) for position, answer in told if answer.wrong]
    assert wrong[0][0] == known and len(wrong[0][1]) == 1
    assert len(wrong) > 40
    for position, squares in wrong:
        cleared = position
        for square in squares:
            cleared = kind.play(cleared, kind.read_move(f"- {square}"))
        assert solvable(kind, cleared), kind.write(position)
        assert len(squares) == fewest_to_clear(kind, position), kind.write(position)


@pytest.mark.parametrize("stages", range(1, 40))
def test_the_way_back_is_found_in_few_looks(stages):
    for live in range(stages):
        looks = []

        def is_live(stage: int, live: int = live, looks: list[int] = looks):
            looks.append(stage)
            yield Progress(0, 1)
            return stage < live

        keep = finish(moves_to_keep(range(stages), is_live))
        assert keep == (live - 1 if live else None)
        assert len(looks) == len(set(looks)) <= 2 * stages.bit_length() + 1
        if live == stages - 1 and live:
            assert len(looks) == 1


def test_an_undecided_position_is_not_returned_to():
    def is_live(stage: int):
        yield Progress(0, 1)
        return None if stage else True

    assert finish(moves_to_keep(range(9), is_live)) == 0


# Answers about starts, for those who draw them


@pytest.mark.parametrize(
    ("slug", "start", "value", "words"),
    [
        ("goishi", "o./oo/../oo", 1, "This board can be solved."),
        ("goishi", "o./.o", 0, "No other stone stands in the row or column of these stones."),
        ("goishi", ".o./ooo/.o.", 0, "Each of these 4 stones is a dead end"),
        ("tonari", "Bbbb/bbbb/bbbb/bbbb", 1, "The target can be reached."),
        ("tonari", "Bwwb/wbbb/wbww/bwbw", 0, "All orders were ruled out by a search."),
        ("tonari", "Bbb/bbb/bbw", 0, "An even number of them will end white"),
        ("maxstrings", ".../.../... 6", 1, "The strings asked for can be reached."),
        ("maxstrings", "xx./.../... 6", 0, "The strings asked for can't be reached on this board."),
        ("kikazu", "S2/3/3 RGP", 1, "All the pieces can be placed."),
        ("kikazu", "3/3/3 5G", 0, "These 5 pieces don't fit on the board together."),
    ],
)
def test_a_start_in_words(slug, start, value, words):
    kind = get_kind(slug)
    told = ask(kind, kind.read(start))
    assert told.value == value
    said = [str(message) for message in (told.note, told.reason) if message]
    assert any(words in text for text in said), said


@pytest.mark.parametrize(
    ("slug", "position", "left"),
    [
        ("tonari", "Bbbb/bbbb/bbbb/bbbb", 5813496),
        ("kikazu", "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L18P", 3720),
        ("goishi", "o./oo/../oo", 5),
        ("goishi", "o./oo/../oo | 1,1 2,1", 2),
    ],
)
def test_solutions_left_on_known_boards(slug, position, left, monkeypatch):
    # What is counted quickly takes longer on a busy machine.
    monkeypatch.setattr(f"solvers.{slug}.hint.COUNT_SECONDS", 60)
    kind = get_kind(slug)
    assert ask(kind, kind.read(position)).left == left


def test_a_board_too_large_to_look_through_is_not_looked_through():
    kind = get_kind("maxstrings")
    for position in ("19x19 | x 1,1", "#.................." + "/..................." * 18):
        told = ask(kind, kind.read(position))
        assert (told.value, told.proven) == (None, False)
        assert "too large" in told.note.text
    start = ask(kind, kind.read("19x19"))
    assert (start.value, start.reach, start.optimum) == (1, 277, 277)


def test_the_most_strings_are_told_beside_a_lower_goal():
    kind = get_kind("maxstrings")
    position = kind.read("3x3 5 | x 1,1 x 1,2")
    told = ask(kind, position)
    assert (told.value, told.goal, told.optimum) == (1, 5, 6)
    assert told.reach == maxstrings_reference.best(kind, position) == 5
