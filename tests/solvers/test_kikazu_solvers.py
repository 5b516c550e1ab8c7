"""The questions of the non-attacking pieces, checked by known numbers and a reference, and both
searches."""

import random
import re
from collections import Counter
from functools import cache
from itertools import combinations

import pytest

from solvers.answers import Answer
from solvers.contract.boards import make_ask
from solvers.kikazu import KIND, rate
from solvers.kikazu.clues import SmallestSets
from solvers.kikazu.count import symmetric
from solvers.kikazu.hint import standing
from solvers.kikazu.questions import BOARDS, OWN, STYLES
from solvers.kikazu.rules import PIECES, Position, mirrored
from solvers.kikazu.search import Search, problem_of
from solvers.kikazu.solutions import LISTED, all_solutions, placements
from solvers.kind import PuzzleError, split_moves
from solvers.question import Progress, Run, finish

FULL_SET = "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L18P"


def board(columns: int, rows: int, hand: str) -> str:
    return f"{'/'.join([str(columns)] * rows)} {hand}"


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


STEPS = {
    "R": ([1, -1, 1j, -1j], 9),
    "B": ([1 + 1j, 1 - 1j, -1 + 1j, -1 - 1j], 9),
    "L": ([-1j], 9),
    "K": ([1, -1, 1j, -1j, 1 + 1j, 1 - 1j, -1 + 1j, -1 - 1j], 1),
    "G": ([1, -1, 1j, -1j, 1 - 1j, -1 - 1j], 1),
    "S": ([-1j, 1 + 1j, 1 - 1j, -1 + 1j, -1 - 1j], 1),
    "N": ([1 - 2j, -1 - 2j], 1),
    "P": ([-1j], 1),
}
"""Piece -> its directions (x to the right, y downwards) and its longest distance: a second
statement of the moves of shogi."""


def peaceful(pieces: dict[complex, str]) -> bool:
    """Return whether no piece could capture another by the moves of shogi, where pieces block."""
    for here, piece in pieces.items():
        steps, far = STEPS[piece]
        for step in steps:
            if any(here + step * distance in pieces for distance in range(1, far + 1)):
                # The first piece on the way is captured, so those behind it don't matter.
                return False
    return True


