"""Firefox and WebKit, driven by the commands of the WebDriver standard.

Playwright drives only its own builds of these browsers, which a system's packages do not contain.
WebKit's driver takes the standard's commands by HTTP. Firefox itself takes them by a socket, in a
protocol that is called Marionette, so it needs no driver.

`python -m tests.webdriver` installs both browsers where apt-get may be used, and says which ones
are missing.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.chromium import apt_get
from tests.integration.processes import free_port, wait_for

PACKAGES = {"firefox": ["firefox-esr"], "webkit": ["webkit2gtk-driver", "xvfb"]}
"""Debian's packages. WebKit needs a screen to draw on, which Xvfb simulates."""

START_SECONDS, PATIENCE_SECONDS = 60, 30

Command = Callable[[str, dict[str, Any]], Any]
"""Sends a command of WebDriver, named by its address, and returns the value of the answer."""


def missing(name: str) -> str:
    """Return why the browser can't be driven on this machine, or an empty text if it can."""
    programs = [_firefox()] if name == "firefox" else [_minibrowser(), _webkit_driver(), _xvfb()]
    if all(programs):
        return ""
    return f"{name} is not installed: apt-get install {' '.join(PACKAGES[name])}"


def ensure() -> None:
    """Install the browsers that are missing, and name those that can't be had."""
    if os.geteuid() == 0 and shutil.which("apt-get") and any(map(missing, PACKAGES)):
        print("Installing Firefox and WebKit for the tests ...", flush=True)
        apt_get("update")
        for name, packages in PACKAGES.items():
            if missing(name):
                apt_get("install", *packages)
    for name in PACKAGES:
        if why := missing(name):
            print(f"WARNING: no test will run in {name.title()}. {why}", file=sys.stderr)


def _firefox() -> str | None:
    return shutil.which("firefox-esr") or shutil.which("firefox")


def _webkit_driver() -> str | None:
    return shutil.which("WebKitWebDriver")


def _minibrowser() -> str | None:
    """Return the path of WebKit's own small browser, which is not in the folders of programs."""
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"))
    return str(found[-1]) if found else None


def _xvfb() -> str | None:
    return shutil.which("Xvfb")


