"""The addresses that monitoring asks: `/healthz`, `/readyz`, and `/metrics` for Prometheus.

They answer before all other middleware, because a load balancer or Compose asks without a host name
of ours, without HTTPS and without a session. Strangers learn whether each part works. Figures are
given to this machine itself and to requests with `MONITORING_TOKEN`.
"""

import shutil
from collections.abc import Iterable
from ipaddress import ip_address
from time import perf_counter

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from puzzleclass.http import HEALTH_PATH, Middleware
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs import workers
from puzzleclass.operations import state
from puzzleclass.operations.request_times import METRICS_DIR, RequestTimes
from solvers import __version__

READY_PATH, METRICS_PATH = "/readyz", "/metrics"

request_times = RequestTimes(METRICS_DIR)


class ProbeMiddleware(Middleware):
    """Middleware that answers the probes and measures all other requests."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info == HEALTH_PATH:
            return healthz()
        if request.path_info == READY_PATH:
            return readyz(request)
        if request.path_info == METRICS_PATH:
            return metrics(request)
        start = perf_counter()
        response = self.get_response(request)
        match = request.resolver_match
        # Addresses without a view share one label: strangers could make up any number of them.
        view = (match.view_name or "unnamed") if match else "none"
        method = request.method if request.method in ("GET", "POST", "HEAD") else "other"
        request_times.observe(view, method, response.status_code, perf_counter() - start)
        return response


def healthz() -> HttpResponse:
    """Return the version: with 200 when the database answers, else with 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError):
        return JsonResponse({"status": "no database", "version": __version__}, status=503)
    return JsonResponse({"status": "ok", "version": __version__})


def readyz(request: HttpRequest) -> HttpResponse:
    """Return whether the site can do its work: 200, or 503 with the parts that fail."""
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
            each.name: {"waiting": each.waiting, "running": each.running} for each in jobs.queues()
        }
        figures["swept_seconds_ago"] = workers.seconds_since_sweep()
        figures["workers"] = {
            each.name: {"queues": each.queues, "silent_seconds": each.silent}
            for each in workers.workers()
        }
    except (DatabaseError, redis.RedisError):
        return figures  # `faults` says what failed
    return figures


def metrics(request: HttpRequest) -> HttpResponse:
    """Return the figures of all web processes together, in Prometheus's text format."""
    if not _is_trusted(request):
        return HttpResponse("not here\n", status=403, content_type="text/plain")
    registry = CollectorRegistry()
    registry.register(request_times)
    registry.register(Installation())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class Installation(Collector):
    """The figures that are read when they are asked for: parts, queues, workers, the disk."""

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Yield the figures, without those of a part that does not answer."""
        up = GaugeMetricFamily(
            "puzzleclass_part_up", "Whether a part works: 1 or 0", labels=["part"]
        )
        for part in state.recent_parts():
            up.add_metric([part.name], float(part.is_ok))
        yield up
        try:
            gauge = GaugeMetricFamily("puzzleclass_jobs", "Jobs", labels=["queue", "state"])
            for queue in jobs.queues():
                gauge.add_metric([queue.name, "waiting"], queue.waiting)
                gauge.add_metric([queue.name, "running"], queue.running)
            yield gauge
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
    """Return whether the request bears the token; without a token, whether it comes from this
    machine."""
    if settings.MONITORING_TOKEN:
        sent = request.headers.get("Authorization", "")
        return constant_time_compare(sent, f"Bearer {settings.MONITORING_TOKEN}")
    try:
        is_here = ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        is_here = False
    # A request through a proxy on this machine may come from elsewhere.
    return is_here and not any(
        name in request.headers for name in ("X-Forwarded-For", "Forwarded", "X-Real-Ip")
    )
