"""Collects the static files when one of them has changed."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def collect_if_changed() -> bool:
    """Bring STATIC_ROOT up to date. Returns whether there was anything to do."""
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    wanted = _digest()
    if stamp.exists() and stamp.read_text() == wanted:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(wanted)
    return True


def _digest() -> str:
    total = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda found: found[0]):
            with storage.open(path) as file:
                total.update(f"\0{path}\0".encode() + file.read())
    return total.hexdigest()
