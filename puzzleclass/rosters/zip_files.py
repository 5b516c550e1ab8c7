"""Reading the texts in a ZIP file that nobody has checked yet.

Nothing is unpacked to the disk. A file of a few kilobytes can hold gigabytes of zeros, so every
file in it is read up to a limit, whatever size the ZIP claims.
"""

import os
import zipfile
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import IO

from puzzleclass.rosters.faults import Faults
from solvers.message import Message

MAX_FILES = 100
MAX_BYTES = 40 << 20
"""The most bytes of all texts together. A roster of 20,000 students has about 15 MB."""
FEW_BYTES = 1 << 20
MAX_GROWTH = 100
"""The most bytes of all texts for each byte of the ZIP, if there are more than `FEW_BYTES`.

The rows of a roster are packed to a fifth or a twentieth of their size, and zeros to a thousandth.
"""
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_ENCRYPTED = 0x1


@dataclass(frozen=True, slots=True)
class ZipTexts:
    """What a ZIP holds."""

    names: Collection[str] = ()
    """The names of all files in it, with their folders."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The wanted files at its top, by name."""


def texts_of_zip(file: IO[bytes], wanted: Collection[str], faults: Faults) -> ZipTexts:
    """Return the names of the files in the ZIP, and the texts of the wanted ones at its top.

    The texts are in UTF-8, with or without a byte order mark. Whatever can't be read is added to
    the faults.
    """
    try:
        size = file.seek(0, os.SEEK_END)
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            if not _is_harmless(entries, size, faults):
                return ZipTexts()
            texts = _texts(archive, [each for each in entries if each.filename in wanted], faults)
            return ZipTexts([each.filename for each in entries], texts)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        faults.add("", 0, "", Message("This file is not a ZIP file, or it is damaged."))
        return ZipTexts()


def _is_harmless(entries: list[zipfile.ZipInfo], size: int, faults: Faults) -> bool:
    """Return whether names, number and claimed sizes of the entries are acceptable.

    `size` is that of the ZIP.
    """
    before = faults.count
    if len(entries) > MAX_FILES:
        many = Message("The ZIP holds more than {most} files.", {"most": MAX_FILES})
        faults.add("", 0, "", many)
        return False
    texts = sum(entry.file_size for entry in entries)
    if texts > MAX_BYTES:
        most = Message("The files have more than {most} MB together.", {"most": MAX_BYTES >> 20})
        faults.add("", 0, "", most)
    elif texts > max(FEW_BYTES, size * MAX_GROWTH):
        bomb = Message("The files in this ZIP are far larger than those of a roster can be.")
        faults.add("", 0, "", bomb)
    for name, times in Counter(entry.filename for entry in entries).items():
        path = PurePosixPath(name.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in name:
            faults.add(
                name, 0, "", Message("The name of this file leads out of the ZIP. Remove it.")
            )
        if times > 1:
            faults.add(name, 0, "", Message("The ZIP holds this file more than once."))
    return faults.count == before


def _texts(
    archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], faults: Faults
) -> dict[str, str]:
    texts: dict[str, str] = {}
    for entry in entries:
        name = entry.filename
        if entry.flag_bits & _ENCRYPTED:
            faults.add(name, 0, "", Message("A password protects this file. Remove the password."))
            continue
        if entry.compress_type not in _METHODS:
            faults.add(
                name, 0, "", Message("This file is packed in an unusual way. Use an ordinary ZIP.")
            )
            continue
        try:
            with archive.open(entry) as packed:
                # An entry may hold more than it claims to. What is read has a bound all the same.
                data = packed.read(entry.file_size + 1)
        except Exception:  # zlib and zipfile raise many types for a damaged entry.
            faults.add(name, 0, "", Message("This file is damaged."))
            continue
        try:
            texts[name] = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            faults.add(
                name, line, "", Message("This line is not in UTF-8. Save the file as UTF-8.")
            )
    return texts