class Browser:
    """A browser's only window."""

    def __init__(self, command: Command) -> None:
        self._command = command

    def open(self, address: str) -> None:
        self._command("url", {"url": address})

    def add_cookie(self, name: str, value: str) -> None:
        """Set a cookie for the site that is open."""
        self._command("cookie", {"cookie": {"name": name, "value": value}})

    def run(self, script: str, *values: object) -> Any:
        """Run the body of an async function in the page, and return its result."""
        body = f"const done = arguments[arguments.length - 1], values = [...arguments];\n{_CALL}"
        body = body.replace("SCRIPT", script)
        answer = self._command("execute/async", {"script": body, "args": list(values)})
        if answer is None:
            raise WebDriverError("The page was left before the script ended.")
        assert "fault" not in answer, answer["fault"]
        return answer.get("value")

    def wait(self, script: str, *values: object) -> Any:
        """Run the script until its result is true, also on a page that is loaded meanwhile."""

        def run() -> Any:
            try:
                return self.run(script, *values)
            except WebDriverError:
                return None

        return wait_for(run, PATIENCE_SECONDS, f"{script} {values}")

    def press(self, selector: str) -> None:
        """Press the middle of an element as soon as there is one."""
        place = self._middle(selector)
        self._act(_move(place), {"type": "pointerDown", "button": 0}, _UP)

    def drag(self, selector: str, goal: str) -> None:
        """Drag an element to the middle of another one."""
        (x1, y1), (x2, y2) = self._middle(selector), self._middle(goal)
        between = [(x1 + (x2 - x1) * n // 8, y1 + (y2 - y1) * n // 8) for n in range(1, 9)]
        down = {"type": "pointerDown", "button": 0}
        self._act(_move((x1, y1)), down, *map(_move, between), _UP)

    def _middle(self, selector: str) -> tuple[int, int]:
        return tuple(self.wait(_MIDDLE, selector))

    def _act(self, *actions: dict[str, object]) -> None:
        mouse = {"parameters": {"pointerType": "mouse"}, "type": "pointer", "id": "mouse"}
        self._command("actions", {"actions": [mouse | {"actions": list(actions)}]})


class WebDriverError(Exception):
    """The browser has refused a command, or could not finish it."""


_CALL = """(async () => { SCRIPT })().then(
  (value) => done({ value }), (fault) => done({ fault: `${fault}` }));"""

_MIDDLE = """
const found = document.querySelector(values[0]);
found?.scrollIntoView({ block: "nearest" });
const { x, y, width, height } = found?.getBoundingClientRect() ?? {};
return width ? [Math.round(x + width / 2), Math.round(y + height / 2)] : null;
"""

_UP = {"type": "pointerUp", "button": 0}


def _move(place: tuple[int, int]) -> dict[str, object]:
    return {
        "type": "pointerMove",
        "duration": 0,
        "origin": "viewport",
        "x": place[0],
        "y": place[1],
    }


@contextmanager
def firefox(folder: Path) -> Iterator[Browser]:
    """Start Firefox with a new profile in the folder."""
    folder.mkdir()
    port = free_port()
    preferences = {
        "marionette.port": port,
        "datareporting.policy.dataSubmissionEnabled": False,
        "app.normandy.enabled": False,
    }
    lines = [
        f"user_pref({json.dumps(name)}, {json.dumps(to)});" for name, to in preferences.items()
    ]
    (folder / "user.js").write_text("\n".join(lines))
    command = [_firefox(), "--marionette", "--headless", "--no-remote", "--profile", str(folder)]
    with _running(command, HOME=str(folder)):
        connection = wait_for(lambda: _connect(port), START_SECONDS, "Firefox's start")
        with connection:
            yield Browser(_marionette(connection))


COMMANDS = {
    "session": "WebDriver:NewSession",
    "url": "WebDriver:Navigate",
    "timeouts": "WebDriver:SetTimeouts",
    "execute/async": "WebDriver:ExecuteAsyncScript",
    "actions": "WebDriver:PerformActions",
    "cookie": "WebDriver:AddCookie",
}
"""The address of a command in WebDriver -> its name in Marionette."""


def _marionette(connection: socket.socket) -> Command:
    stream = connection.makefile("rwb")

    def read() -> Any:
        length = b""
        while (sign := stream.read(1)) != b":":
            length += sign
        return json.loads(stream.read(int(length)))

    def command(name: str, parameters: dict[str, Any]) -> Any:
        if name == "execute/async":
            # The script runs with the page's own objects, as a script of the page does.
            parameters = parameters | {"sandbox": None}
        told = json.dumps([0, 1, COMMANDS[name], parameters]).encode()
        stream.write(b"%d:%s" % (len(told), told))
        stream.flush()
        _, _, fault, answer = read()
        if fault:
            raise WebDriverError(fault["message"])
        return answer["value"] if set(answer) == {"value"} else answer

    read()
    command("session", {})
    command("timeouts", {"script": 1000 * PATIENCE_SECONDS})
    return command


@contextmanager
def webkit(folder: Path) -> Iterator[Browser]:
    """Start WebKit's small browser, with what it stores in the folder."""
    folder.mkdir()
    port = free_port()
    with _screen() as screen:
        driver = [_webkit_driver(), f"--port={port}"]
        with _running(driver, DISPLAY=screen, GDK_BACKEND="x11", HOME=str(folder)):
            wait_for(lambda: _connect(port), START_SECONDS, "the start of WebKit's driver")
            options = {"binary": _minibrowser(), "args": ["--automation"]}
            wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
            address = f"http://127.0.0.1:{port}/session"
            session = _post(address, {"capabilities": wanted})["sessionId"]

            def command(name: str, parameters: dict[str, Any]) -> Any:
                return _post(f"{address}/{session}/{name}", parameters)

            command("timeouts", {"script": 1000 * PATIENCE_SECONDS})
            yield Browser(command)
            urllib.request.urlopen(
                urllib.request.Request(f"{address}/{session}", method="DELETE"), timeout=10
            ).close()


BROWSERS = {"firefox": firefox, "webkit": webkit}


def _post(address: str, parameters: dict[str, Any]) -> Any:
    told = json.dumps(parameters).encode()
    request = urllib.request.Request(address, told, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=2 * PATIENCE_SECONDS) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as fault:
        raise WebDriverError(json.load(fault)["value"]["message"]) from fault


def _connect(port: int) -> socket.socket | None:
    try:
        return socket.create_connection(("127.0.0.1", port), timeout=2 * PATIENCE_SECONDS)
    except OSError:
        return None


@contextmanager
def _screen() -> Iterator[str]:
    """Start a simulated screen, and provide its name."""
    said, tell = os.pipe()
    command = [_xvfb(), "-displayfd", str(tell), "-screen", "0", "1366x768x24", "-nolisten", "tcp"]
    with _running(command, pass_fds=(tell,)):
        os.close(tell)
        with os.fdopen(said) as number:
            yield f":{number.readline().strip()}"


@contextmanager
def _running(
    command: list[Any], pass_fds: tuple[int, ...] = (), **surroundings: str
) -> Iterator[None]:
    process = subprocess.Popen(
        command,
        env=os.environ | surroundings,
        pass_fds=pass_fds,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


if __name__ == "__main__":
    ensure()
