"""The study's tables beside what is true: 連数最大化問題, n = 2 to 16 and 19.

Three of its figures are misprints: n = 7 and 8 in both tables and in the text, n = 15 in the first
table only. `count` and `best` give ours, up to 19 x 19, in seconds; `known` the larger maxima.
"""

from pathlib import Path

FIRST_TABLE = {2: 2, 3: 6, 4: 12, 5: 18, 6: 26, 7: 36, 8: 49, 9: 61, 10: 76, 11: 92, 12: 109,
               13: 129, 14: 149, 15: 169}  # fmt: skip
"""n -> the maximum as printed in table 1 (without symmetry cuts)."""

SECOND_TABLE = FIRST_TABLE | {15: 172}
"""The same in table 2 (with cuts)."""

FIGURES = {16: 196, 19: 277}
"""Maxima that only stand in the captions of the figures; 19 by private communication."""

SECONDS = {10: 1.0, 11: 8.0, 12: 48.0, 13: 88.0, 14: 4788.0, 15: 5547.0}
"""n -> GLPK's seconds, table 1, default settings, Core Duo 2 GHz; 0 below."""

FORMS = (1, 6, 10, 2, 22, 288, 2, 52, 32, 4, 32, 21600, 18, 540360, 34528, 100406, 70266144,
         1380216154, 1682689266, 77900162)  # fmt: skip
"""n = 1, 2, ... -> number of best checkerboard forms, colours not swapped, as `tally` counts them:
in the tests up to 14, by the benchmark up to 20."""

BOARDS = (Path(__file__).parent / "best_boards.txt").read_text(encoding="ascii").split()
"""A best board of each n = 1, 2, ..., as `form` finds it; a line of the file each."""
