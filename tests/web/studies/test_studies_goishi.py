"""The page on Goishi Hiroi: the census of all boards up to 5x5, and the questions of the poster."""

import json
import re
from copy import copy

import pytest
from django.urls import reverse
from msgspec import structs

from bench.studies import goishi as bench
from bench.studies.goishi_census import WAYS, Census, census
from bench.study_goishi import count_in_python
from puzzleclass.studies import goishi_pictures as pictures
from puzzleclass.studies import goishi_views as page
from puzzleclass.studies.figures import GoishiCensus, GoishiFigures, stored
from solvers.question import finish
from solvers.registry import get_kind

PAGE = reverse("study_goishi")
NEW = reverse("puzzle_new", args=["goishi"])
KIND = get_kind("goishi")


def ask(question: str, board: str):
    return finish(KIND.questions[question].ask(KIND, KIND.read(board)))


# The census


@pytest.fixture(scope="module")
def small() -> Census:
    return Census(4)


@pytest.fixture(scope="module")
def kept() -> GoishiCensus:
    return stored(GoishiCensus).figures


def test_totals_that_other_programs_found():
    for rows, columns, solvable, unique, solutions in (
        (3, 3, 352, 9, 2121),
        (3, 4, 2718, 24, 30834),
        (4, 3, 2718, 24, 30834),
        (4, 4, 44571, 416, 1314696),
    ):
        ways = census(rows, columns, WAYS)
        assert ((ways > 0).sum(), (ways == 1).sum(), ways.sum()) == (solvable, unique, solutions)


def test_each_board_as_the_kind_counts_and_rates_it(small):
    small.check(300)
    wrong = copy(small)
    wrong.ways = small.ways + 1
    with pytest.raises(AssertionError):
        wrong.check(1)


def test_boards_up_to_symmetry_and_without_empty_lines(small):
    """Burnside's lemma gives the same numbers as the images of every board."""
    for stones in list(small.stones())[:8]:
        masks = [mask for mask in range(1, 1 << 16) if mask.bit_count() == stones.stones]
        kinds: dict[int, int] = {small.simplest(mask): int(small.ways[mask]) for mask in masks}
        assert stones.different.boards == len(kinds)
        assert stones.different.solvable == sum(ways > 0 for ways in kinds.values())
        assert stones.different.unique == sum(ways == 1 for ways in kinds.values())
    whole = [stones.up_to_symmetry.boards for stones in small.stones()]
    assert whole == [3, 21, 77, 252, 567, 1051, 1465, 1674, 1465, 1051, 567, 252, 77, 21, 3, 1]


def test_the_stored_census_is_what_the_bench_computes(small, kept):
    sizes = [each for each in kept.sizes if each.columns <= 4]
    assert sizes == list(small.sizes())
    smallest = list(small.stones())[6]
    assert smallest.hardest_unique == kept.stones[6].hardest_unique
    assert len(smallest.hardest_unique) == smallest.different.unique == 3


def test_the_stored_census_adds_up(kept):
    largest = kept.sizes[-1]
    assert (largest.rows, largest.columns, largest.all.boards) == (5, 5, 2**25 - 1)
    for name in ("boards", "solvable", "unique"):
        assert sum(getattr(row.all, name) for row in kept.stones) == getattr(largest.all, name)
    assert sum(row.solutions for row in kept.stones) == largest.solutions
    for row in kept.stones:
        assert row.all.solvable <= row.solutions
        assert 8 * row.up_to_symmetry.boards >= row.all.boards >= row.up_to_symmetry.boards
        assert row.different.boards <= row.up_to_symmetry.boards


def test_no_board_of_two_to_six_or_of_more_than_fifteen_stones_is_unique(kept):
    assert [row.stones for row in kept.stones if row.all.unique] == [1, *range(7, 16)]


