"""The unit tests of the scripts in static/, run by Node.js's own test runner."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NODE = Path(sys.executable).parent / "node"


def test_the_scripts_do_what_their_tests_say():
    ran = subprocess.run(
        (NODE, "--test", "tests/scripts/*.test.js"), cwd=ROOT, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "pass 0" not in ran.stdout
