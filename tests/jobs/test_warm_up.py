"""A worker for hints shares its kernels with the processes that it forks."""

import gc
from types import SimpleNamespace

import pytest

from puzzleclass.jobs import delivery


@pytest.mark.parametrize(("queue", "is_frozen"), [("hint", True), ("solve", False)])
def test_what_a_worker_for_hints_has_loaded_stays_shared(monkeypatch, settings, queue, is_frozen):
    settings.IS_SMALL = False
    monkeypatch.setattr("solvers.warm.warm", lambda: None)
    amqp = SimpleNamespace(queues=SimpleNamespace(consume_from={queue: None}))
    frozen = gc.get_freeze_count()
    try:
        delivery.warm_up(SimpleNamespace(app=SimpleNamespace(amqp=amqp)))
        assert (gc.get_freeze_count() > frozen) == is_frozen
    finally:
        gc.unfreeze()