def reference(position: Position) -> list[dict[complex, str]]:
    """Return all solutions of a start, found by `STEPS` and `peaceful` alone."""
    given, free = {}, []
    for index, sign in enumerate(position.board):
        point = complex(index % position.columns, index // position.columns)
        if sign == ".":
            free.append(point)
        elif sign != "-":
            given[point] = sign
    hand = [piece for piece, number in zip(PIECES, position.hand) for _ in range(number)]
    found = []

    def go_on(pieces: dict[complex, str], left: list[str]) -> None:
        if not peaceful(pieces):
            return
        if not left:
            found.append(pieces)
            return
        number = left.count(left[0])
        rest = [point for point in free if point not in pieces]
        for points in combinations(rest, number):
            go_on(pieces | dict.fromkeys(points, left[0]), left[number:])

    go_on(given, hand)
    return found


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
        if len(solutions) <= LISTED:
            listed = ask("solutions", start, limit=LISTED)
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


def middling(seed: int) -> Position:
    """Return a start that is more crowded than a sample, with every kind of piece possible."""
    rng = random.Random(seed)
    rows, columns = rng.randint(3, 4), rng.randint(3, 5)
    hand = [0] * len(PIECES)
    for _ in range(rng.randint(3, rows * columns // 2)):
        hand[rng.choice([0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 6])] += 1
    given = ["."] * (rows * columns)
    for _ in range(rng.randrange(3)):
        given[rng.randrange(len(given))] = "-"
    return Position(rows, columns, "".join(given), tuple(hand))


def run(search: Search) -> Search:
    while not search.finished:
        search.go_on(500)
    return search


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


def every_solution(position: str) -> list[dict[tuple[int, int], str]]:
    """Return all solutions as dictionaries from cell (from 0) to piece."""
    lines = ask("solutions", position, limit=LISTED).solutions
    read = [[KIND.read_move(text) for text in split_moves(line)] for line in lines]
    return [{move.cell: move.piece for move in line} for line in read]


@pytest.fixture(scope="module")
def full_set():
    return every_solution(FULL_SET)


FIXED = {
    "R": "11 37",
    "B": "83 85",
    "G": "00 28",
    "N": "53 55",
    "P": "20 22 26 42 44 46 48 62 64 66 73 75 82 84 86",
}
"""The pieces that the study finds fixed: row and column from 0, mirror images left out."""


def test_what_the_solutions_have_in_common(full_set):
    answer = ask("common", FULL_SET)
    assert (answer.value, answer.occupied) == (1860, 39)
    # One of a board and its mirror image has the rook at 1,1.
    ways = [way for way in full_set if way.get((1, 1)) == "R"]
    assert (len(full_set), len(ways)) == (3720, 1860)
    fixed = {(move.cell, move.piece) for move in map(KIND.read_move, answer.fixed)}
    assert fixed == set.intersection(*(set(way.items()) for way in ways))
    assert fixed == {
        ((int(cell[0]), int(cell[1])), piece)
        for piece, listed in FIXED.items()
        for cell in listed.split()
    }
    assert len(set.intersection(*(set(way) for way in ways))) == 39
    assert sorted(Counter(map(frozenset, ways)).values()) == skeletons_of(answer) == [930, 930]
    # A lance is the topmost piece of its column, so it replaces a pawn with nothing ahead.
    without_lances = ask("common", "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N22P")
    assert without_lances.value == 2520
    assert without_lances.tables[0].rows == ((1, 12), (2, 288), (3, 1080), (4, 960), (5, 180))
    assert answer.value == 960 + 5 * 180
    assert set(without_lances.fixed) - set(answer.fixed) == {"P 1,3"}
    skeletons = ask("common", "9/9/9/9/9/9/9/9/9 2R2B4N32P")
    assert skeletons.skeletons == len(skeletons_of(skeletons)) == 13
    for shown in skeletons.boards[-13:]:
        assert KIND.judge(KIND.read(shown.position)).solved
    assert ask("common", FULL_SET.replace("18P", "17P")).value is None


def skeletons_of(answer: Answer) -> list[int]:
    """Return the number of solutions of each skeleton that the answer shows."""
    captions = [board.caption.values for board in answer.boards]
    return [values["solutions"] for values in captions if "solutions" in values]


def test_mirror_images_count_once():
    """Symmetric solutions are their own mirror images and remain."""
    for position in (board(4, 4, "G4"), board(5, 3, "2K")):
        up_to_mirror = ask("count", position).up_to_mirror
        assert ask("common", position).value == up_to_mirror


def test_solutions_come_in_pages(full_set):
    page = ask("solutions", FULL_SET, first=3719, limit=50)
    assert (page.value, page.proven, page.more) == (3720, True, False)
    assert len(page.solutions) == 2
    for line in page.solutions:
        assert KIND.judge(KIND.play_line(KIND.read(FULL_SET), line)).solved
    assert ask("solutions", FULL_SET, first=1, limit=2).more
    too_many = ask("solutions", FULL_SET.replace("18P", "17P"))
    assert (too_many.value, too_many.proven) == (LISTED + 1, False)
    assert too_many.note
    none = ask("solutions", board(4, 4, "9R"))
    assert (none.value, none.solutions) == (0, ())
    one = ask("solutions", KIND.play_line(KIND.read("3/3/3 P"), "P 1,1"))
    assert (one.value, one.solutions) == (1, ("",))


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


def test_forty_pieces_are_the_most():
    answer = ask("most", FULL_SET, piece="P")
    assert (answer.value, answer.proven, answer.pieces) == (18, True, 40)
    assert KIND.judge(KIND.read(answer.boards[0].position)).solved
    too_many = ask("count", FULL_SET.replace("18P", "19P"))
    assert too_many.value == 0
    assert too_many.note.values == {"pieces": 41, "most": 40}
    # No lemma proves this, but a search does.
    by_search = ask("count", board(4, 4, "RBG2N5P"))
    assert by_search.value == 0
    assert by_search.note.values == {"pieces": 10, "letter": "P", "most": 9}
    assert ask("most", board(9, 9, "2R2B4N"), piece="P").value == 32
    assert ask("most", board(9, 9, "2R2B6N"), piece="P").value == 31
    with pytest.raises(PuzzleError):
        ask("most", FULL_SET, piece="Q")


def test_what_the_lemmas_refuse_has_no_solution():
    refused = 0
    for seed in range(800):
        start = middling(seed)
        if KIND.obstacles.obstacle(start):
            refused += 1
            assert run(Search(problem_of(start), fill=False)).total == 0, KIND.write(start)
    assert refused > 20


@pytest.mark.parametrize(
    ("position", "most"),
    [
        (board(9, 9, "2R2B4N33P"), 40),
        (board(9, 9, "2R2B6N32P"), 41),
        (FULL_SET.replace("18P", "19P"), 40),
        (FULL_SET.replace("4N", "5N"), 40),
        ("K8/9/9/9/9/9/9/9/9 2R2BK4G4S4N4L19P", 40),
        (board(4, 4, "5R"), 4),
        (board(3, 4, "7B"), 6),
        (board(5, 5, "10K"), 9),
        (board(5, 5, "R5L"), 4),
    ],
)
def test_sets_that_are_proven_too_large(position, most):
    never = KIND.obstacles.obstacle(KIND.read(position))
    assert never.values["most"] == most
    for name in ("count", "solve"):
        answer = ask(name, position)
        assert (answer.value, answer.proven) == (0, True)
        assert answer.note == never


def test_the_largest_sets_are_not_refused():
    for position in (FULL_SET, board(9, 9, "2R2B6N31P"), board(5, 5, "9K"), board(4, 4, "4R")):
        assert KIND.obstacles.obstacle(KIND.read(position)) is None


@pytest.mark.parametrize("piece", "RBKGSNLP")
def test_most_against_counting_up(piece):
    start = KIND.read(board(4, 3, "G"))
    number = 0
    while number < 12:
        hand = Counter({piece: number + 1}) + Counter("G" if piece != "G" else "")
        text = board(4, 3, "".join(f"{letter}{n}" for letter, n in hand.items()))
        if sum(hand.values()) > 12 or not reference(KIND.read(text)):
            break
        number += 1
    answer = ask("most", start, piece=piece)
    assert (answer.value, answer.proven) == (number, True)
    held = answer.value + (piece != "G")
    assert answer.pieces == held


def test_the_fewest_clues():
    answer = ask("clues", FULL_SET)
    assert answer.value == 5
    assert answer.tables[0].rows == ((5, 2 * 700), (6, 2 * 1160))
    for shown in answer.boards:
        start = KIND.read(shown.position)
        assert sum(sign in PIECES for sign in start.given) == shown.caption.values["number"]
        assert ask("count", start).value == 1
    for position in (FULL_SET.replace("18P", "17P"), board(4, 4, "9R")):
        assert (ask("clues", position).value, ask("clues", position).proven) == (None, False)


def test_the_fewest_clues_against_exhaustive_search():
    for position in (board(5, 5, "RBNKG2S2L5P"), board(3, 3, "KP"), board(4, 3, "2GN")):
        ways = [set(way.items()) for way in every_solution(position)]
        least = Counter(
            next(
                size
                for size in range(10)
                for clues in combinations(sorted(way), size)
                if sum(way_too.issuperset(clues) for way_too in ways) == 1
            )
            for way in ways
        )
        assert dict(ask("clues", position).tables[0].rows) == least


def without_clue(start: Position, index: int) -> Position:
    hand = list(start.stock)
    hand[PIECES.index(start.given[index])] += 1
    given = start.given[:index] + "." + start.given[index + 1 :]
    return Position(start.rows, start.columns, given, tuple(hand))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("position", [board(5, 5, "RBNKG2S2L5P"), board(6, 4, "2K3GN2P")])
def test_new_puzzles_keep_their_promises(style, position):
    answer = ask("generate", position, many=4, seed=3, style=style, solutions=[1, 2])
    again = ask("generate", position, many=4, seed=3, style=style, solutions=[1, 2])
    assert answer == again
    assert answer.value == len(answer.boards) > 0
    starts = [KIND.read(puzzle.position) for puzzle in answer.boards]
    assert len({frozenset((start.given, mirrored(start))) for start in starts}) == len(starts)
    for start, puzzle in zip(starts, answer.boards):
        number = ask("count", start).value
        assert puzzle.solutions == number
        assert 1 <= number <= 2
        clues = [index for index, sign in enumerate(start.given) if sign in PIECES]
        assert puzzle.clues == len(clues)
        for index in clues:
            assert ask("count", without_clue(start, index)).value > 2
        if style == "silhouette":
            assert start.given.count(".") == sum(start.stock)


def test_new_puzzles_from_the_full_set():
    answer = ask("generate", FULL_SET, many=2, seed=5)
    assert answer.value == 2
    for puzzle in answer.boards:
        assert ask("count", puzzle.position).value == 1
    for clues in (6, 20):
        several = ask("generate", FULL_SET, many=1, seed=5, clues=clues)
        assert several.boards[0].clues == clues


def test_new_puzzles_of_a_difficulty():
    answer = ask("generate", board(4, 4, "RBKGSL2P"), many=2, band="easy", solutions=[1, 2])
    assert answer.value
    for puzzle in answer.boards:
        assert puzzle.band == "easy"
        assert ask("rate", puzzle.position).band == "easy"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"style": "upside down"}, "no style “upside down”"),
        ({"band": "impossible"}, "no difficulty “impossible”"),
        ({"solutions": [0, 1]}, "the smaller bound first"),
        ({"solutions": [3, 2]}, "the smaller bound first"),
        ({"clues": 40}, "Pieces to be given: 40. The hand has only 40"),
        ({"clues": -1}, "Pieces to be given: -1"),
        ({"style": "maximum", "piece": "?"}, "“?” is not a piece"),
    ],
)
def test_options_that_cannot_be_met(options, says):
    with pytest.raises(PuzzleError, match=re.escape(says)):
        ask("generate", FULL_SET, **options)


