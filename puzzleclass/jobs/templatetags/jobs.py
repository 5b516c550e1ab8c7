"""What pages say while no worker is running."""

from django import template
from django.utils.translation import gettext

from puzzleclass.jobs.workers import silent_queues
from puzzleclass.launcher.kernels import is_compiling

register = template.Library()


@register.inclusion_tag("jobs/_no_worker.html")
def no_worker(queue: str) -> dict[str, bool]:
    """Say that no worker is running, if none serves the queue."""
    return {"is_silent": queue in silent_queues()}


@register.simple_tag
def why_no_worker() -> str:
    """Tell students why nobody calculates, where no worker is running."""
    if is_compiling():
        return gettext("The computer is still getting ready. This takes about a minute.")
    return gettext("The computer is not running just now.")


@register.simple_tag
def is_preparing() -> bool:
    """Return whether workers wait until the solvers are compiled."""
    return is_compiling()