def test_the_boards_it_names_are_what_it_says(kept):
    for row in kept.stones:
        assert int(ask("count", row.richest).value) == row.most
        for hard in (row.hardest, *row.hardest_unique):
            found = ask("rate", hard.board)
            assert hard.board.count("o") == row.stones
            assert found.solutions == hard.solutions
            assert found.careful_level == pytest.approx(hard.careful_level, abs=1e-3)
            assert found.random_level == pytest.approx(hard.random_level, abs=1e-3)
            assert KIND.judge(KIND.play_line(KIND.read(hard.board), hard.line)).solved
        assert all(hard.solutions == 1 for hard in row.hardest_unique)


# The questions of the poster


@pytest.fixture(scope="module")
def asked() -> GoishiFigures:
    return stored(GoishiFigures).figures


def test_the_posters_table(asked):
    assert asked.states == tuple(bench.table(bench.EXAMPLE))
    assert (asked.solutions, asked.with_turns, asked.blocked) == (5, 9, 4)
    assert bench.orders(bench.EXAMPLE) == asked.solutions
    last = [state for state in asked.states if len(state.picked) == 5]
    assert [state.ways for state in last] == [1, 3, 1]
    for state in asked.states:
        before = [other for other in asked.states if asked.states.index(state) in other.after]
        assert len(state.picked) == 1 or sum(other.ways for other in before) == state.ways
    # With the poster's four directions for every first stone, this sum is three times as large.
    xs, ys = zip(*bench.EXAMPLE)
    assert count_in_python(xs, ys) == 5


def test_the_drawn_board_is_the_posters(asked):
    board = KIND.read("5\n1 1\n1 3\n1 4\n2 1\n2 3")
    assert KIND.write(board) == pictures.EXAMPLE
    assert KIND.judge(KIND.play_line(board, page.SOLUTION)).solved
    cells = {f"{row + 1},{column + 1}" for row, column in pictures.PLACES}
    assert cells == {KIND.write_move(move) for move in KIND.moves(board)}


def test_sets_of_stones_as_numbers(asked):
    """The poster prints this table; a set is a number of five binary digits."""
    rows = page.bits(page.PICKED)
    assert rows["stones"] == ("2", "4", "3")
    assert rows["before"] == ("00000", "00100", "10100")
    assert rows["added"] == ("00100", "10000", "01000")
    assert rows["after"] == ("00100", "10100", "11100")
    (x1, y1), (x2, y2) = (bench.EXAMPLE[stone] for stone in page.PICKED[:2])
    assert x1 != x2 and y1 != y2, "no common line"
    text = pictures.all_sets(asked.states).text.splitlines()
    assert len(text) == 2**5
    met = {line.split()[0] for line in text if line.endswith("*")}
    assert met == _met_in_games()


def _met_in_games() -> set[str]:
    """Return the sets of picked stones that come up, by playing all games."""
    found, games = set(), [()]
    number = {(row, column): at for at, (row, column) in enumerate(pictures.PLACES)}
    while games:
        cells = games.pop()
        start = KIND.read(pictures.EXAMPLE)
        now = KIND.play_line(start, " ".join(f"{r + 1},{c + 1}" for r, c in cells))
        if cells:
            found.add(f"{sum(1 << number[cell] for cell in cells):05b}")
        games += [(*cells, move) for move in KIND.moves(now)]
    return found


def test_the_search_for_one_solution(asked):
    """From each stone a search in depth; a solution from it begins the line of moves."""

    def first(position) -> bool:
        if KIND.judge(position).solved:
            return True
        return any(first(KIND.play(position, move)) for move in KIND.moves(position))

    start = KIND.read(pictures.EXAMPLE)
    good = {at for at, cell in enumerate(pictures.PLACES, 1) if first(KIND.play(start, cell))}
    assert page.starts(asked) == good
    board = pictures.sentinels(4)
    signs = [shape.style for shape in board.shapes if hasattr(shape, "corner")]
    assert (len(signs), signs.count("sentinel"), signs.count("tiny")) == (36, 20, 16)


