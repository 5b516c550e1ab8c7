"""The built distributions start the site with one command, also where Linux is missing."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest

from solvers import __version__
from tests.integration.processes import ROOT, free_port, wait_for

pytestmark = pytest.mark.integration

POOR_SYSTEM = Path(__file__).parent / "poor_system"
READY_SECONDS, ANSWER_SECONDS, END_SECONDS = 180, 60, 30


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """Build both distributions, install them in a folder without their requirements, and return the
    folder."""
    dist, folder = tmp_path_factory.mktemp("dist"), tmp_path_factory.mktemp("installed")
    for source in (ROOT, ROOT / "packaging" / "solvers"):
        uv("build", "--wheel", "--no-build-isolation", "--out-dir", str(dist), str(source))
    wheels = [str(path) for path in dist.glob("*.whl")]
    assert len(wheels) == 2
    uv("pip", "install", "--no-deps", "--target", str(folder), *wheels)
    use_compiled_kernels(folder)
    return folder


def uv(*words: str) -> None:
    done = subprocess.run(
        (sys.executable, "-m", "uv", "--offline", "--quiet", *words),
        env=os.environ | {"VIRTUAL_ENV": sys.prefix},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def use_compiled_kernels(folder: Path) -> None:
    """Give the installed solvers what has been compiled in this checkout, which takes a minute.

    Numba compares the time and the size of a source with those that it has stored.
    """
    for source in (ROOT / "solvers").rglob("*.py"):
        shutil.copystat(source, folder / source.relative_to(ROOT))
    caches = (ROOT / "solvers").rglob("__pycache__/*")
    for compiled in caches:
        if compiled.suffix in (".nbi", ".nbc", ".stamp"):
            target = folder / compiled.relative_to(ROOT)
            target.parent.mkdir(exist_ok=True)
            shutil.copy2(compiled, target)


class Installed:
    """The installed site of one user, started without a word on the command line."""

    def __init__(self, folder: Path, home: Path, *before: Path) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = home / "log"
        self.environment = {
            # Neither make nor git is found, and no setting is given but the port.
            "PATH": "/nowhere",
            "HOME": str(home),
            "PORT": str(self.port),
            "PYTHONPATH": os.pathsep.join(map(str, (*before, folder))),
            "PYTHONUNBUFFERED": "1",
        }
        self.command = (sys.executable, str(folder / "bin" / "puzzleclass"))
        self.home = home
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                self.command, cwd=self.home, env=self.environment, stdout=log, stderr=log
            )
        wait_for(lambda: self.is_up or self.process.poll() is not None, READY_SECONDS, "the start")
        assert self.is_up, self.said

    @property
    def said(self) -> str:
        return self.log.read_text()

    @property
    def is_up(self) -> bool:
        return f"PuzzleClass is at {self.address}/" in self.said and "Ctrl-C" in self.said

    def end(self, number: int = signal.SIGINT) -> None:
        self.process.send_signal(number)
        self.process.wait(END_SECONDS)

    def read(self, path: str) -> str:
        """Return the content of a page, whatever its status."""
        try:
            answer = urlopen(self.address + path, timeout=30)
        except HTTPError as error:
            answer = error
        with answer:
            return answer.read().decode()


@pytest.fixture
def sites(installed, tmp_path) -> Iterator[Installed]:
    started = []

    def make(*before: Path) -> Installed:
        started.append(Installed(installed, tmp_path, *before))
        return started[-1]

    yield make
    for site in started:
        if site.process and site.process.poll() is None:
            site.process.kill()
            site.process.wait()


def test_one_process_does_everything_where_fork_and_locks_are_missing(sites):
    site = sites(POOR_SYSTEM)
    site.start()
    assert "teacher   demo / puzzle-demo" in site.said
    browser = build_opener(HTTPCookieProcessor())

    def post(path: str, **fields: str) -> str:
        form = browser.open(site.address + path, timeout=30).read().decode()
        token = re.search('name="csrfmiddlewaretoken" value="([^"]+)"', form)[1]
        data = urlencode(fields | {"csrfmiddlewaretoken": token}).encode()
        request = Request(site.address + path, data, {"Referer": site.address + path})
        with browser.open(request, timeout=30) as answer:
            return answer.read().decode()

    # The pages, the style sheets and the translations came with the distribution.
    home = post("/sign-in/", username="demo", password="puzzle-demo")
    assert "5年1組" in home
    for sheet in set(re.findall(r'href="(/static/[^"]+\.css)"', home)):
        assert site.read(sheet)
    # The worker in the same process answers what the demo's teacher has asked, and the clock runs.
    wait_for(lambda: '"swept_seconds_ago": null' not in site.read("/readyz"), 60, "the sweeper")
    ready = '"status": "ok"'
    wait_for(lambda: ready in site.read("/readyz"), ANSWER_SECONDS, "all parts in order")
    site.end()
    assert site.said.endswith("Ended.\n")
    # The data are in the user's own folder, and the next start uses them.
    assert list((site.home / ".local/share/PuzzleClass").glob("puzzleclass.sqlite3"))
    again = sites(POOR_SYSTEM)
    again.start()
    assert "Making the demo" not in again.said
    assert json.loads(again.read("/healthz")) == {"status": "ok", "version": __version__}
    again.end(signal.SIGTERM)
    assert again.said.endswith("Ended.\n")
