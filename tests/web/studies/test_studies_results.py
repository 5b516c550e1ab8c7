"""The page of new results: its figures, its proof in pictures and its open questions."""

import re

import pytest
from django.urls import reverse

from bench.studies import results as bench
from puzzleclass.studies import results_views as results
from puzzleclass.studies.figures import GoishiCensus, stored
from puzzleclass.studies.goishi_pictures import ALONG, AS_FAR, BACK, CHAIN, ROUND, STUCK, THERE
from puzzleclass.studies.result_figures import NewResults
from solvers.registry import get_kind

PAGE = reverse("study_results")
CENSUSES = {
    (2, 6): (4095, 2641, 12, 25860, 508),
    (2, 8): (65535, 39691, 16, 843692, 4460),
    (2, 10): (1048575, 612069, 20, 28585780, 39708),
    (2, 12): (16777215, 9586399, 24, 990638460, 355660),
    (3, 6): (262143, 177437, 3582, 7628960, 11936),
    (3, 7): (2097151, 1452771, 39849, 126978753, 70692),
    (3, 8): (16777215, 11898783, 388524, 2174109926, 438132),
    (4, 6): (16777215, 12694507, 220684, 3139505216, 1439520),
}
"""Boards, solvable ones, those with one solution, all solutions, the full board's: another program
counted them, too."""


@pytest.fixture(scope="module")
def found() -> NewResults:
    return stored(NewResults).figures


@pytest.mark.thorough
def test_stored_figures_are_what_the_bench_computes(found):
    small = [each for each in found.sizes if each.rows * each.columns <= 15]
    assert [bench.counted(each.rows, each.columns) for each in small] == small
    assert [(each.rows, each.columns) for each in found.sizes] == list(bench.sizes(bench.POINTS))
    full = [each for each in found.full if each.rows * each.columns <= 24]
    assert [bench.full(each.rows, each.columns) for each in full] == full
    assert [(each.rows, each.columns) for each in found.full] == list(bench.full_sizes())
    assert tuple(bench.few(7)) == found.few[:6]
    tonari = [each for each in found.tonari if each.rows * each.columns <= 24]
    assert [bench.all_black(each.rows, each.columns) for each in tonari] == tonari
    assert [(each.rows, each.columns) for each in found.tonari] == list(bench.tonari_sizes())


def test_another_program_counted_the_same(found):
    counted = {
        (each.rows, each.columns): (
            *(each.all.boards, each.all.solvable, each.all.unique),
            *(each.solutions, each.full),
        )
        for each in found.sizes
    }
    assert {size: counted[size] for size in CENSUSES} == CENSUSES
    tonari = {(each.rows, each.columns): each.orders for each in found.tonari}
    assert tonari[2, 8] == 157864
    assert tonari[4, 8] == 294464786049534639050
    assert tonari[5, 7] == 5735380354489913166027648


def test_small_sizes_agree_with_the_census_up_to_five_rows(found):
    census = stored(GoishiCensus).figures
    known = {(each.rows, each.columns): each for each in census.sizes}
    for each in found.sizes:
        if (other := known.get((each.rows, each.columns))) is not None:
            assert (each.all, each.solutions) == (other.all, other.solutions)
    # Boards of 7 stones and one solution fit on 5x5; of more stones some do not.
    different = {row.stones: row.different.unique for row in census.stones}
    assert [different[each.stones] for each in found.few if each.stones <= 7] == [0] * 5 + [3]
    assert all(different[each.stones] <= each.different for each in found.few)


def test_the_formulas_for_two_lines(found):
    lines = [each for each in found.sizes if each.rows == 2]
    assert [each.columns for each in lines] == list(range(2, 13))
    for each in lines:
        assert results.solvable_on_two_lines(each.columns) == each.all.solvable
        assert each.all.unique == 2 * each.columns
    full = {each.columns: each.solutions for each in found.full if each.rows == 2}
    assert [results.full_on_two_lines(n) for n in full] == list(full.values())
    assert results.solvable_on_two_lines(1) == 3
    assert results.full_on_two_lines(1) == 2


@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_the_questions_say_is_true(client_of, db, found, language):
    text = client_of(None, language).get(PAGE).content.decode().split('id="open"')[1]
    assert all(each.most == each.full for each in found.sizes)
    numbers = [each.orders for each in found.tonari if each.rows == 2]
    numbers += [results.full_on_two_lines(n) for n in range(1, 7)]
    [square] = [each for each in found.sizes if each.rows == each.columns == 4]
    numbers.append(square.most_unique_stones)
    numbers += [row.stones for row in stored(GoishiCensus).figures.stones if row.all.unique][-1:]
    assert all(re.search(rf"\b{number}\b|(?<!\d){number}(?!\d)", text) for number in numbers)
    assert text.count("<h3>") == 9


def test_the_pictures_of_the_proof():
    kind = get_kind("goishi")

    def after(board: str, line: str):
        return kind.judge(kind.play_line(kind.read(board), line))

    for line in (THERE, BACK):
        assert after(ROUND, line).solved
    assert after(CHAIN, ALONG).solved
    stuck = after(STUCK, AS_FAR)
    assert stuck.over and not stuck.solved
    # The third move goes past the column of the stone on which the line jams.
    *_, third, _, _, last = AS_FAR.split()
    assert [int(move[2]) for move in (third, last)] == [4, 2]


def test_integer_sequences(found):
    terms = list(results.sequences(found.full).values())
    assert terms[0] == "1, 8, 64, 6984, 2440064, 10229439288"
    assert terms[1].startswith("2, 8, 20, 60, 172, 508, 1500, 4460, 13292, 39708, 118780, 355660, ")
    assert terms[2].startswith("2, 20, 64, 400, 2004, 11936, 70692, 438132, ")
    assert terms[3].startswith("2, 60, 400, 6984, 89524, 1439520, ")
    assert terms[5].startswith("1, 2, 8, 2, 20, 64, 2, 60, 400, 6984, 2, 172, ")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("New results", "Theorem", "No board of 2 to 6 stones has exactly one solution.")),
        ("ja", ("新しい結果", "定理", "石が2〜6個の盤には")),
    ],
)
def test_everybody_reads_the_page(client_of, teacher, student, language, words):
    figures = ("11,898,783", "388,524", "12,694,507", "220,684", "9,586,399", "16,777,215",
               "294,464,786,049,534,639,050", "5,735,380,354,489,913,166,027,648")  # fmt: skip
    for reader in (None, teacher, student):
        answer = client_of(reader, language).get(PAGE)
        assert answer.status_code == 200
        text = " ".join(answer.content.decode().split())
        for word in (*words, *figures, "python -m bench.studies results"):
            assert word in text
        assert not re.search(r"\son\w+=|\sstyle=", text)
        assert ("puzzles/new/goishi" in text) == (reader == teacher)


def test_the_studies_pages_lead_here(anonymous):
    for name in ("studies", "study_goishi", "study_tonari"):
        assert "new/" in anonymous.get(reverse(name)).content.decode()
