"""The memory limit that the environment sets."""

import os
import subprocess
import sys

import pytest

from solvers.kind import PuzzleError
from solvers.memory import VARIABLE, read_setting


def test_the_bound_is_what_the_environment_says(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert read_setting() == 2 << 30
    monkeypatch.setenv(VARIABLE, "100")
    assert read_setting() == 100 << 20


@pytest.mark.parametrize("text", ["much", "-5", "63", "1.5", "²"])
def test_an_invalid_number_of_megabytes_is_named(monkeypatch, text):
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(PuzzleError, match=f"{VARIABLE} must be .*“{text}”"):
        read_setting()


PROGRAM = """
import resource, sys
from solvers.kind import PuzzleError
from solvers.question import finish, limited
from solvers.registry import get_kind

def ask(text, seconds):
    run = limited(question.ask(kind, kind.read(text)), seconds, question.answer)
    try:
        return finish(run).proven
    except PuzzleError:
        return False

def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10

slug, name, small, large, seconds = sys.argv[1:]
kind = get_kind(slug)
question = kind.questions[name]
assert ask(small, 60)  # On a busy machine, loading takes longer than the answer.
before = most()
print(ask(large, float(seconds)), most() - before)
"""


SPARSE = "/".join("9" * 9) + " RBKGSN"
"""A Kikazu board with more solutions than can be listed."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("slug", "name", "small", "large", "proven"),
    [
        ("maxstrings", "best", "3x3", "19x19", False),
        ("maxstrings", "best", "3x3", "16x16", True),
        ("maxstrings", "count", "3x3", "18x18", False),
        ("maxstrings", "positions", "3x3", "7x7 20", False),
        ("maxstrings", "model", "3x3", "19x19", True),
        *(
            ("kikazu", name, "4/4/4/4 RBKGSN", SPARSE, None)
            for name in ("count", "solutions", "common", "clues", "hint")
        ),
        ("kikazu", "count", "4/4/4/4 RBKGSN", SPARSE.replace("RBKGSN", "2R2B2K4G4S4N4L17P"), True),
        ("tonari", "ladder", "Bbb/bbb/bbb", "/".join(["Bbbbbb"] + ["bbbbbb"] * 5), False),
        ("tonari", "rate", "Bbb/bbb/bbb", "/".join(["Bbbbbb"] + ["bbbbbb"] * 5), False),
        ("goishi", "count", "oo/oo", "/".join(["o" * 8] * 8), False),
        ("goishi", "hint", "oo/oo", "/".join(["o" * 8] * 6), None),
    ],
)
def test_no_question_takes_more(slug, name, small, large, proven):
    """It is measured against the same question about a small board, which has everything loaded.

    An answer that must be proven takes a second, and may take longer on a busy machine. A hint
    stops by itself after some seconds.
    """
    seconds = "30" if proven else "5" if name == "hint" else "2"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, slug, name, small, large, seconds],
        capture_output=True, text=True, timeout=90, env=os.environ | {VARIABLE: "64"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answered, grown = done.stdout.split()
    assert proven is None or answered == str(proven)
    # The interpreter's own memory during a run of some seconds is added.
    assert int(grown) <= 64 + 16