@pytest.mark.parametrize(
    ("position", "options"),
    [(board(4, 4, "RBG2N5P"), {}), (board(4, 4, "9R"), {"style": "maximum", "piece": "G"})],
)
def test_no_puzzles_where_the_pieces_do_not_fit(position, options):
    answer = ask("generate", position, **options)
    assert (answer.value, answer.proven) == (0, False)
    assert answer.note


def test_hints():
    start = KIND.read(board(5, 5, "RBNKG2S2L5P"))
    solution = ask("solve", start).moves
    position = start
    while not KIND.judge(position).solved:
        hint = ask("hint", position)
        assert (hint.value, hint.state) == (1, "live")
        cell = KIND.read_move(hint.moves[0]).cell
        assert f"{cell[0] + 1},{cell[1] + 1}" in hint.region
        position = KIND.play_line(position, hint.moves[0])
        assert ask("count", position).value
    assert ask("hint", position).moves == ()

    lost = KIND.play_line(start, f"{solution[0]} B 1,1 {solution[2]}")
    hint = ask("hint", lost)
    assert hint.value == 0
    stage = lost
    for wrong in hint.wrong:
        stage = KIND.play_line(stage, f"- {wrong}")
    assert ask("count", stage).value
    assert hint.moves == (f"- {hint.wrong[0]}",)

    clash = KIND.play_line(start, "R 2,2 B 2,3")
    assert ask("hint", clash).state == "doomed"
    never = KIND.read(board(4, 4, "9R"))
    assert ask("hint", never).wrong is None


