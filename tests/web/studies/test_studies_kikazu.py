"""The pages on the non-attacking pieces: everybody can read them, only teachers can start jobs."""

import re
from itertools import permutations

import pytest
from django.test import Client
from django.urls import reverse
from msgspec import structs

from bench.studies import kikazu as bench
from bench.studies import printed
from puzzleclass.studies.figures import KikazuFigures, stored
from puzzleclass.studies.kikazu_pictures import attacked, tile_counts
from puzzleclass.studies.kikazu_views import WHOLE, arrangements, arrangements_in_order, puzzle_text
from puzzleclass.studies.printed_figures import PrintedFigures
from solvers.kikazu.clues import SmallestSets
from solvers.kikazu.rules import EMPTY, mirror
from solvers.kikazu.search import problem_of
from solvers.kikazu.solutions import all_solutions
from solvers.question import finish
from solvers.registry import get_kind

pytestmark = pytest.mark.django_db

PAGE, BOARDS = (reverse(name) for name in ("study_kikazu", "study_kikazu_boards"))
FIXED = {
    "R": {(1, 1), (3, 7)},
    "B": {(8, 3), (8, 5)},
    "G": {(0, 0), (2, 8)},
    "N": {(5, 3), (5, 5)},
    "P": {(2, 0), (2, 2), (2, 6), (4, 2), (4, 4), (4, 6), (4, 8), (6, 2), (6, 4), (6, 6)}
    | {(7, 3), (7, 5), (8, 2), (8, 4), (8, 6)},
}


# The figures


def figures() -> KikazuFigures:
    return stored(KikazuFigures).figures


@pytest.mark.thorough
def test_stored_figures_are_what_the_bench_computes(monkeypatch):
    """The clues are left out; the next tests check a part of them."""
    kept = figures()
    clues = {each.board: each.clues for each in kept.solutions}
    monkeypatch.setattr(bench, "clue_sets", lambda boards: {b: clues[b] for b in boards})
    found = bench.figures()
    sets = tuple(
        structs.replace(ours, seconds=theirs.seconds)
        for ours, theirs in zip(found.sets, kept.sets, strict=True)
    )
    assert structs.replace(found, sets=sets, seconds=kept.seconds) == kept


def test_other_sets():
    assert [each.hand for each in figures().sets] == list(bench.SETS)
    assert [each.boards for each in figures().sets[:5]] == [3720, 5040, 26, 0, 8022]


def test_thirteen_skeletons_two_of_which_complete():
    bones = figures().skeletons
    assert [(each.name, each.without_lances, each.whole) for each in bones[:2]] == [
        ("A", 1260, 930),
        ("B", 1260, 930),
    ]
    assert len(bones) == 13
    assert not any(each.without_lances or each.whole for each in bones[2:])


def test_from_2520_to_1860():
    known = figures()
    heads = {each.pawns: each.boards for each in known.heads}
    assert heads == {1: 12, 2: 288, 3: 1080, 4: 960, 5: 180}
    assert known.without_lances == sum(heads.values()) == 2520
    assert len(known.solutions) == sum(each.whole for each in known.heads) == 1860


def test_pieces_that_never_move():
    known = figures()
    fixed = {
        piece: {divmod(at, 9) for at, sign in enumerate(known.fixed) if sign == piece}
        for piece in set(known.fixed) - {EMPTY}
    }
    assert fixed == FIXED
    assert known.fixed_without_lances[2] == "P"
    assert len(known.fixed_without_lances.replace(EMPTY, "")) == 24
    assert known.always_taken == 39


def test_five_clues_for_700_boards_and_six_for_the_others():
    """Each stored set leaves one of the 3,720 solutions. Only the solver can show that fewer clues
    do not."""
    known = figures()
    assert known.clues == ((5, 700), (6, 1160))
    standing = [solution.board for solution in known.solutions]
    everything = [*standing, *(mirror(board, 9) for board in standing)]
    having: dict[tuple[int, str], int] = {}
    for number, board in enumerate(everything):
        for put in enumerate(board):
            having[put] = having.get(put, 0) | 1 << number
    for number, solution in enumerate(known.solutions):
        left = (1 << len(everything)) - 1
        for at in solution.clues:
            assert solution.board[at] in WHOLE
            left &= having[at, solution.board[at]]
        assert left == 1 << number


def test_the_stored_clues_are_as_few_as_the_solver_finds():
    start = get_kind("kikazu").read("9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L18P")
    problem, ways = problem_of(start), finish(all_solutions(start))
    number_of = {
        "".join(sorted(f"{problem.cell(square)}{piece}" for piece, square in way)): number
        for number, way in enumerate(ways)
    }
    sets = SmallestSets(ways)
    for solution in figures().solutions[::31]:
        cells = ((divmod(at, 9), sign) for at, sign in enumerate(solution.board) if sign != EMPTY)
        target = number_of["".join(sorted(f"{cell}{sign}" for cell, sign in cells))]
        assert len(finish(sets.smallest(target))) == len(solution.clues)


