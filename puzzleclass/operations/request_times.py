"""How long requests took, counted by all web processes together.

Each process counts in its own memory and writes its counts to a file of its own. The process that
is asked adds the files of the others. When the disk is full, writing such a file fails with an
error, and the site continues. The memory-mapped files of prometheus_client's multiprocess mode
would end the process with SIGBUS instead.
"""

import json
import os
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from threading import Lock, Timer

from django.conf import settings
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

NAME, MEANING = "puzzleclass_request_seconds", "How long requests took, by view"
LABELS = ("view", "method", "status")
METRICS_DIR = Path(settings.VAR_DIR) / "metrics"
SAVE_SECONDS = 1.0
"""How many seconds old the counts in a file may be."""
BUCKETS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, float("inf"))
"""The most seconds of each part of the histogram."""

Labels = tuple[str, ...]
Counts = list[float]
"""The number of requests in each part of the histogram, and the seconds of all of them together."""


class RequestTimes(Collector):
    """The histogram of this process together with the files of the others."""

    def __init__(self, folder: Path) -> None:
        self._own_file = folder / f"{os.getpid()}.json"
        self._own: dict[Labels, Counts] = {}
        self._lock = Lock()
        self._is_saving_soon = False

    def observe(self, view: str, method: str, status: int, seconds: float) -> None:
        """Count a request. The file is written within `SAVE_SECONDS`."""
        labels = view, method, f"{status // 100}xx"
        with self._lock:
            counts = self._own.setdefault(labels, [0] * (len(BUCKETS) + 1))
            counts[bisect_left(BUCKETS, seconds)] += 1
            counts[-1] += seconds
            if self._is_saving_soon:
                return
            self._is_saving_soon = True
        timer = Timer(SAVE_SECONDS, self.save)
        timer.daemon = True
        timer.start()

    def save(self) -> None:
        """Write this process's counts. When the disk is full, the older file stays."""
        with self._lock:
            self._is_saving_soon = False
            text = json.dumps(list(self._own.items()))
        new = self._own_file.with_suffix(".new")
        with suppress(OSError):
            new.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(text)
            new.replace(self._own_file)

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield the histogram of all processes."""
        with self._lock:
            total = {labels: list(counts) for labels, counts in self._own.items()}
        for path in self._own_file.parent.glob("*.json"):
            if path == self._own_file:
                continue
            # A process that ends may leave an incomplete file.
            with suppress(OSError, ValueError):
                for labels, counts in json.loads(path.read_text()):
                    before = total.get(tuple(labels), [0] * len(counts))
                    total[tuple(labels)] = [a + b for a, b in zip(before, counts, strict=True)]
        metric = HistogramMetricFamily(NAME, MEANING, labels=LABELS)
        for labels, (*numbers, seconds) in total.items():
            parts = zip(map(floatToGoString, BUCKETS), accumulate(numbers), strict=True)
            metric.add_metric(labels, list(parts), seconds)
        yield metric