def test_review_of_a_line_that_takes_pieces_back():
    """R 1,1 loses everything; it is taken back; B 1,1 loses everything for good."""
    line = "R 1,1 - 1,1 S 1,4 B 1,1 P 5,5"
    answer = ask("review", KIND.play_line(KIND.read(board(5, 5, "RBNKG2S2L5P")), line))
    assert answer.value == 4
    assert answer.left[1] == 0
    assert answer.left[3] > 0
    mended = KIND.play_line(KIND.read(board(5, 5, "RBNKG2S2L5P")), "R 1,1 - 1,1")
    assert ask("review", mended).value == 0


def chance(position: Position) -> float:
    """The chance of `rate`'s player, from the rules alone."""
    if KIND.judge(position).solved:
        return 1.0
    legal = list(KIND.moves(position))
    legal = [move for move in legal if move.piece == legal[0].piece]
    return sum(chance(KIND.play(position, move)) for move in legal) / max(len(legal), 1)


def test_difficulty_against_the_exact_chance():
    tried = 0
    for seed in range(40):
        start = KIND.sample(random.Random(seed), 3)
        exact = chance(start)
        rated = ask("rate", start)
        if exact == 0:
            assert (rated.careful, rated.careful_level, rated.band) == (0.0, None, "")
            continue
        # Ten walks; five standard errors, and a little for those that all went alike.
        assert abs(rated.careful - exact) <= exact * (5 * rated.error + 0.1)
        tried += 1
    assert tried > 10


