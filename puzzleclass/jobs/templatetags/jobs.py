"""The notice that no worker is running."""

from django import template

from puzzleclass.jobs.workers import silent_queues

register = template.Library()


@register.inclusion_tag("jobs/_no_worker.html")
def no_worker(queue: str) -> dict[str, bool]:
    """Say that no worker is running, if none serves the queue."""
    return {"is_silent": queue in silent_queues()}
