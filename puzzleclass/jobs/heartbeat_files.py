"""The heartbeats of a site that runs in one process and has no Redis, in files.

The messages of such a site stay in the memory of its process. Its heartbeats are kept in files
all the same, because `manage.py doctor` and the monitoring read them from another process.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote


class HeartbeatFiles:
    """The calls of a Redis client that `workers` and the monitoring use.

    Each key is a file with its value. The time of the file's change is the time of its expiry.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> "HeartbeatFiles":
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def ping(self) -> bool:
        return True

    def time(self) -> tuple[int, int]:
        """Return this machine's time in seconds and microseconds."""
        seconds, microseconds = divmod(time.time_ns() // 1000, 1_000_000)
        return seconds, microseconds

    def set(self, key: str, value: str, ex: int) -> None:
        """Keep the value for `ex` seconds."""
        self.folder.mkdir(exist_ok=True)
        # The file appears under its name when it is complete.
        new = self.folder / f"{os.getpid()}.new"
        new.write_text(value)
        expiry = time.time() + ex
        os.utime(new, (expiry, expiry))
        new.replace(self._file(key))

    def get(self, key: str) -> str | None:
        return self._file(key).read_text() if self.ttl(key) >= 0 else None

    def ttl(self, key: str) -> int:
        """Return the seconds until the key expires, or -2 if there is no such key."""
        try:
            left = self._file(key).stat().st_mtime - time.time()
        except FileNotFoundError:
            return -2
        return int(left) if left >= 0 else -2

    def scan_iter(self, pattern: str) -> Iterator[str]:
        """Yield the keys that begin with the pattern, which ends with an asterisk."""
        for path in self.folder.glob(f"{quote(pattern[:-1], safe='')}*"):
            yield unquote(path.name)

    def _file(self, key: str) -> Path:
        return self.folder / quote(key, safe="")
