"""Compare web servers under slow and hostile visitors: `python -m bench.servers ours waitress ...`.

Each server runs one process with four threads and serves the same small WSGI application; "ours" is
`puzzleclass/asgi.py` with `puzzleclass/launcher/web.py`. The servers must be installed beside it.
"""

import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

THREADS = 4
WAIT_SECONDS = 45
"""How long a slow connection is watched. A server that keeps it longer has no such limit."""

MAIN = "bench.servers"
COMMANDS = {
    "ours": "import sys, socket; from bench.servers import serve_ours; serve_ours({port})",
    "uvicorn h11": "import uvicorn; uvicorn.run('bench.servers:bridged', port={port}, "
    "http='h11', loop='asyncio', log_level='error')",
    "uvicorn httptools": "import uvicorn; uvicorn.run('bench.servers:bridged', port={port}, "
    "http='httptools', loop='asyncio', log_level='error')",
    "hypercorn": "-m hypercorn --bind 127.0.0.1:{port} wsgi:bench.servers:application",
    "granian": "-m granian --interface wsgi --blocking-threads 4 --port {port} --no-access-log "
    "--log-level error bench.servers:application",
    "gunicorn gthread": "-m gunicorn --bind 127.0.0.1:{port} --threads 4 --worker-class gthread "
    "bench.servers:application",
    "waitress": "-m waitress --listen 127.0.0.1:{port} --threads 4 --connection-limit 4000 "
    "--asyncore-use-poll bench.servers:application",
    "cheroot": "-c from cheroot.wsgi import Server; import bench.servers as b; "
    "Server(('127.0.0.1', {port}), b.application, numthreads=4).start()",
}
"""A server -> the arguments for Python, or code if the text begins with `import`."""

LARGE = b"x" * 8_000_000


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer with the length of the body and the header that only a proxy may set."""
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    forged = environ.get("HTTP_X_FORWARDED_FOR", "")
    answer = LARGE if environ["PATH_INFO"] == "/large" else f"{len(body)} {forged}".encode()
    start_response("200 OK", [("Content-Length", str(len(answer)))])
    return _Answer([answer])


class _Answer(list[bytes]):
    def close(self) -> None:
        """Exist, because Django's answers have this method. Here it does nothing."""


def __getattr__(name: str) -> Any:
    """Return `bridged`, the application behind a2wsgi, which brings WSGI to uvicorn."""
    if name != "bridged":
        raise AttributeError(name)
    from a2wsgi import WSGIMiddleware

    return WSGIMiddleware(application, workers=THREADS)


def serve_ours(port: int) -> None:
    """Serve the application with our protocol and our bridge."""
    import uvicorn
    from django.conf import settings

    from puzzleclass.asgi import Application
    from puzzleclass.launcher import web

    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
    bridge: Any = Application(application, THREADS)  # type: ignore[arg-type]
    with socket.create_server(("127.0.0.1", port), backlog=2048) as listening:
        config = uvicorn.Config(bridge, http=web.Protocol, **web.OPTIONS)
        web.Server(config).run(sockets=[listening])


@contextmanager
def serving(name: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run a server, and yield its port and its process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = COMMANDS[name].format(port=port)
    if command.startswith("import"):
        arguments = ["-c", command]
    else:
        first, rest = command.split(" ", 1)
        arguments = [first, rest] if first == "-c" else command.split()
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "puzzleclass.settings"}
    process = subprocess.Popen([sys.executable, *arguments], env=environment)
    try:
        _wait_for(port)
        yield port, process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


def _wait_for(port: int) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with suppress(OSError), _connect(port):
            return
        time.sleep(0.05)
    raise TimeoutError


def _connect(port: int, timeout: float = 10) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=timeout)


def ask(port: int, timeout: float = 10) -> str:
    """Return how long a usual request takes, in milliseconds, or "none" without an answer."""
    began = time.monotonic()
    with suppress(OSError), _connect(port, timeout) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
        if b" 200 " in connection.recv(1000):
            return f"{(time.monotonic() - began) * 1000:.0f} ms"
    return "none"


