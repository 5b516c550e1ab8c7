"""The non-attacking pieces: counting, by known numbers, a slow reference and both searches."""

import random
from collections import Counter
from functools import cache

import pytest

from solvers.contract.boards import make_ask
from solvers.kikazu import KIND
from solvers.kikazu.count import symmetric
from solvers.kikazu.rules import PIECES, Position, mirrored
from solvers.kikazu.search import Search, problem_of
from solvers.kikazu.solutions import placements
from solvers.kind import split_moves
from solvers.question import Progress
from solvers.solutions import MAX_SOLUTIONS
from tests.solvers.kikazu_boards import FULL_SET, board, middling, reference, run

ask = make_ask(KIND)

# Further counts are in examples.toml; the contract tests check them.
KNOWN = [
    (9, 9, "R2 B2 N4 P32", 26, 13),
    (9, 9, "R2 B2 N4 P33", 0, 0),
    (9, 9, "R2 B2 K2 G4 S4 N4 P22", 5040, 2520),
    (9, 9, "R2 B2 K2 G4 S4 N4 L4 P18", 3720, 1860),
    (9, 9, "R2 B1 K2 G4 S4 N4 L4 P18", 140352, None),
    (9, 9, "R2 B2 K2 G4 S4 N4 L4 P17", 14032268, None),
    (9, 9, "R2 B2 K2 G4 S4 N4 L3 P18", 41795812, None),
    (9, 9, "R2 B2 N4 P31", 8022, 4011),
    (3, 4, "G2S2N2P1", 2, 2),
    (4, 4, "R1B1K1G1S1L1P2", 2, 1),
    (4, 4, "R1B1N2G1P4", 2, 1),
    (5, 5, "R1B1N1K1G1S2L2P5", 14, 7),
    (5, 5, "R1B1N1K1G1S2L3P4", 2, 1),
    (5, 6, "K1R2B2G2S1N3L1P2", 24, 12),
    (6, 6, "R2B2N4P10", 2, 1),
    (6, 6, "R1B2N2K1G2S1L3P7", 2, 1),
    (7, 7, "R2B2N4P17", 2, 1),
    (7, 7, "R2B2N2K1G3S3L3P8", 2, 1),
    (8, 8, "R2B2N2K2G3S4L4P11", 30, 15),
    (5, 5, "K8", 27, 18),
    (5, 5, "R2B2N2P5", 156, None),
]


@pytest.mark.parametrize(("columns", "rows", "hand", "total", "up_to_mirror"), KNOWN)
def test_known_counts(columns, rows, hand, total, up_to_mirror):
    answer = ask("count", board(columns, rows, hand))
    assert (answer.value, answer.proven) == (total, True)
    if up_to_mirror is not None:
        assert answer.up_to_mirror == up_to_mirror
    solve = ask("solve", board(columns, rows, hand))
    assert solve.value == int(total > 0)
    if total:
        assert solve.unique == (total == 1)


def test_against_the_moves_of_shogi():
    tried = 0
    for seed in range(150):
        start = KIND.sample(random.Random(seed), 4)
        solutions = reference(start)
        answer = ask("count", start)
        assert answer.value == len(solutions), KIND.write(start)
        if mirrored(start) == start.board:
            width = start.columns - 1
            same = sum(
                {complex(width - at.real, at.imag): piece for at, piece in way.items()} == way
                for way in solutions
            )
            assert symmetric(problem_of(start)) == same
            assert answer.up_to_mirror == (len(solutions) + same) // 2
            tried += 1
        if len(solutions) <= MAX_SOLUTIONS:
            listed = ask("solutions", start, limit=MAX_SOLUTIONS)
            assert {tuple(split_moves(line)) for line in listed.solutions} == {
                tuple(
                    sorted(
                        (
                            f"{piece} {at.imag + 1:.0f},{at.real + 1:.0f}"
                            for at, piece in way.items()
                            if start.board[start.index((int(at.imag), int(at.real)))] == "."
                        ),
                        key=lambda move: (PIECES.index(move[0]), move),
                    )
                )
                for way in solutions
            }
    assert tried > 10


def test_both_searches_agree_on_totals_leaves_and_moves():
    solvable = 0
    for seed in range(160):
        problem = problem_of(middling(seed))
        searches = [run(Search(problem, fill=fill, keep=3000)) for fill in (True, False)]
        assert searches[0].total == searches[1].total
        if not 0 < searches[0].total <= 300:
            continue
        solvable += 1
        ways = [
            sorted(way for leaf in search.leaves() for way in placements(problem, leaf))
            for search in searches
        ]
        assert ways[0] == ways[1]
        assert len(ways[0]) == searches[0].total == len(set(ways[0]))
        having = Counter(put for way in ways[0] for put in way)
        for search in searches:
            assert search.leaf_count == search.kept
            search.tally()
            for piece in PIECES:
                for square in range(problem.rows * problem.columns):
                    assert search.with_move(piece, square) == having[piece, square]
    assert solvable > 25


