"""The sockets that the launcher opens for the web processes."""

import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from puzzleclass.launcher.installation import listen
from puzzleclass.launcher.waiting import Part, Visitors, answering
from tests.integration.processes import free_port

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux deals connections out to several sockets"
)


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def accepted(listening: socket.socket, opened: ExitStack) -> int:
    """Return the number of connections that wait for this socket."""
    listening.setblocking(False)
    found = 0
    with suppress(BlockingIOError):
        while True:
            opened.enter_context(listening.accept()[0])
            found += 1
    return found


def test_a_class_is_dealt_out_to_all_web_processes(opened):
    port = free_port()
    sockets = [opened.enter_context(each) for each in listen("127.0.0.1", port, 2)]
    for _ in range(400):
        opened.enter_context(socket.create_connection(("127.0.0.1", port)))
    shares = [accepted(each, opened) for each in sockets]
    assert sum(shares) == 400
    assert min(shares) > 120  # eight standard deviations below the mean


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("others", [1, 2])
def test_two_sites_never_share_a_port(opened, processes, others):
    port = free_port()
    for each in listen("127.0.0.1", port, others):
        opened.enter_context(each)
    with pytest.raises(OSError, match="in use"):
        listen("127.0.0.1", port, processes)


@pytest.mark.parametrize(
    ("language", "words", "parts"),
    [
        ("ja", "準備", ["✓ データベース：準備ができました", "・ ページ：このあとです"]),
        (
            "en-GB,en;q=0.9",
            "starting",
            [
                "✓ The database: ready",
                "… Style sheets and pictures: being prepared",
                "· The pages: still to come",
            ],
        ),
    ],
)
def test_visitors_are_told_what_is_being_prepared(opened, language, words, parts):
    port = free_port()
    sockets = [opened.enter_context(each) for each in listen("127.0.0.1", port, 2)]
    asked = urllib.request.Request(
        f"http://127.0.0.1:{port}/play/1/", data=b"do=move", headers={"Accept-Language": language}
    )
    visitors = Visitors(has_demo=False)
    visitors.now = Part.STATIC_FILES
    with answering(sockets, visitors), pytest.raises(urllib.error.HTTPError) as told:
        urllib.request.urlopen(asked, timeout=10)
    with told.value as answer:
        assert (answer.code, answer.headers["Retry-After"]) == (503, "3")
        page = answer.read().decode()
    assert words in page and 'http-equiv="refresh"' in page
    assert all(f">{part}</li>" in page for part in parts) and "demo" not in page
    # Later visitors wait for the web processes, which inherit the sockets.
    opened.enter_context(socket.create_connection(("127.0.0.1", port)))
    assert sum(accepted(each, opened) for each in sockets) == 1
