"""Install the kind of this folder for a test."""

import os
from pathlib import Path

OUTSIDE = Path(__file__).resolve().parent


def install(folder: Path) -> str:
    """Do what pip does for an editable install, and return the path that Python has to search."""
    info = folder / "puzzleclass_lightsout-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: puzzleclass-lightsout\n")
    (info / "entry_points.txt").write_text("[puzzleclass.kinds]\nlightsout = lightsout\n")
    return os.pathsep.join((str(folder), str(OUTSIDE)))
