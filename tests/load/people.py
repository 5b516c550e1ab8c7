"""Students and teachers as their browsers talk to the site. Every request is timed and checked.

Each student keeps what was sent to a board (`Student.sent`), so that it can be compared with the
database in the end.
"""

import asyncio
import json
import random
import re
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import aiohttp
from yarl import URL

from tests.load.school import HINTS, PASSWORD, PIN, Board, LoadClass

AGAIN_SECONDS = 2.0
"""Seconds before a failed step is sent again, as in board.js."""

PATIENCE_SECONDS = 180.0
"""Seconds without a good answer after which the lesson has failed."""

STORED, STORE_SECONDS = ("/practice/goishi/1/stored/", "/daily/stored/"), 3.0
"""Where a page asks which boards to store, and the seconds from one page to the next."""

UNDO_CHANCE, HINT_CHANCE = 0.1, 0.02
TABLE_SECONDS = 5.0
"""Seconds between two updates of the class table, as on its page."""

_STEPS = re.compile(r'action="/attempts/([0-9a-f-]{36})/steps/"')
_STEP = re.compile(r'name="step" value="(\d+)"')
_RESTART = re.compile(r'action="(/attempts/[0-9a-f-]{36}/restart/)"')


@dataclass(slots=True)
class Record:
    """The measurements of all clients."""

    seconds: dict[str, list[float]] = field(default_factory=partial(defaultdict, list))
    """Sort of request -> the seconds that each answer took. Requests without an answer are left
    out."""
    faults: dict[str, int] = field(default_factory=partial(defaultdict, int))
    """Description of a fault, like a wrong status or a broken connection -> how often it
    happened."""

    def add(self, other: "Record") -> None:
        """Add the measurements of other clients."""
        for what, seconds in other.seconds.items():
            self.seconds[what] += seconds
        for what, number in other.faults.items():
            self.faults[what] += number


class Fault(Exception):
    """Raised for an answer that no browser should get."""


