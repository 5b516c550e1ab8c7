"""What a process keeps of kinds is bounded by its bytes."""

import pytest

from puzzleclass.kinds import stored
from solvers.registry import ready_kinds
from solvers.rule_tables import browser
from solvers.rule_tables.kept import Kept
from solvers.rule_tables.table import write_table


def test_kinds_of_large_tables_push_each_other_out(monkeypatch):
    texts = [write_table(kind.table) for kind in ready_kinds().values() if hasattr(kind, "table")]
    most = stored.BYTES_PER_LETTER * 3 * max(map(len, texts))
    monkeypatch.setattr(stored, "_KINDS", Kept(most, lambda made: made[1]))
    for text in texts:
        assert stored.made_kind(text) is stored.made_kind(text)
        assert 0 < stored._KINDS.taken <= most
    first = stored.made_kind(texts[0])
    assert len(texts) > 10 and first.slug == stored.read_table(texts[0]).slug


@pytest.mark.parametrize("size", ["4x4", "6x6"])
def test_tables_of_rules_push_each_other_out(monkeypatch, size):
    monkeypatch.setattr(browser, "STEPS", Kept(20_000, browser._size_of))
    kind = ready_kinds()["stars"]
    for _ in range(2):
        position = kind.read_start(size)
        assert kind._sent(position)
        assert 0 < browser.STEPS.taken <= 20_000
