"""The studies' other figures: times and densities, shares of orders, squares, orders of pieces."""

import re
from itertools import product

import pytest
from django.urls import reverse
from msgspec import structs

from bench.studies import printed as bench
from bench.study_kikazu import PAWNS_LAST, count_in_python, search
from puzzleclass.studies.figures import stored
from puzzleclass.studies.maxstrings_printed import DENSITIES, GLPK, density_fault, printed_rows
from puzzleclass.studies.printed_figures import PrintedFigures
from puzzleclass.studies.tonari_views import PRINTED
from solvers.kikazu import KIND as KIKAZU
from solvers.maxstrings.rules import score
from solvers.maxstrings.study import FIRST_TABLE, GLPK_SECONDS, SECOND_TABLE


@pytest.fixture(scope="module")
def found() -> PrintedFigures:
    return stored(PrintedFigures).figures


# The figures


def test_stored_figures_are_what_the_bench_computes(found):
    assert [each.n for each in found.programmes] == list(bench.PROGRAMMES)
    assert [bench.positions(each.n) for each in found.positions[:4]] == list(found.positions[:4])
    assert [bench.left_out(each.side) for each in found.left_out[:2]] == list(found.left_out[:2])
    orders = [each for each in found.piece_orders if max(each.pawns_last, each.lances_last) < 10**6]
    assert [bench.piece_orders(each.text) for each in orders] == orders
    assert [each.text for each in found.piece_orders] == list(bench.ORDERED)


def test_the_programme_with_and_without_cuts(found):
    pytest.importorskip("highspy")
    for n in (2, 5):
        kept = next(each for each in found.programmes if each.n == n)
        now = bench.programme(n)
        assert structs.replace(now, plain=kept.plain, cuts=kept.cuts) == kept


@pytest.mark.parametrize("n", [1, 2, 3])
def test_positions_are_counted_by_the_rules(found, n):
    """Every way to put stones, one after the other: a string without a liberty is illegal."""
    legal = []
    for signs in product(".xo", repeat=n * n):
        text = "".join(signs)
        board = tuple(text[start : start + n] for start in range(0, n * n, n))
        if _is_legal(board):
            legal.append(score(board))
    kept = found.positions[n - 1]
    assert kept.patterns == 3 ** (n * n)
    assert (kept.legal, kept.best) == (len(legal), legal.count(max(legal)))


def _is_legal(board: tuple[str, ...]) -> bool:
    def near(row: int, column: int):
        for r, c in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if 0 <= r < len(board) and 0 <= c < len(board):
                yield r, c

    for row, column in product(range(len(board)), repeat=2):
        string, open_ends, is_free = {(row, column)}, [(row, column)], board[row][column] == "."
        while open_ends and not is_free:
            for r, c in near(*open_ends.pop()):
                is_free |= board[r][c] == "."
                if board[r][c] == board[row][column] and (r, c) not in string:
                    string.add((r, c))
                    open_ends.append((r, c))
        if not is_free:
            return False
    return True


def test_the_compiled_search_of_the_study_finds_the_same():
    for text in ("3/3/3/3 2G2S2NP", "4/4/4/4 RBKGSL2P", "5/5/5/5/5 RBKG2SN3L4P"):
        start = KIKAZU.read(text)
        assert search(start).ways == search(start, PAWNS_LAST).ways == count_in_python(start)


# The study of Max Strings


def test_the_times_of_the_study():
    assert list(GLPK) == list(FIRST_TABLE)
    assert {n: times.default for n, times in GLPK.items() if n >= 10} == GLPK_SECONDS


def test_densities(found):
    assert {n: density_fault(n) for n in GLPK if density_fault(n)} == {
        **{7: "misprint", 8: "misprint", 10: "slip"}
    }
    assert {row[0]: row[-1] for row in printed_rows(found) if row[0] in (7, 8, 10, 15)} == {
        **{7: "0.7551", 8: "0.7500", 10: "0.7600", 15: "0.7644"}
    }
    # The misprinted maxima give just the printed densities; on 15 lines only the right one does.
    for n in (7, 8):
        assert DENSITIES[n] == 100 * FIRST_TABLE[n] // n**2
    assert DENSITIES[15] == 100 * SECOND_TABLE[15] // 15**2 != 100 * FIRST_TABLE[15] // 15**2


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Times and densities", "0.7551", "misprint", "slip", "4,426", "2,191")),
        ("ja", ("計算時間と密度", "0.7551", "誤植", "書きまちがい", "4,426", "2,191")),
    ],
)
def test_the_page_on_max_strings(client_of, db, language, words):
    text = client_of(None, language).get(reverse("study_maxstrings")).content.decode()
    section = text.split('id="printed"')[1].split('<section class="card')[0]
    for word in (*words, "3^361 ≈ 1.74 × 10^172", "414,295,148,741", "54%", "282", "281"):
        assert word in section


# The studies of Tonari Othello and of the non-attacking pieces


def compared(page: str, client) -> list[tuple[str, str, bool | None]]:
    """Return what the study prints, our figure, and whether the page calls the study right."""
    table = client.get(reverse(page)).content.decode().split('id="printed"')[1]
    cell = r"<td[^>]*>(.*?)</td>"
    rows = re.findall(rf'<th scope="row">(.*?)</th>\s*{cell}\s*{cell}', table)
    return [
        (study, ours, True if "badge ok" in what else False if "badge bad" in what else None)
        for what, study, ours in rows
    ]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_tonari(client_of, db, language):
    rows = compared("study_tonari", client_of(None, language))
    assert rows[:2] == [("3.29%", "3.29%", True), ("0.03%", "0.0303%", True)]
    assert [row[1] for row in rows[2:4]] == ["0.000157%", "0.000000695%"]
    assert rows[4:6] == [("12, 21, 23", "12, 21, 22", False), ("10", "10", True)]
    assert rows[-2:] == [("4–6", "4–6", True), ("4", "4", True)]


def test_tonari_leaves_out_what_the_study_leaves_out(found):
    printed = sorted({15 - len(line.split()) for line in PRINTED})
    assert printed == [squares for squares, _boards in found.left_out[1].boards] == [4, 5, 6]
    assert sum(boards for _squares, boards in found.left_out[2].boards) == 227


def test_kikazu(found, client_of, db):
    rows = compared("study_kikazu", client_of(None, "en"))
    assert ("64", "64", True) in rows and ("41", "41", True) in rows
    ratios = [each.ratio for each in found.piece_orders]
    assert ("2–3", f"{min(ratios):.1f}–{max(ratios):.0f}", None) in rows
    assert min(ratios) < 1 and max(ratios) > 3
    assert found.skeleton_seconds < 60


@pytest.mark.parametrize(
    ("name", "language", "words"),
    [
        ("study_tonari", "en", ("3.29%", "304 of 9,240", "4–6")),
        ("study_tonari", "ja", ("3.29%", "9,240通りのうち304通り", "4–6")),
        ("study_kikazu", "en", ("30 minutes", "2–3", "Core i7 860")),
        ("study_kikazu", "ja", ("30分", "2–3", "Core i7 860")),
    ],
)
def test_the_other_pages(client_of, db, name, language, words):
    text = client_of(None, language).get(reverse(name)).content.decode()
    for word in words:
        assert word in text