class Browser:
    """One person's browser, with cookies, one persistent connection, and a record of all
    requests."""

    phase = ""
    """What is added to the names of requests in the record."""

    def __init__(
        self, address: str, record: Record, cookies: aiohttp.CookieJar | None = None
    ) -> None:
        self.record = record
        self.address = URL(address)
        self.session = aiohttp.ClientSession(
            address,
            # Allow IP addresses instead of names. (An empty jar is false.)
            cookie_jar=aiohttp.CookieJar(unsafe=True) if cookies is None else cookies,
            # An idle connection stays open until the server closes it.
            connector=aiohttp.TCPConnector(limit=1, keepalive_timeout=3600),
            timeout=aiohttp.ClientTimeout(total=60),
            headers={"Accept-Language": "ja"},
        )

    async def ask(self, what: str, method: str, path: str, **fields: object) -> tuple[int, str]:
        """Return the status and the text of the answer. Raise Fault unless the answer is as a
        browser expects."""
        cookies = self.session.cookie_jar.filter_cookies(self.address)
        token = cookies["csrftoken"].value if "csrftoken" in cookies else "c" * 32
        headers = {"HX-Request": "true", "X-CSRFToken": token} if what in FRAGMENTS else {}
        data = {name: str(value) for name, value in fields.items()}
        if method == "POST" and not headers:
            data["csrfmiddlewaretoken"] = token
        began = time.perf_counter()
        try:
            async with self.session.request(
                method, path, data=data or None, headers=headers
            ) as answer:
                text = await answer.text()
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            self.fault(f"{what}: {type(error).__name__}")
        self.record.seconds[what + self.phase].append(time.perf_counter() - began)
        if answer.status not in (200, 204):
            self.fault(f"{what}: status {answer.status}")
        return answer.status, text

    def fault(self, words: str) -> None:
        self.record.faults[words] += 1
        raise Fault(words)

    async def insist(self, what: str, method: str, path: str, **fields: object) -> tuple[int, str]:
        """Repeat the request until it is answered, as people do. Raise Fault after
        `PATIENCE_SECONDS`."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return await self.ask(what, method, path, **fields)
            except Fault:
                if time.monotonic() > end:
                    raise
                await asyncio.sleep(AGAIN_SECONDS)

    async def close(self) -> None:
        await self.session.close()


FRAGMENTS = {"move", "undo", "hint", "start again", "class table"}


class Student(Browser):
    """A student of the class who signs in, plays the puzzles one after another, and starts
    again."""

    def __init__(
        self, address: str, record: Record, of: LoadClass, number: int, boards: list[Board]
    ) -> None:
        cookies = aiohttp.CookieJar(unsafe=True)
        super().__init__(address, record, cookies)
        self.storing = Browser(address, record, cookies)
        self.of, self.number, self.boards = of, number, boards
        self.rng = random.Random(f"{of.teacher} {number}")
        self.sent: dict[str, list[tuple[str, str]]] = {}
        """Key of an attempt -> the steps that were answered, as (action, move)."""
        self.solved = 0
        self.due = 0.0

    async def sign_in(self) -> None:
        """Sign in as students do: by the class code, the own name and the PIN."""
        await self.insist("sign-in page", "GET", "/join/")
        await self.insist("sign in", "POST", "/join/", code=self.of.code)
        path = f"/join/{self.of.code}/{self.number}/"
        await self.insist("sign-in page", "GET", path)
        await self.insist("sign in", "POST", path, pin=PIN)

    async def play(self, pace: float, is_over: Callable[[], bool]) -> None:
        """Make a step every `pace` seconds on average until the lesson is over.

        A step that was begun is sent until it is answered.
        """
        self.due = time.monotonic() + self.rng.random() * pace
        turn = self.rng.randrange(len(self.boards))
        while not is_over():
            puzzle, board = self.of.puzzles[turn], self.boards[turn]
            await self._play_board(f"/play/{puzzle}/", board, pace, is_over)
            turn = (turn + 1) % len(self.boards)

    async def _play_board(
        self, path: str, board: Board, pace: float, is_over: Callable[[], bool]
    ) -> None:
        _, page = await self.insist("open a board", "GET", path)
        if not (found := _STEPS.search(page)):
            again = _RESTART.search(page)
            assert again, page
            _, page = await self.insist("start again", "POST", again[1])
            found = _STEPS.search(page)
        assert found, page
        key, hints = found[1], HINTS
        steps = self.sent.setdefault(key, [])
        for number, move in enumerate(board.way):
            is_last = number + 1 == len(board.way)
            mistakes = self.rng.random() < UNDO_CHANCE and not is_last
            for action in ("move", "undo", "move") if mistakes else ("move",):
                if not await self._rest(pace, is_over):
                    return
                text = await self._step(key, steps, action, move)
                if is_last and "solved" not in text:
                    self.fault("the last move solves nothing")
            if not is_last and hints and self.rng.random() < HINT_CHANCE:
                hints -= 1
                await self._hint(key, len(steps))
        self.solved += 1

    async def store(self, wait: float, is_over: Callable[[], bool]) -> None:
        """Store boards for a time without a network, as the pages do, on a connection of its own
        (static/offline.js). All students begin after `wait` seconds."""
        await asyncio.sleep(wait)
        self.phase = " while boards are stored"
        ask, pages = self.storing.insist, [f"/play/{puzzle}/" for puzzle in self.of.puzzles]
        for path in STORED:
            _, text = await ask("what to store", "POST", path)
            stored = json.loads(text)
            pages += [*stored["pages"], *stored["boards"].values()]
        for page in pages:
            if is_over():
                return
            await ask("store a page", "GET", page)
            await asyncio.sleep(STORE_SECONDS)

    async def close(self) -> None:
        await self.storing.close()
        await super().close()

    async def _rest(self, pace: float, is_over: Callable[[], bool]) -> bool:
        """Wait until the time of the next step, and return whether the lesson goes on."""
        self.due += pace * self.rng.uniform(0.5, 1.5)
        await asyncio.sleep(max(0.0, self.due - time.monotonic()))
        # A student who was held up does not hurry afterwards.
        self.due = max(self.due, time.monotonic() - pace)
        return not is_over()

    async def _step(self, key: str, steps: list[tuple[str, str]], action: str, move: str) -> str:
        number = len(steps)
        path = f"/attempts/{key}/steps/"
        _, text = await self.insist(action, "POST", path, action=action, move=move, step=number)
        steps.append((action, move if action == "move" else ""))
        at = _STEP.search(text)
        if at and int(at[1]) != number + 1:
            self.fault(f"{action}: the board stands at another step")
        return text

    async def _hint(self, key: str, step: int) -> None:
        """Take a hint and wait for its answer, for which the page asks every second."""
        path, level = f"/attempts/{key}/hint/", self.rng.randint(1, 3)
        began = time.perf_counter()
        _, text = await self.insist("hint", "POST", path, step=step, level=level)
        while f"{path}answer/" in text or not text:
            await asyncio.sleep(1)
            _, text = await self.insist("hint", "POST", f"{path}answer/", step=step)
        self.record.seconds["hint, to its answer"].append(time.perf_counter() - began)


class Teacher(Browser):
    """A teacher who signs in and keeps the class table open."""

    def __init__(self, address: str, record: Record, of: LoadClass) -> None:
        super().__init__(address, record)
        self.of = of

    async def sign_in(self) -> None:
        await self.insist("sign-in page", "GET", "/sign-in/")
        fields = {"username": self.of.teacher, "password": PASSWORD}
        await self.insist("teacher's sign in", "POST", "/sign-in/", **fields)

    async def watch(self, is_over: Callable[[], bool]) -> None:
        while not is_over():
            await self.insist("class table", "GET", self.of.table)
            await asyncio.sleep(TABLE_SECONDS)
