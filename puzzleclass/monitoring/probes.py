"""What machines ask: `/readyz`, and `/metrics` for Prometheus.

Both answer by any host name, without HTTPS and without a session. Strangers learn in one word how
each part does; figures are for the machine itself and for who has `MONITORING_TOKEN`.
"""

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from time import perf_counter

import redis
from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare

from puzzleclass.http import Middleware
from puzzleclass.jobs import workers
from puzzleclass.monitoring import state

# Before the library is loaded, for it looks only then: each process counts in a file of its own.
METRICS_DIR = Path(settings.VAR_DIR) / "metrics"
with suppress(OSError):  # what starts the site tells of a folder that can't be written
    METRICS_DIR.mkdir(parents=True, exist_ok=True)
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(METRICS_DIR)

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Histogram  # noqa: E402
from prometheus_client import generate_latest as generate  # noqa: E402
from prometheus_client.core import GaugeMetricFamily  # noqa: E402
from prometheus_client.multiprocess import MultiProcessCollector  # noqa: E402
from prometheus_client.registry import Collector  # noqa: E402

READY_PATH, METRICS_PATH = "/readyz", "/metrics"

REQUESTS = Histogram(
    "puzzleclass_request_seconds",
    "How long requests took, by view",
    ["view", "method", "status"],
    buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10),
)


class ProbeMiddleware(Middleware):
    """Answers the probes, and measures all other requests."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info == READY_PATH:
            return readyz(request)
        if request.path_info == METRICS_PATH:
            return metrics(request)
        start = perf_counter()
        response = self.get_response(request)
        match = request.resolver_match
        # An address that leads nowhere is no view: strangers could make any number of them.
        view = (match.view_name or "unnamed") if match else "none"
        method = request.method if request.method in ("GET", "POST", "HEAD") else "other"
        REQUESTS.labels(view, method, f"{response.status_code // 100}xx").observe(
            perf_counter() - start
        )
        return response


def readyz(request: HttpRequest) -> HttpResponse:
    """Say whether the site can do its work: 200, or 503 with the parts that fail."""
    parts = state.recent_parts()
    is_ready = all(part.is_ok for part in parts)
    answer: dict[str, object] = {
        "status": "ok" if is_ready else "failing",
        "parts": {part.name: "ok" if part.is_ok else "failing" for part in parts},
    }
    if _is_trusted(request):
        answer |= _figures()
        answer["faults"] = {part.name: str(part.fault) for part in parts if part.fault}
    return JsonResponse(answer, status=200 if is_ready else 503)


def _figures() -> dict[str, object]:
    figures: dict[str, object] = {}
    try:
        figures["queues"] = {
            each.name: {"waiting": each.waiting, "running": each.running}
            for each in workers.queues()
        }
        figures["swept_seconds_ago"] = workers.swept_ago()
        figures["workers"] = {
            each.name: {"queues": each.queues, "silent_seconds": each.silent}
            for each in workers.workers()
        }
    except (DatabaseError, redis.RedisError):
        return figures  # `faults` says which
    return figures


def metrics(request: HttpRequest) -> HttpResponse:
    """Return the figures in Prometheus's text format, of all web processes together."""
    if not _is_trusted(request):
        return HttpResponse("not here\n", status=403, content_type="text/plain")
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    registry.register(Installation())
    return HttpResponse(generate(registry), content_type=CONTENT_TYPE_LATEST)


class Installation(Collector):
    """What is read at the moment it is asked for: parts, queues, workers, the disk."""

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Yield the figures; those of a part that is away are left out."""
        up = GaugeMetricFamily(
            "puzzleclass_part_up", "Whether a part works: 1 or 0", labels=["part"]
        )
        for part in state.recent_parts():
            up.add_metric([part.name], float(part.is_ok))
        yield up
        try:
            jobs = GaugeMetricFamily("puzzleclass_jobs", "Jobs", labels=["queue", "state"])
            for queue in workers.queues():
                jobs.add_metric([queue.name, "waiting"], queue.waiting)
                jobs.add_metric([queue.name, "running"], queue.running)
            yield jobs
            silent = GaugeMetricFamily(
                "puzzleclass_worker_silent_seconds", "Since a worker's heartbeat", labels=["worker"]
            )
            for worker in workers.workers():
                silent.add_metric([worker.name], worker.silent)
            yield silent
        except (DatabaseError, redis.RedisError):
            pass
        free = shutil.disk_usage(settings.VAR_DIR).free
        yield GaugeMetricFamily("puzzleclass_disk_free_bytes", "Free on VAR_DIR's disk", value=free)


def _is_trusted(request: HttpRequest) -> bool:
    """Return whether the request bears the token; without one, whether it is this machine's own."""
    if settings.MONITORING_TOKEN:
        sent = request.headers.get("Authorization", "")
        return constant_time_compare(sent, f"Bearer {settings.MONITORING_TOKEN}")
    try:
        is_here = ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        is_here = False
    # A proxy on this machine speaks for others.
    return is_here and not any(
        name in request.headers for name in ("X-Forwarded-For", "Forwarded", "X-Real-Ip")
    )
