"""Visitors who hold connections: requests that arrive byte by byte, and answers that nobody
reads."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.integration.processes import Site

DRIP_SECONDS = 3.0
HOST = b"Host: localhost\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100000\r\n\r\ncode="


@asynccontextmanager
async def slow_visitors(site: Site, number: int) -> AsyncIterator[None]:
    """Hold this many connections inside the `async with` block, a third of each sort.

    A connection that is closed by the server is opened again.
    """
    large = site.static("vendor/chart.umd.min.js").encode()
    beginnings = (
        b"GET /join/ HTTP/1.1\r\n" + HOST + b"X-Slow: ",
        b"POST /join/ HTTP/1.1\r\n" + HOST + FORM,
        # These requests ask for more than the buffers of both ends can hold.
        (b"GET " + large + b" HTTP/1.1\r\n" + HOST + b"\r\n") * 5,
    )
    visits = [asyncio.create_task(_visit(site.port, beginnings[n % 3])) for n in range(number)]
    await asyncio.sleep(1 + number / 200)
    try:
        yield
    finally:
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)


async def _visit(port: int, beginning: bytes) -> None:
    loop = asyncio.get_running_loop()
    while True:
        with suppress(OSError), socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            connection.setblocking(False)
            await loop.sock_connect(connection, ("127.0.0.1", port))
            await loop.sock_sendall(connection, beginning)
            while True:
                await asyncio.sleep(DRIP_SECONDS)
                if not beginning.endswith(b"\r\n\r\n"):
                    await loop.sock_sendall(connection, b"x")
        await asyncio.sleep(0.1)
