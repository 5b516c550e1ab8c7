"""HiGHS, a solver for integer programmes, at work in a thread of its own."""

import tempfile
import time
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from typing import Any

from solvers.kind import Progress, PuzzleError
from solvers.message import Message

_LOOK_EVERY = 0.2
"""Seconds."""


def maximise(lp: str) -> Generator[Progress, None, set[str] | None]:
    """Return the names of the variables that are 1 in a best solution of a 0-1 programme, None
    when it has no solution. The signs of life carry the bounds. Raises PuzzleError when HiGHS is
    not installed."""
    try:
        # Its own types are incomplete.
        highspy: Any = import_module("highspy")
    except ImportError:
        raise PuzzleError("The solver HiGHS is not installed on this computer.") from None
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.HandleUserInterrupt = True
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.lp"
        file.write_text(lp, encoding="ascii")
        highs.readModel(str(file))
    bounds: dict[str, float] = {}

    def look(event: Any) -> None:
        bounds["least"] = event.data_out.mip_primal_bound
        bounds["most"] = event.data_out.mip_dual_bound

    highs.cbMipInterrupt.subscribe(look)
    thread = highs.startSolve()
    try:
        while thread.is_alive():
            thread.join(_LOOK_EVERY)
            yield _sign(bounds)
    finally:
        highs.cancelSolve()
        while thread.is_alive():
            time.sleep(0.01)
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    values = highs.getSolution().col_value
    return {highs.getColName(column)[1] for column, value in enumerate(values) if value > 0.5}


def _sign(bounds: dict[str, float]) -> Progress:
    """Return what HiGHS has proven so far."""
    least, most = bounds.get("least", 0), bounds.get("most", 1e9)
    if not 0 <= least <= most < 1e6:
        return Progress(0, 1)
    # Both are floating-point numbers a hair beside whole ones.
    values = {"least": round(least), "most": int(most + 1e-6)}
    note = Message("At least {least} strings, at most {most}", values)
    return Progress(0, 1, note, values["least"], {"at_most": str(values["most"])})
