"""Start an installed site in an empty folder, play a move as a student of the demo, and end it.

    python tests/start_and_play.py path/to/puzzleclass

The release is checked with this script on each system and Python, so it needs only the standard
library and the program.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

START_SECONDS, READY_SECONDS, END_SECONDS = 900, 180, 60
LARGEST_SIDE = 10


class Browser:
    """A browser that keeps its cookies and sends forms."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.cookies))

    def get(self, path: str) -> str:
        """Return the content of a page."""
        with self.opener.open(self.address + path, timeout=60) as answer:
            return str(answer.read().decode())

    def post(self, path: str, **fields: object) -> str:
        """Send a form, and return the content of the page to which it leads."""
        token = {cookie.name: cookie.value for cookie in self.cookies}["csrftoken"]
        headers = {"X-CSRFToken": str(token), "Referer": self.address + path, "HX-Request": "true"}
        if "step" not in fields:
            del headers["HX-Request"]
        request = Request(self.address + path, urlencode(fields).encode(), headers)
        with self.opener.open(request, timeout=60) as answer:
            return str(answer.read().decode())


def start_and_play(program: str, folder: Path) -> None:
    """Start the program in the folder, play, and end it. Raises AssertionError."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "VAR_DIR": str(folder / "var"), "PORT": str(port)}
    environment |= {"PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}
    version = subprocess.run(
        (program, "--version"), cwd=folder, env=environment, capture_output=True, text=True
    ).stdout.split()
    assert version[:1] == ["PuzzleClass"], version
    log = folder / "log"
    with log.open("wb") as output:
        # Ctrl-Break is the only signal of Windows that reaches one group of processes alone.
        flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        process = subprocess.Popen(
            (program,),
            cwd=folder,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            creationflags=flags,
        )
    try:
        said = wait(lambda: told(process, log), START_SECONDS)
        address = f"http://127.0.0.1:{port}"
        codes = re.findall(r"class code (\S+) .*PIN (\d+)", said)
        browser = Browser(address)
        assert json.loads(browser.get("/healthz")) == {"status": "ok", "version": version[1]}
        play(browser, *codes[0])
        wait(lambda: '"status": "ok"' in browser.get("/readyz"), READY_SECONDS)
        process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT))
        assert process.wait(END_SECONDS) == 0, process.returncode
    except BaseException:
        print(log.read_text("utf-8", "replace"), file=sys.stderr)
        raise
    finally:
        process.kill()


def told(process: "subprocess.Popen[bytes]", log: Path) -> str:
    """Return what the program has printed once the site is up, and "" before that."""
    assert process.poll() is None, f"The program has ended with {process.returncode}."
    said = log.read_text("utf-8", "replace")
    return said if "Ctrl-C ends it." in said else ""


def play(browser: Browser, code: str, pin: str) -> None:
    """Sign in as a student, open a board, and make its first move."""
    browser.get("/join/")
    browser.post("/join/", code=code)
    student = re.search(rf"/join/{code}/\d+/", browser.get(f"/join/{code}/"))
    assert student, "The class has no student."
    browser.get(student[0])
    home = browser.post(student[0], pin=pin)
    for path in dict.fromkeys(re.findall(r'"(/play/\d+/)', home)):
        if steps := re.search(r"/attempts/[^/]+/steps/", browser.get(path)):
            break
    else:
        raise AssertionError(f"No board can be played on {home}")
    before = step_of(browser.get(path))
    for row in range(1, LARGEST_SIDE + 1):
        for column in range(1, LARGEST_SIDE + 1):
            browser.post(steps[0], action="move", move=f"{row},{column}", step=before)
            if step_of(browser.get(path)) == before + 1:
                return
    raise AssertionError(f"No move is possible on {path}")


def step_of(page: str) -> int:
    """Return the number of the next step that the page of a board sends."""
    step = re.search(r'name="step" value="(\d+)"', page)
    assert step, page
    return int(step[1])


def wait(ask: Callable[[], object], seconds: float) -> str:
    """Return the first answer that is not empty. Raises AssertionError after so many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer := ask():
            return str(answer)
        time.sleep(0.5)
    raise AssertionError(f"Nothing came within {seconds} seconds.")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        start_and_play(str(Path(sys.argv[1]).resolve()), Path(name))
    print("The site started, a student has played, and the site has ended.")
