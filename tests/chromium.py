"""The Chromium that browser tests drive.

`python -m tests.chromium` makes sure that there is one. Where apt-get may be used, it installs the
Chromium without windows, which takes half the time of the other one. Otherwise it uses the Chromium
that is installed, or else the one that Playwright downloads.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

WITHOUT_WINDOWS = "chromium-headless-shell"
NAMES = (WITHOUT_WINDOWS, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def system_chromium() -> str | None:
    """Return the path of an installed Chromium that starts, or None if Playwright's own must be
    used."""
    for name in NAMES:
        path = shutil.which(name)
        # Ubuntu's `chromium-browser` may be a script that only says how to install a browser.
        if path and _succeeds(path, "--version"):
            return path
    return None


def ensure() -> None:
    """Install a Chromium, and a font that has Japanese, if they are missing."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        has_shell, has_font = shutil.which(WITHOUT_WINDOWS), _has_japanese_font()
        if not (has_shell and has_font):
            print("Installing a Chromium and fonts for the tests ...", flush=True)
            apt_get("update")
        # Not every system has a package of the Chromium without windows.
        if not has_shell and not apt_get("install", WITHOUT_WINDOWS) and not system_chromium():
            apt_get("install", "chromium")
        if not has_font:
            apt_get("install", "fonts-noto-cjk")
    if not system_chromium() and not _succeeds(
        sys.executable, "-m", "playwright", "install", "chromium"
    ):
        sys.exit("No Chromium for the browser tests: install one, or allow a download.")


def apt_get(*what: str) -> bool:
    """Run apt-get without questions, and return whether it succeeded."""
    options = ("-q", "-y", "--no-install-recommends", "-o", "Acquire::http::Timeout=20")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    command = ("apt-get", *options, *what)
    return subprocess.run(command, stdout=subprocess.DEVNULL, env=environment).returncode == 0


def _has_japanese_font() -> bool:
    if not shutil.which("fc-list"):
        return any(Path("/usr/share/fonts").rglob("*CJK*"))
    fonts = subprocess.run(("fc-list", ":lang=ja"), capture_output=True, text=True).stdout
    return bool(fonts.strip())


def _succeeds(*command: str) -> bool:
    return subprocess.run(command, capture_output=True).returncode == 0


if __name__ == "__main__":
    ensure()