def test_a_search_that_stops_often_finds_the_same():
    problem = problem_of(KIND.read(board(5, 5, "RBNKG2S2L5P")))
    for fill in (True, False):
        search = Search(problem, fill=fill, keep=3)
        while not search.finished:
            search.go_on(1)
        assert (search.total, search.kept) == (14, min(3, search.leaf_count))


def test_the_coefficients_of_pawns_and_lances_fit_into_a_word():
    """`kernels` claims this. The empty board's polynomial is computed here in integers of any
    size."""

    @cache
    def apart(rows: int) -> tuple[int, ...]:
        if rows <= 0:
            return (1,)
        shorter, taken = apart(rows - 1), (0, *apart(rows - 2))
        wide = max(len(shorter), len(taken))
        return tuple(
            sum(part[n] for part in (shorter, taken) if n < len(part)) for n in range(wide)
        )

    column = Counter({(0, n): ways for n, ways in enumerate(apart(9))})
    for row in range(9):
        column.update({(1, n): ways for n, ways in enumerate(apart(9 - row - 2))})
    total: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    for _ in range(9):
        more: Counter[tuple[int, int]] = Counter()
        for (lances, pawns), ways in total.items():
            for (more_lances, more_pawns), more_ways in column.items():
                more[lances + more_lances, pawns + more_pawns] += ways * more_ways
        total = more
    assert max(total.values()) < 2**63
    lances, pawns = max(total, key=lambda key: total[key])
    problem = problem_of(KIND.read(board(9, 9, f"L{lances}P{pawns}")))
    search = run(Search(problem, fill=False))
    assert search.total == total[lances, pawns]


def test_totals_beyond_64_bits():
    """When one of two knights is given on each square in turn, each pair of knights is counted
    twice."""
    search = run(Search(problem_of(KIND.read(board(9, 9, "2N5L16P"))), fill=False))
    assert search.total > 2**64
    one_given = 0
    for index in range(81):
        squares = "." * index + "N" + "." * (80 - index)
        start = Position(9, 9, squares, (0, 0, 0, 0, 0, 1, 5, 16))
        one_given += run(Search(problem_of(start), fill=False)).total
    assert one_given == 2 * search.total


def test_completions_of_a_started_board():
    """The study's puzzle has five clues that leave one solution."""
    start = KIND.read(FULL_SET)
    position = KIND.play_line(start, "K 7,9 K 5,1 P 1,7 P 3,6 P 5,6")
    answer = ask("count", position)
    assert answer.value == 1
    assert ask("solve", position).unique is True
    less = KIND.play_line(start, "K 7,9 K 5,1 P 1,7 P 3,6")
    assert ask("count", less).value > 1
    attacking = KIND.play_line(start, "R 1,1 R 1,2")
    assert (ask("count", attacking).value, ask("solve", attacking).value) == (0, 0)


def test_by_move_counts_the_ways_with_each_move():
    position = KIND.read(board(5, 5, "RBNKG2S2L5P"))
    for line in ("", "S 1,4", "S 1,4 P 5,5"):
        stage = KIND.play_line(position, line)
        by_move = ask("count", stage).by_move
        assert list(by_move) == [KIND.write_move(move) for move in KIND.moves(stage)]
        for move in KIND.moves(stage):
            after = ask("count", KIND.play(stage, move))
            assert by_move[KIND.write_move(move)] == after.value


@pytest.mark.thorough
def test_counts_report_and_stop():
    signs: list[Progress] = []
    ask("count", FULL_SET.replace("18P", "17P"), signs)
    assert len(signs) > 3
    bounds = [sign.at_least or 0 for sign in signs]
    assert bounds == sorted(bounds)
    assert 0 < bounds[-2] <= 14032268
    undecided = ask("solve", board(9, 9, "2R2B2K4G4S4N4L5P"), seconds=0.1)
    assert (undecided.value, undecided.proven) == (None, False)


def test_a_clash_has_no_solution_whatever_is_asked():
    clash = KIND.play_line(KIND.read(board(5, 5, "RBNKG2S2L5P")), "R 2,2 B 2,3")
    assert problem_of(clash) is None
    listed = ask("solutions", clash)
    assert (listed.value, listed.proven, listed.solutions) == (0, True, ())
    assert ask("most", clash, piece="P").value == 0
