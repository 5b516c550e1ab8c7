"""Compare two ways in which students' pages learn of a pause: asking again, and server-sent events.

`.venv/bin/python -m tests.load.news` starts a site with 200 students, whose web processes they ask,
and one more process, which sends events. It measures both ways in turns, so that other work on the
machine affects them alike, and prints the processor time of the servers for each client, their
ratio, and the time until a pause has reached the last client.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp

from tests.integration.processes import Site, free_port
from tests.load.lesson import cpu_seconds, web_seconds
from tests.load.school import lesson, make_school

ASK_SECONDS = 1.25
"""Seconds between two requests of a page, as in templates/lessons/_now.html."""
LOOK_SECONDS = 0.5
"""Seconds between two looks of the events' server at the database."""
BEAT_SECONDS = 15
"""Seconds after which an event stream sends a comment, so that no proxy takes it for dead."""

SESSIONS = """
import json
from django.test import Client
from puzzleclass.assignments.models import Assignment
made = []
for assignment in Assignment.objects.select_related("classroom"):
    for student in assignment.classroom.students.all():
        client = Client()
        client.force_login(student)
        made.append((assignment.pk, client.cookies["sessionid"].value))
print(json.dumps(made))
"""
PAUSE = """
import time
from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.pace import change_pace
for assignment in Assignment.objects.all():
    change_pace(assignment, is_paused={is_paused})
print(time.monotonic())
"""
"""Python code that pauses all classes and prints when that was stored, on the clock of the
machine."""


# The server


def serve(port: int) -> None:
    """Serve `/news/<assignment>/` as a stream of events."""
    import django

    django.setup()
    import uvicorn
    from django.contrib.sessions.models import Session

    from puzzleclass.assignments.models import Pace
    from puzzleclass.launcher.web import OPTIONS, Protocol

    versions: dict[int, int] = {}
    changed = asyncio.Condition()

    async def look() -> None:
        while True:
            rows = await asyncio.to_thread(
                lambda: dict(Pace.objects.values_list("assignment", "version"))
            )
            if rows != versions:
                async with changed:
                    versions.update(rows)
                    changed.notify_all()
            await asyncio.sleep(LOOK_SECONDS)

    def has_changed(pk: int, known: int) -> bool:
        return versions.get(pk, 0) != known

    async def stream(pk: int, cookie: str, send: Callable[[Any], Awaitable[None]]) -> None:
        await asyncio.to_thread(
            lambda: Session.objects.get(session_key=cookie.partition("sessionid=")[2]).get_decoded()
        )
        head = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        known = -1
        while True:
            text = b": beat\n\n"
            if has_changed(pk, known):
                known = versions.get(pk, 0)
                text = f"data: {known}\n\n".encode()
            await send({"type": "http.response.body", "body": text, "more_body": True})
            async with changed:
                with suppress(TimeoutError):
                    news = changed.wait_for(partial(has_changed, pk, known))
                    await asyncio.wait_for(news, BEAT_SECONDS)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        cookie = dict(scope["headers"]).get(b"cookie", b"").decode()
        await stream(int(scope["path"].split("/")[2]), cookie, send)

    async def run() -> None:
        config = uvicorn.Config(app, port=port, http=Protocol, **OPTIONS)
        looking = asyncio.create_task(look())
        await uvicorn.Server(config).serve()
        looking.cancel()

    asyncio.run(run())


# The clients