def test_a_board_makes_a_puzzle():
    kind = get_kind("kikazu")
    solution = figures().solutions[0]
    start = kind.read(puzzle_text(solution))
    assert kind.write(start) == puzzle_text(solution)
    assert len(start.given.replace(EMPTY, "")) == len(solution.clues)
    assert sum(start.hand) == 40 - len(solution.clues)


def test_the_proofs_tiles_fill_the_board():
    for solution in figures().solutions:
        pairs, edge = tile_counts(solution.board)
        assert (pairs, edge, 2 * pairs + edge + 6) == (25, 7, 63)


def test_the_ladder():
    found = [(rung.found, rung.up_to_mirror) for rung in figures().ladder]
    assert found == [
        (2, 2), (2, 1), (2, 1), (14, 7), (2, 1), (24, 12), (2, 1), (2, 1), (2, 1), (2, 1), (30, 15),
    ]  # fmt: skip


def test_the_ladders_lines_are_puzzles():
    kind = get_kind("kikazu")
    assert [kind.write(kind.read(text)) for text in bench.LADDER] == list(bench.LADDER)


# The study's page


@pytest.mark.parametrize("language", ["en", "ja"])
def test_everybody_reads_the_page(client_of, teacher, student, language):
    for reader in (None, teacher, student):
        answer = client_of(reader, language).get(PAGE)
        text = answer.content.decode()
        assert answer.status_code == 200
        for figure in ("1,860", "2,520", "1,080", "25", "63", "F ≤ 32", "700", "1,160"):
            assert figure in text
        assert ("40枚が最大" if language == "ja" else "40 is the maximum") in text
        assert ("本文の誤り" if language == "ja" else "Error in the text") in text


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_misprint_is_marked_and_true_figures_are_not(client_of, db, language):
    table = client_of(None, language).get(PAGE).content.decode().split('id="printed"')[1]
    cell = r"<td[^>]*>(.*?)</td>"
    rows = re.findall(rf'<th scope="row">(.*?)</th>\s*{cell}\s*{cell}', table)
    assert len(rows) == 16
    wrong = [study for what, study, _ in rows if "badge bad" in what]
    assert wrong == ["16", "4"]
    assert ("10^49", "1.02 × 10^49") in [row[1:] for row in rows]
    right = [row[1:] for row in rows if "badge ok" in row[0] and row[1] != "10^49"]
    assert all(study == ours for study, ours in right)


def test_the_studys_arrangements():
    """The study's 15 ways for A A _ _ _ _, and the four ways for B on the first of them."""
    first = arrangements_in_order("_" * 6, "A", 2)
    assert first[:4] == ["AA____", "A_A___", "A__A__", "A___A_"] and first[-1] == "____AA"
    second = arrangements_in_order(first[0], "B", 3)
    assert second == ["AABBB_", "AABB_B", "AAB_BB", "AA_BBB"]
    everything = {
        last
        for places in first
        for more in arrangements_in_order(places, "B", 3)
        for last in arrangements_in_order(more, "C", 1)
    }
    assert everything == {"".join(signs) for signs in permutations("AABBBC")}
    assert len(everything) == arrangements({"A": 2, "B": 3, "C": 1}, 6) == 60


def test_the_squares_left_for_36_pieces():
    """Every way to place the rooks and bishops leaves 27 to 45 squares; the boards show it."""
    room = stored(PrintedFigures).figures.room
    assert room == printed.room_left()
    assert (room.least, room.most) == (27, 45)
    assert sum(WHOLE.values()) - WHOLE["R"] - WHOLE["B"] == 36
    for board, free in ((room.least_board, room.least), (room.most_board, room.most)):
        assert sorted(board.replace(EMPTY, "")) == ["B", "B", "R", "R"]
        standing = {at for at, sign in enumerate(board) if sign != EMPTY}
        assert not attacked(board) & standing
        assert free == 81 - len(attacked(board) | standing)


# Other sets


def test_everybody_sees_the_counts_and_a_teacher_makes_a_puzzle_of_one(
    anonymous: Client, teacher_client: Client
):
    text = anonymous.get(PAGE).content.decode()
    assert "14,032,268" in text
    assert "Turn it into a puzzle" not in text
    text = teacher_client.get(PAGE).content.decode()
    hand = figures().sets[0].hand
    assert f'name="text" value="9/9/9/9/9/9/9/9/9 {hand}"' in text


# The boards