def drip(port: int, beginning: bytes, more: bytes) -> float:
    """Return after how many seconds the server ends a connection that sends a byte a second."""
    began = time.monotonic()
    with _connect(port, 1) as connection:
        connection.sendall(beginning)
        while (lived := time.monotonic() - began) < WAIT_SECONDS:
            try:
                if not connection.recv(1000):
                    return lived
            except TimeoutError:
                pass
            except OSError:
                return lived
            with suppress(OSError):
                connection.sendall(more)
    return float("inf")


def beside(port: int, beginning: bytes, number: int) -> str:
    """Return how long a request takes beside `number` connections that have sent `beginning`."""
    with ExitStack() as held:
        for _ in range(number):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(5)
            held.enter_context(connection)
            with suppress(OSError):
                connection.connect(("127.0.0.1", port))
                connection.sendall(beginning)
        time.sleep(1)
        return ask(port)


def memory(process: subprocess.Popen[bytes]) -> float:
    """Return the most memory that the process or one of its children has had, in MB."""
    most = 0.0
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            fields = dict(
                line.split(":", 1) for line in status.read_text().splitlines() if ":" in line
            )
            if process.pid in (int(fields["Pid"]), int(fields["PPid"])) and "VmHWM" in fields:
                most = max(most, int(fields["VmHWM"].split()[0]) / 1000)
    return most


def trailers(port: int, process: subprocess.Popen[bytes]) -> str:
    """Return how much memory 100 MB of trailers take, and whether a trailer becomes a header."""
    head = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n"
    with _connect(port) as connection:
        connection.sendall(head + b"X-Forwarded-For: forged\r\n\r\n")
        forged = ""
        with suppress(OSError):
            forged = ", becomes a header" if b"forged" in connection.recv(1000) else ""
    before = memory(process)
    with suppress(OSError), _connect(port) as connection:
        connection.sendall(head)
        for _ in range(1000):
            connection.sendall(b"X: " + b"y" * 996 + b"\r\n" + b"X: y\r\n" * 16_500)
    return f"+{memory(process) - before:.0f} MB{forged}"


def cpu(port: int, process: subprocess.Popen[bytes]) -> str:
    """Return the milliseconds of processor time that the server takes for a request."""

    def used() -> float:
        total = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                pid, fields = int(stat.parent.name), stat.read_text().rpartition(")")[2].split()
                if process.pid in (pid, int(fields[1])):
                    total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    number, request = 2000, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
    with ExitStack() as held, suppress(OSError):
        connections = [held.enter_context(_connect(port)) for _ in range(THREADS)]
        before = used()
        for _ in range(number // THREADS):
            for connection in connections:
                connection.sendall(request)
            for connection in connections:
                connection.recv(1000)
        return f"{(used() - before) / number * 1000:.2f} ms"
    return "ends connections"


def row(name: str) -> list[str]:
    """Return the measured row of a server."""
    head = b"GET / HTTP/1.1\r\nX: "
    body = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nx"
    read = b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n"
    with serving(name) as (port, process):
        cells = [cpu(port, process)]
        cells += [beside(port, beginning, 500) for beginning in (b"", head, body)]
        cells += [beside(port, read, 20)]
    with serving(name) as (port, process):
        cells += [_seconds(drip(port, head, b"x")), _seconds(drip(port, body, b"x"))]
        cells.append(trailers(port, process))
    return [name, *cells]


def _seconds(lived: float) -> str:
    return f"over {WAIT_SECONDS} s" if lived == float("inf") else f"{lived:.0f} s"


HEAD = [
    "server", "CPU per request", "beside 500 idle", "beside 500 slow heads",
    "beside 500 slow bodies", "beside 20 unread answers", "a slow head lives",
    "a slow body lives", "100 MB of trailers",
]  # fmt: skip


def main(names: list[str]) -> None:
    """Print a table of the named servers, or of all servers."""
    from bench.timing import table

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8192), most))
    print(table(HEAD, [row(name) for name in names or COMMANDS]))


if __name__ == "__main__":
    main(sys.argv[1:])
