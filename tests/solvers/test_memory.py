"""The bound of memory that the environment sets."""

import pytest

from solvers.kind import PuzzleError
from solvers.memory import VARIABLE, setting


def test_the_bound_is_what_the_environment_says(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert setting() == 2 << 30
    monkeypatch.setenv(VARIABLE, "100")
    assert setting() == 100 << 20


@pytest.mark.parametrize("text", ["much", "-5", "63", "1.5", "²"])
def test_what_is_no_number_of_megabytes_is_named(monkeypatch, text):
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(PuzzleError, match=f"{VARIABLE} must be .*“{text}”"):
        setting()