def test_a_rating_is_the_same_whether_solutions_are_listed_or_counted(monkeypatch):
    starts = [KIND.sample(random.Random(seed), 3) for seed in range(12)]
    listed = [ask("rate", start) for start in starts]
    monkeypatch.setattr(rate, "all_solutions", too_many)
    assert [ask("rate", start) for start in starts] == listed
    monkeypatch.setattr(rate, "COUNT_SECONDS", 0)
    answer = ask("rate", starts[0])
    assert (answer.band, answer.proven) == ("", False)
    assert answer.note.text == "There are too many solutions to say how hard this is."


def too_many(position: Position, seconds: float) -> Run[None]:
    """Answer as the list of all solutions does where there are too many."""
    yield Progress(0, 1)


def test_counts_report_and_stop():
    signs: list[Progress] = []
    ask("count", FULL_SET.replace("18P", "17P"), signs)
    assert len(signs) > 3
    bounds = [sign.at_least or 0 for sign in signs]
    assert bounds == sorted(bounds)
    assert 0 < bounds[-2] <= 14032268
    undecided = ask("solve", board(9, 9, "2R2B2K4G4S4N4L5P"), seconds=0.1)
    assert (undecided.value, undecided.proven) == (None, False)


@pytest.mark.parametrize("board", [name for name in BOARDS if name != OWN])
def test_new_puzzles_from_ready_boards(board):
    answer = ask("generate", "3/3/3 P", board=board, many=2)
    assert answer.value == 2
    for puzzle in answer.boards:
        start = KIND.read(puzzle.position)
        assert f"{start.rows}x{start.columns}" == board
        assert ask("count", start).value == 1


def test_options_that_cannot_be_met_are_refused_before_they_wait():
    question = KIND.questions["generate"]
    too_many = KIND.read(FULL_SET.replace("18P", "19P"))
    with pytest.raises(PuzzleError, match="The hand has only 40"):
        question.refuse_impossible(KIND.read(FULL_SET), clues=40)
    with pytest.raises(PuzzleError, match="40 pieces are the most"):
        question.refuse_impossible(too_many)
    question.refuse_impossible(too_many, board="9x9")
    question.refuse_impossible(too_many, style="maximum")


def test_a_clash_has_no_solution_whatever_is_asked():
    clash = KIND.play_line(KIND.read(board(5, 5, "RBNKG2S2L5P")), "R 2,2 B 2,3")
    assert problem_of(clash) is None
    listed = ask("solutions", clash)
    assert (listed.value, listed.proven, listed.solutions) == (0, True, ())
    assert ask("most", clash, piece="P").value == 0


def test_the_pieces_on_the_board_are_those_of_the_moves():
    start = KIND.read(board(5, 5, "RBNKG2S2L5P"))
    end = KIND.play_line(start, "R 1,1 S 4,4 G 5,5 - 1,1 S4,4> 2,4 N 3,1")
    assert [KIND.write_move(move) for move in standing(end)] == ["G 5,5", "S 2,4", "N 3,1"]
    again = KIND.play_line(start, " ".join(map(KIND.write_move, standing(end))))
    assert again.board == end.board
    assert KIND.describe(KIND.read_move("- 1,1")).text == "Row {row}, column {column} cleared"


def test_what_is_not_decided_in_time_is_a_bound():
    answer = ask("most", "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L1P", piece="P", seconds=0)
    assert not answer.proven
    assert answer.note.text == "It was not decided in time whether more fit."
    assert symmetric(problem_of(KIND.read(FULL_SET)), nodes=1) is None


def test_the_only_solution_needs_no_clue():
    problem = KIND.read(board(6, 6, "2R2B4N10P"))
    first = finish(all_solutions(problem))[:1]
    assert finish(SmallestSets(first).smallest(0)) == ()
