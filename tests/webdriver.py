"""Firefox and WebKit, driven by selenium.

Playwright drives only its own builds of these browsers, which a system's packages do not contain.
Debian has no driver for Firefox. Firefox itself takes the commands by a socket, in a protocol that
is called Marionette.

`python -m tests.webdriver` installs both browsers where apt-get may be used, and says which ones
are missing.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.common.exceptions import WebDriverException
from selenium.webdriver import FirefoxOptions, Remote, WebKitGTK, WebKitGTKOptions
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.webkitgtk.service import Service

from tests.chromium import apt_get
from tests.integration.processes import free_port, wait_for

PACKAGES = {"firefox": ["firefox-esr"], "webkit": ["webkit2gtk-driver", "xvfb"]}
"""Debian's packages. WebKit needs a screen to draw on, which Xvfb simulates."""

START_SECONDS, PATIENCE_SECONDS = 60, 30


def missing(name: str) -> str:
    """Return why the browser can't be driven on this machine, or an empty text if it can."""
    webkit = (_minibrowser(), shutil.which("WebKitWebDriver"), shutil.which("Xvfb"))
    if all([_firefox()] if name == "firefox" else webkit):
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


def _minibrowser() -> str | None:
    """Return the path of WebKit's own small browser, which is not in the folders of programs."""
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"))
    return str(found[-1]) if found else None


class Browser:
    """A browser's only window."""

    def __init__(self, driver: Remote) -> None:
        self.driver = driver
        driver.set_script_timeout(PATIENCE_SECONDS)

    def open(self, address: str) -> None:
        self.driver.get(address)

    def run(self, script: str, *values: object) -> Any:
        """Run the body of an async function in the page, and return its result."""
        answer = self.driver.execute_async_script(_CALL.replace("SCRIPT", script), *values)
        if answer is None:
            raise WebDriverException("The page was left before the script ended.")
        assert "fault" not in answer, answer["fault"]
        return answer.get("value")

    def wait(self, script: str, *values: object) -> Any:
        """Run the script until its result is true, also on a page that is loaded meanwhile."""

        def run() -> Any:
            try:
                return self.run(script, *values)
            except WebDriverException:
                return None

        return wait_for(run, PATIENCE_SECONDS, f"{script} {values}")

    def press(self, selector: str) -> None:
        """Press the middle of an element as soon as there is one."""
        self.drag(selector, selector)

    def drag(self, selector: str, goal: str) -> None:
        """Drag an element to the middle of another one."""
        (x1, y1), (x2, y2) = self.wait(_MIDDLE, selector), self.wait(_MIDDLE, goal)
        actions = ActionBuilder(self.driver, duration=0)
        mouse = actions.pointer_action
        mouse.move_to_location(x1, y1).pointer_down()
        for n in range(1, 9) if selector != goal else ():
            mouse.move_to_location(x1 + (x2 - x1) * n // 8, y1 + (y2 - y1) * n // 8)
        mouse.pointer_up()
        actions.perform()


_CALL = """
const done = arguments[arguments.length - 1], values = [...arguments];
(async () => { SCRIPT })().then((value) => done({ value }), (fault) => done({ fault: `${fault}` }));
"""

_MIDDLE = """
const found = document.querySelector(values[0]);
found?.scrollIntoView({ block: "nearest" });
const { x, y, width, height } = found?.getBoundingClientRect() ?? {};
return width ? [Math.round(x + width / 2), Math.round(y + height / 2)] : null;
"""


class Marionette(RemoteConnection):
    """A connection to Firefox itself."""

    COMMANDS = {
        Command.NEW_SESSION: "NewSession",
        Command.GET: "Navigate",
        Command.SET_TIMEOUTS: "SetTimeouts",
        Command.W3C_EXECUTE_SCRIPT_ASYNC: "ExecuteAsyncScript",
        Command.W3C_ACTIONS: "PerformActions",
        Command.ADD_COOKIE: "AddCookie",
    }
    """The name of a command in WebDriver -> its name in Marionette."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__(client_config=ClientConfig("http://127.0.0.1"))
        self.stream = connection.makefile("rwb")
        self._read()

    def execute(self, command: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a command, and return the answer as a driver that speaks HTTP would."""
        params = {name: value for name, value in params.items() if name != "sessionId"}
        if command == Command.W3C_EXECUTE_SCRIPT_ASYNC:
            # The script runs with the page's own objects, as a script of the page does.
            params["sandbox"] = None
        told = json.dumps([0, 1, f"WebDriver:{self.COMMANDS[command]}", params]).encode()
        self.stream.write(b"%d:%s" % (len(told), told))
        self.stream.flush()
        _, _, fault, answer = self._read()
        if fault and command == Command.W3C_ACTIONS and "cannot be cloned" in fault["message"]:
            # The press was made, and has led to another page before it could be confirmed.
            return {"value": None}
        if fault:
            raise WebDriverException(fault["message"])
        return answer if set(answer) == {"value"} else {"value": answer}

    def _read(self) -> Any:
        length = b""
        while (sign := self.stream.read(1)) != b":":
            length += sign
        return json.loads(self.stream.read(int(length)))


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
            yield Browser(Remote(Marionette(connection), options=FirefoxOptions()))


def _connect(port: int) -> socket.socket | None:
    try:
        return socket.create_connection(("127.0.0.1", port), timeout=2 * PATIENCE_SECONDS)
    except OSError:
        return None


@contextmanager
def webkit(folder: Path) -> Iterator[Browser]:
    """Start WebKit's small browser, with what it stores in the folder."""
    folder.mkdir()
    options = WebKitGTKOptions()
    options.binary_location = _minibrowser()
    options.add_argument("--automation")
    with _screen() as screen:
        surroundings = {"DISPLAY": screen, "GDK_BACKEND": "x11", "HOME": str(folder)}
        driver = WebKitGTK(options, Service(env=os.environ | surroundings))
        try:
            yield Browser(driver)
        finally:
            driver.quit()


BROWSERS = {"firefox": firefox, "webkit": webkit}


@contextmanager
def _screen() -> Iterator[str]:
    """Start a simulated screen, and provide its name."""
    said, tell = os.pipe()
    size = ["-screen", "0", "1366x768x24", "-nolisten", "tcp"]
    with _running(["Xvfb", "-displayfd", str(tell), *size], pass_fds=(tell,)):
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
