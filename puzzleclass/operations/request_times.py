"""How long requests took, counted by all web processes together.

Each process counts in its own memory and writes its counts to a file of its own. The process that
is asked adds the files of the others. When the disk is full, writing such a file fails with an
error, and the site continues. The memory-mapped files of prometheus_client's multiprocess mode
would end the process with SIGBUS instead.
"""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer

from django.conf import settings
from prometheus_client import Histogram, Metric, disable_created_metrics
from prometheus_client.registry import Collector

NAME, MEANING = "puzzleclass_request_seconds", "How long requests took, by view"
METRICS_DIR = Path(settings.VAR_DIR) / "metrics"
SAVE_SECONDS = 1.0
"""How many seconds old the counts in a file may be."""
BUCKETS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10)

disable_created_metrics()  # type: ignore[no-untyped-call]


class RequestTimes(Collector):
    """The histogram of this process together with the files of the others."""

    def __init__(self, folder: Path) -> None:
        self._own_file = folder / f"{os.getpid()}.json"
        self._histogram = Histogram(
            NAME, MEANING, ["view", "method", "status"], buckets=BUCKETS, registry=None
        )
        self._lock = Lock()
        self._is_saving_soon = False

    def observe(self, view: str, method: str, status: int, seconds: float) -> None:
        """Count a request. The file is written within `SAVE_SECONDS`."""
        self._histogram.labels(view, method, f"{status // 100}xx").observe(seconds)
        with self._lock:
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
        rows = [[name, labels, value] for (name, labels), value in self._counts().items()]
        new = self._own_file.with_suffix(".new")
        with suppress(OSError):
            new.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(json.dumps(rows))
            new.replace(self._own_file)

    def collect(self) -> Iterator[Metric]:
        """Yield the histogram of all processes."""
        total = self._counts()
        for path in self._own_file.parent.glob("*.json"):
            if path == self._own_file:
                continue
            # A process that ends may leave an incomplete file.
            with suppress(OSError, ValueError):
                for name, labels, value in json.loads(path.read_text()):
                    key = name, tuple((label, text) for label, text in labels)
                    total[key] = total.get(key, 0.0) + value
        metric = Metric(NAME, MEANING, "histogram")
        for (name, labels), value in total.items():
            metric.add_sample(name, dict(labels), value)
        yield metric

    def _counts(self) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
        """Return this process's counts by the names and labels that Prometheus uses."""
        return {
            (sample.name, tuple(sample.labels.items())): sample.value
            for metric in self._histogram.collect()
            for sample in metric.samples
        }
