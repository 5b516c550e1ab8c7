"""Where a private socket can be."""

import hashlib
import os
import tempfile
from pathlib import Path

LONGEST = 103
"""Bytes a socket's path may have: 107 on Linux, 103 on macOS."""


def socket_path(wanted: Path) -> Path:
    """Return `wanted`, or a stand-in when the kernel can't bind so long a path.

    The stand-in lies in a folder of its own under the temporary one; it is the same for
    every process of this user that wants the same path.
    """
    if len(os.fsencode(wanted)) <= LONGEST:
        return wanted
    mark = hashlib.sha256(f"{os.getuid()} {wanted}".encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"puzzleclass-{mark}" / wanted.name