@pytest.mark.parametrize(("language", "word"), [("en", "All 1,860 boards"), ("ja", "1,860通り")])
def test_all_boards_page_by_page(client_of, language, word):
    browser = client_of(None, language)
    assert word in browser.get(BOARDS).content.decode()
    seen = []
    for number in (1, 2, 155):
        page = browser.get(BOARDS, {"page": number}).context["page"]
        seen += [solution.number for solution in page]
    assert seen == [*range(1, 25), *range(1849, 1861)]


def test_boards_with_pieces_on_squares(anonymous: Client):
    found = anonymous.get(BOARDS, {"has": ["K 5,1"], "move": "G 9,1", "piece": "S"}).context
    wanted = [
        solution.number
        for solution in figures().solutions
        if solution.board[4 * 9] == "K" and solution.board[8 * 9] == "G"
    ]
    assert found["found"] == len(wanted) == 310
    assert [solution.number for solution in found["page"]] == wanted[:12]
    assert sum(number for _, _, number in found["squares"]) == 310 * 4


def test_when_there_is_nothing_left_to_choose(anonymous: Client):
    kings = ["K 1,9", "K 5,1"]
    text = anonymous.get(BOARDS, {"has": kings, "piece": "K"}).content.decode()
    assert "Choose another piece." in text
    single = figures().solutions[0].board
    pieces = [f"{sign} {at // 9 + 1},{at % 9 + 1}" for at, sign in enumerate(single) if sign != "."]
    answer = anonymous.get(BOARDS, {"has": pieces})
    assert answer.context["found"] == 1
    assert "Only one board is left!" in answer.content.decode()


def test_boards_of_a_skeleton(anonymous: Client):
    found = anonymous.get(BOARDS, {"skeleton": "B"}).context
    assert found["found"] == 930
    assert {solution.skeleton for solution in found["page"]} == {"B"}


def test_boards_by_the_clues_they_need(anonymous: Client, teacher_client: Client):
    found = anonymous.get(BOARDS, {"clues": "5", "skeleton": "A"}).context
    assert found["found"] == sum(
        len(each.clues) == 5 and each.skeleton == "A" for each in figures().solutions
    )
    text = anonymous.get(BOARDS, {"clues": "6"}).content.decode()
    assert text.count('class="clue"') == 12 * 6
    assert "Turn it into a puzzle" not in text
    shown = teacher_client.get(BOARDS).content.decode()
    assert shown.count("Turn it into a puzzle") == 12
    fields = {"draft": "9/9/9/9/9/9/9/9/9 -", "brush": "rook", "do": "take"}
    editor = teacher_client.post(
        reverse("puzzle_new", args=["kikazu"]),
        fields | {"text": puzzle_text(figures().solutions[0])},
    )
    assert f'name="draft" value="{puzzle_text(figures().solutions[0])}"' in editor.content.decode()


def test_empty_and_doubled_choices_change_nothing(anonymous: Client):
    plain = anonymous.get(BOARDS, {"has": ["K 5,1"]}).context
    again = anonymous.get(BOARDS, {"has": ["", "K 5,1", "K 5,1"], "move": ""}).context
    assert again["found"] == plain["found"] > 0
    assert len(again["chosen"]) == 1


def test_a_chosen_piece_is_taken_back(anonymous: Client):
    context = anonymous.get(BOARDS, {"has": ["K 5,1", "S 7,1"], "skeleton": "A"}).context
    (_, without_king), _ = context["chosen"]
    assert without_king == "skeleton=A&has=S+7%2C1&piece=K"


def test_pieces_no_board_has(anonymous: Client):
    answer = anonymous.get(BOARDS, {"has": ["K 1,1"]})
    assert answer.context["found"] == 0
    assert "No board has these pieces in these places" in answer.content.decode()


@pytest.mark.parametrize(
    ("language", "fields", "fault"),
    [
        ("en", {"has": "nonsense"}, "is not a move"),
        ("en", {"has": "K 10,1"}, "There is no square at row 10, column 1."),
        ("en", {"has": ["K 5,1", "G 5,1"]}, "A piece stands at row 5, column 1 already."),
        ("en", {"has": "- 5,1"}, "No piece stands at row 5, column 1."),
        ("ja", {"has": "K 10,1"}, "10行1列"),
    ],
)
def test_impossible_requests_are_reported(client_of, language, fields, fault):
    answer = client_of(None, language).get(BOARDS, fields)
    assert answer.status_code == 200
    assert fault in answer.content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"piece": "Q"},
        {"piece": ""},
        {"skeleton": "Z"},
        {"clues": "4"},
        {"clues": "x"},
        {"page": "x"},
        {"page": "999"},
    ],
)
def test_other_nonsense_is_passed_over(anonymous: Client, fields):
    answer = anonymous.get(BOARDS, fields)
    assert answer.status_code == 200
    assert answer.context["found"] == 1860
