"""The memory of a web process is safe from strangers."""

import socket
import sys
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.integration.processes import SMALL, WEB, Site

pytestmark = pytest.mark.integration

TRAILER = (
    b"POST /join/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n"
)


def megabytes(pid: int) -> float:
    """Return the largest amount of memory, in MB, that a process has used."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1000


@pytest.fixture(scope="module")
def one_process(tmp_path_factory):
    """Provide an installation with one web process."""
    folder = tmp_path_factory.mktemp("site")
    with Site(folder / "var", folder / "log", MEMORY_MB=SMALL) as site:
        yield site.start_prepared()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("trailer", [b"X: " + b"x" * 100_000, b"X: y\r\n" * 10_000])
def test_trailers_do_not_fill_the_memory(one_process, trailer):
    with urlopen(f"{one_process.address}/") as page:
        assert page.status == 200
    process = one_process.child(WEB)
    before, sent = megabytes(process), 0
    visitor = socket.create_connection(("127.0.0.1", one_process.port), timeout=10)
    with visitor as connection, suppress(ConnectionError):
        connection.sendall(TRAILER)
        while sent < 200:
            connection.sendall(trailer)
            sent += 1
    assert sent < 200, "nobody ended the connection"
    assert megabytes(process) - before < 20
