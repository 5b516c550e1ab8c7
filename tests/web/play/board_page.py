"""Send steps to the page of a board, as a browser does."""

import pytest

from puzzleclass.play.models import Attempt

HTMX = {"HX-Request": "true"}


@pytest.fixture
def attempt(student, assigned, begun) -> Attempt:
    """Return the student's first attempt, stored before its first step."""
    return begun(student, assigned)


def send(client, attempt, move="1,1", step=None, action="move", htmx=True):
    """Send a step of the attempt, as HTMX or as a plain form, and return the answer."""
    number = attempt.next_step if step is None else step
    fields = {"action": action, "move": move, "step": number}
    return client.post(f"/attempts/{attempt.key}/steps/", fields, headers=HTMX if htmx else {})


def restart(client, attempt, htmx=True):
    """Start the attempt again, and return the answer."""
    return client.post(f"/attempts/{attempt.key}/restart/", headers=HTMX if htmx else {})