class Clients:
    """The students' pages, which follow the lesson in one of the two ways."""

    def __init__(self, site: Site, events: str, students: list[tuple[int, str]]) -> None:
        self.site, self.events, self.students = site, events, students
        self.paused: dict[str, float] = {}
        """The session of each client that has heard of the pause -> the time."""
        self.number_of_events = 0

    async def ask_again(self, http: aiohttp.ClientSession, pk: int, session: str) -> None:
        """Ask as `_now.html` does."""
        have = ""
        headers = {"Cookie": f"sessionid={session}", "HX-Request": "true"}
        await asyncio.sleep(hash(session) % 1000 / 1000 * ASK_SECONDS)
        while True:
            url = f"{self.site.address}/assignments/{pk}/lesson/now/?have={have}"
            async with http.get(url, headers=headers) as answer:
                text = await answer.text()
            assert answer.status in (200, 204), answer.status
            if text:
                have = text.split("?have=")[1].split('"')[0]
                if "data-paused" in text:
                    self.paused.setdefault(session, time.monotonic())
            self.number_of_events += 1
            await asyncio.sleep(ASK_SECONDS)

    async def listen(self, http: aiohttp.ClientSession, pk: int, session: str) -> None:
        """Hold a stream of events. The first one is the state at the beginning."""
        headers = {"Cookie": f"sessionid={session}"}
        async with http.get(f"{self.events}/news/{pk}/", headers=headers) as answer:
            events = 0
            async for line in answer.content:
                if line.startswith(b"data"):
                    events += 1
                    self.number_of_events += 1
                    if events > 1:
                        self.paused.setdefault(session, time.monotonic())

    async def measure(
        self, cpu_seconds: Callable[[], float], seconds: float, way: str
    ) -> tuple[float, float]:
        """Return the milliseconds of processor time for each client in a second, and the seconds
        until the pause at the end had reached all.

        `cpu_seconds` returns the processor time that the servers of this way have used.
        """
        self.paused.clear()
        timeout = aiohttp.ClientTimeout(total=None)
        async with aiohttp.ClientSession(
            timeout=timeout, connector=aiohttp.TCPConnector(limit=0)
        ) as http:
            follow = self.listen if way == "events" else self.ask_again
            tasks = [asyncio.create_task(follow(http, *each)) for each in self.students]
            await asyncio.sleep(3 * ASK_SECONDS)
            began, worked = time.monotonic(), cpu_seconds()
            await asyncio.sleep(seconds)
            worked, taken = cpu_seconds() - worked, time.monotonic() - began
            self.paused.clear()
            pressed = await asyncio.to_thread(press, self.site, True)
            while len(self.paused) < len(self.students) and time.monotonic() - pressed < 30:
                await asyncio.sleep(0.02)
            reached = max(self.paused.values()) - pressed
            assert len(self.paused) == len(self.students), "the pause did not reach everybody"
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            faults = [each for each in results if isinstance(each, Exception)]
            assert not faults, faults[0]
        await asyncio.to_thread(press, self.site, False)
        return worked / taken / len(self.students) * 1000, reached


def press(site: Site, is_paused: bool) -> float:
    """Pause all classes, or let them go on, and return the moment at which that was stored."""
    return float(site.manage(PAUSE.format(is_paused=is_paused)))


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load.news", description=__doc__)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve:
        serve(options.serve)
        return
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder) / "var", Path(folder) / "log")
        with site.start("--no-demo"):
            make_school(site, options.students, lesson()[:1])
            students = json.loads(site.manage(SESSIONS, timeout=300))
            port = free_port()
            environment = site.environment | {"DJANGO_SETTINGS_MODULE": "puzzleclass.settings"}
            command = [sys.executable, "-m", "tests.load.news", "--serve", str(port)]
            server = subprocess.Popen(command, env=environment)
            try:
                clients = Clients(site, f"http://127.0.0.1:{port}", students)
                compare(clients, server.pid, options)
            finally:
                server.terminate()
                server.wait()


def compare(clients: Clients, pid: int, options: argparse.Namespace) -> None:
    """Measure both ways in turns, and print the figures and their ratio."""
    time.sleep(8)  # until the process of the events listens
    totals: dict[str, list[float]] = {"asking": [], "events": []}
    servers = {
        "asking": lambda: sum(web_seconds(clients.site)),
        "events": partial(cpu_seconds, pid),
    }
    for _turn in range(options.turns):
        for way, costs in totals.items():
            cost, reached = asyncio.run(clients.measure(servers[way], options.seconds, way))
            costs.append(cost)
            print(
                f"{way:8} {cost:6.3f} ms a client and second, pause in {reached:.2f} s", flush=True
            )
    asking, events = (sum(costs) / len(costs) for costs in totals.values())
    tenths = len(clients.students) / 10
    print(
        f"asking costs {asking / events:.1f} times as much; {len(clients.students)} clients take "
        f"{asking * tenths:.0f} % and {events * tenths:.1f} % of a core"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
