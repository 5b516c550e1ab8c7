"""Workers load their kernels at the start, and share them with the processes that they fork."""

import gc
import subprocess
import sys
from types import SimpleNamespace

import pytest

from puzzleclass.jobs import delivery

HINT_SECONDS = 0.3


@pytest.mark.parametrize(
    ("queue", "is_small", "warmed"),
    [
        ("hint", False, [()]),
        ("solve", False, [()]),
        ("hint", True, [("hint",)]),
        ("sweep", False, []),
    ],
)
def test_what_a_worker_has_loaded_stays_shared(monkeypatch, settings, queue, is_small, warmed):
    settings.IS_SMALL = is_small
    calls = []
    monkeypatch.setattr("solvers.warm.warm", lambda *names: calls.append(names))
    amqp = SimpleNamespace(queues=SimpleNamespace(consume_from={queue: None}))
    frozen = gc.get_freeze_count()
    try:
        delivery.warm_up(SimpleNamespace(app=SimpleNamespace(amqp=amqp)))
        assert (gc.get_freeze_count() > frozen) == bool(warmed)
        assert calls == warmed
    finally:
        gc.unfreeze()


FIRST_HINTS = """
import time
from solvers.question import finish
from solvers.registry import examples, kinds
from solvers.warm import warm
warm("hint")
for kind in kinds().values():
    position = kind.read(examples(kind)[-1 if kind.slug == "tonari" else 1].position)
    began = time.process_time()
    finish(kind.questions["hint"].ask(kind, position))
    print(kind.slug, time.process_time() - began)
"""


def test_the_first_hint_of_each_kind_finds_its_kernels_loaded():
    run = subprocess.run(
        (sys.executable, "-c", FIRST_HINTS), check=True, capture_output=True, text=True
    )
    times = {slug: float(seconds) for slug, seconds in map(str.split, run.stdout.splitlines())}
    assert len(times) == 4
    assert max(times.values()) < HINT_SECONDS
