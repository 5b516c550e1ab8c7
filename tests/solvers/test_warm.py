"""The solvers know whether their kernels have been compiled."""

import os
import subprocess
import sys
from pathlib import Path

from solvers import warm


def test_a_change_of_a_source_needs_a_compilation(monkeypatch, tmp_path):
    stamp, source = tmp_path / "stamp", tmp_path / "kind.py"
    monkeypatch.setattr(warm, "_stamp", lambda: stamp)
    monkeypatch.setattr(warm, "FOLDER", tmp_path)
    source.write_text("SIDE = 1\n")
    assert not warm.is_compiled()
    stamp.write_text(warm._digest())
    assert warm.is_compiled()
    source.write_text("SIDE = 2\n")
    assert not warm.is_compiled()


def test_the_stamp_is_where_numba_keeps_what_it_compiles(tmp_path):
    """Another folder of numba (NUMBA_CACHE_DIR) needs a compilation of its own."""
    code = "from solvers import warm; print(warm.is_compiled(), warm._stamp())"
    done = subprocess.run(
        (sys.executable, "-c", code),
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    is_compiled, path = done.stdout.split()
    assert is_compiled == "False" and Path(path).is_relative_to(tmp_path)
