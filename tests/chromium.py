"""The Chromium that browser tests drive.

`python -m tests.chromium` makes sure there is one: the system's; by apt-get where that
may be used; else the one that Playwright brings.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def system_chromium() -> str | None:
    """Return the path of an installed Chromium that starts, or None: use Playwright's own."""
    for name in NAMES:
        path = shutil.which(name)
        # Ubuntu's `chromium-browser` may be a note that tells how to get one.
        if path and _succeeds(path, "--version"):
            return path
    return None


def ensure() -> None:
    """Install a Chromium, and a font that has Japanese, if there is none."""
    can_apt = os.geteuid() == 0 and shutil.which("apt-get") is not None
    wanted = [] if system_chromium() else ["chromium"]
    if not _has_japanese_font():
        wanted.append("fonts-noto-cjk")
    if wanted and can_apt:
        print(f"Installing {' and '.join(wanted)} ...", flush=True)
        quiet = {
            "stdout": subprocess.DEVNULL,
            "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        }
        subprocess.run(("apt-get", "update", "-q"), check=False, **quiet)
        subprocess.run(
            ("apt-get", "install", "-q", "-y", "--no-install-recommends", *wanted),
            check=False,
            **quiet,
        )
    if not system_chromium() and not _succeeds(
        sys.executable, "-m", "playwright", "install", "chromium"
    ):
        sys.exit("No Chromium for the browser tests: install one, or allow a download.")


def _has_japanese_font() -> bool:
    if not shutil.which("fc-list"):
        return any(Path("/usr/share/fonts").rglob("*CJK*"))
    fonts = subprocess.run(("fc-list", ":lang=ja"), capture_output=True, text=True).stdout
    return bool(fonts.strip())


def _succeeds(*command: str) -> bool:
    return subprocess.run(command, capture_output=True).returncode == 0


if __name__ == "__main__":
    ensure()
