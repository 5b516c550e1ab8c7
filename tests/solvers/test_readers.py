"""Readers answer at once whatever the text. `make fuzz` tests more texts."""

import os
import random
from itertools import chain, islice

import pytest

from solvers.kind import LONGEST_TEXT, BadText
from solvers.registry import get_kind
from tests.fuzz import every_kind, fault_of, pathological, readers, shown, texts, words_of

TEXTS, SEED = int(os.environ.get("FUZZ_TEXTS", 150)), os.environ.get("FUZZ_SEED", "")
READERS = [(kind, name) for kind in every_kind() for name in readers(kind)]
FULL = "/".join(["o" * 19] * 19)
SNAKE = " ".join(
    f"{row + 1},{column + 1}" for row in range(19) for column in range(19)[:: (-1) ** row]
)

SPIRAL = "".join(f"[a{chr(97 + row)}:s{chr(97 + row)}]" for row in range(0, 19, 2)) + "".join(
    f"[{'as'[row % 4 // 2]}{chr(97 + row)}]" for row in range(1, 19, 2)
)
"""One long string of a Go record that winds over the board."""

every_reader = pytest.mark.parametrize(
    ("kind", "name"), READERS, ids=lambda value: getattr(value, "slug", value)
)


@every_reader
def test_odd_texts_are_read_or_refused_at_once(kind, name):
    reader, words = readers(kind)[name], words_of(kind)
    rng = random.Random(f"{SEED}{kind.slug} {name}")
    worst = list(pathological(words))
    rng.shuffle(worst)
    for text in chain(worst[: TEXTS // 6], islice(texts(rng, words), TEXTS)):
        fault = fault_of(reader, text)
        assert not fault, f"{fault}: {shown(text)}"


@pytest.mark.parametrize(
    ("slug", "text"),
    [
        ("goishi", "9" * 19_999 + "x"),
        ("goishi", "0" * 9_000 + "5 1 1"),
        ("goishi", "goishi/" * 2_850 + " x"),
        ("goishi", f"{FULL} | {SNAKE}"),
        ("goishi", "o\n" + "o" * 19_990),
        ("kikazu", "4/4/4/4" + "\n" * 19_900 + "R"),
        ("kikazu", "4/4/4/4\n" + " " * 19_900 + "R"),
        ("kikazu", "9/9/9/9/9/9/9/9/9 R | " + "R 1,1 - 1,1 " * 1_660),
        ("maxstrings", "/".join(["x" * 19] * 18 + ["x" * 18 + "."])),
        ("maxstrings", "/".join(["s" * 19] * 18 + ["s" * 18 + "."])),
        ("maxstrings", "/".join(["." * 9 + "#"] + ["." * 10] * 18) + " 50"),
        ("maxstrings", "19x19 | " + "x 1,1 - 1,1 " * 1_660),
        ("maxstrings", f"(;AW{SPIRAL}" + ";B[bb]" * 2_800 + ")"),
        ("maxstrings", "(;" + "Aa" * 9_900 + "[x])"),
        ("maxstrings", "(;" + "a" * 19_900 + "[x])"),
        ("tonari", "8x8 11 white " + "11 " * 6_000),
    ],
)
def test_texts_that_once_took_long(slug, text):
    assert len(text) <= LONGEST_TEXT
    assert not fault_of(get_kind(slug).read, text), shown(text)


@pytest.mark.parametrize("name", ["position", "line", "draft", "paint"])
@pytest.mark.parametrize("kind", every_kind(), ids=lambda kind: kind.slug)
def test_a_text_has_a_longest_length(kind, name):
    with pytest.raises(BadText, match="too long"):
        readers(kind)[name](" " * LONGEST_TEXT + "1")