def test_stones_on_stones(asked):
    assert asked.draws == tuple(bench.draws())
    assert [draw.doubled for draw in asked.draws] == [0.4777, 0.6031, 0.7142, 0.8057, 0.8756]
    shown, doubled = bench.trial(100)
    assert abs(doubled / shown - asked.shown_doubled / asked.shown) < 0.15


@pytest.mark.thorough
def test_stored_times_and_surveys_are_of_what_the_bench_measures(asked):
    assert [(row.stones, row.side) for row in asked.times] == list(bench.TIMED)
    for row in asked.times[:3]:
        assert (
            structs.replace(
                bench.timed(row.stones, row.side),
                poster=row.poster,
                poster_compiled=row.poster_compiled,
                ours=row.ours,
            )
            == row
        )
    assert [survey.rows for survey in asked.surveys] == [side for side, _ in bench.SURVEYED]
    for survey, (_, most) in zip(asked.surveys, bench.SURVEYED):
        assert [row.stones for row in survey.found] == list(range(2, most + 1))
        assert all(row.unique <= row.solvable <= row.boards == bench.BOARDS for row in survey.found)


def test_random_boards_agree_with_the_census(kept, monkeypatch):
    """On 5x5, the survey of random boards agrees with the complete count."""
    monkeypatch.setattr(bench, "BOARDS", 150)
    survey = bench.surveyed(5, 14)
    for row in survey.found:
        exact = kept.stones[row.stones - 1].all
        share, true = row.solvable / row.boards, exact.solvable / exact.boards
        assert abs(share - true) < 4 * (true * (1 - true) / row.boards) ** 0.5 + 0.01


# The page


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("33 million boards, all counted", "With 18 stones or more", "71% of all draws")),
        ("ja", ("3355万の盤を全部数える", "石が18個以上なら", "71%の盤で")),
    ],
)
def test_everybody_reads_the_page(client_of, teacher, student, language, words):
    for reader in (None, teacher, student):
        text = client_of(reader, language).get(PAGE).content.decode()
        figures = ("33,554,431", "26,092,550", "322,257", "4,211,743", "31,155", "2,440,064")
        for word in (*words, *figures):
            assert word in text
        assert not re.search(r"\son\w+=|\sstyle=", text)
        assert (f'action="{NEW}"' in text) == (reader == teacher)


def test_charts_have_their_numbers_and_a_place(anonymous):
    answer = anonymous.get(PAGE)
    text = answer.content.decode()
    charts = json.loads(re.search(r'<script id="charts"[^>]*>(.*?)</script>', text)[1])
    assert [chart["name"] for chart in charts] == re.findall(r'data-chart="([^"]+)"', text)
    for chart in charts:
        assert all(line["points"] for line in chart["lines"])
    by_name = {chart["name"]: chart["lines"] for chart in charts}
    assert {"x": 11, "y": 2.078} in by_name["unique"][0]["points"]
    assert [line["label"] for line in by_name["large-level"]] == [
        "5 × 5, all boards", "6 × 6", "8 × 8", "10 × 10",
    ]  # fmt: skip


def test_a_teacher_makes_a_puzzle_of_a_board(teacher_client, kept):
    hard = kept.stones[14].hardest_unique[0].board
    assert f'name="text" value="{hard}"' in teacher_client.get(PAGE).content.decode()
    fields = {"draft": "...../...../...../...../.....", "brush": "stone", "do": "take"}
    editor = teacher_client.post(NEW, fields | {"text": hard})
    assert f'name="draft" value="{hard}"' in editor.content.decode()


def test_the_rule_of_thumb(kept):
    halves = page.halves(kept, stored(GoishiFigures).figures)
    assert [size for size, _ in halves] == ["5 × 5", "6 × 6", "8 × 8", "10 × 10"]
    shares = [row.all.solvable / row.all.boards for row in kept.stones]
    assert shares[halves[0][1] - 2] < 0.5 <= shares[halves[0][1] - 1]
    assert [stones for _, stones in halves] == sorted(stones for _, stones in halves)
