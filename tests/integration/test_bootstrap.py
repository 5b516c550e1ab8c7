"""`bootstrap.py` on machines where something is missing prints one clear line each time."""

import ast
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.integration.processes import ROOT, processes, wait_for

pytestmark = pytest.mark.integration


@pytest.fixture
def folder(tmp_path):
    """Return a folder with our bootstrap and an empty package list."""
    shutil.copy(ROOT / "bootstrap.py", tmp_path)
    (tmp_path / "requirements.txt").write_text("")
    return tmp_path


def bootstrap(folder, *command: str, **environment: str) -> str:
    """Run bootstrap.py where it must fail, and return its one line of output."""
    done = subprocess.run(
        (*(command or (sys.executable,)), "bootstrap.py"),
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("PuzzleClass: ")
    return done.stderr


def test_a_python_too_old_says_so(folder):
    """This Python runs the script, and pretends to be an old one."""
    pretend = """if True:
        import runpy, sys
        sys.version_info = (3, 6, 9)
        runpy.run_path("bootstrap.py", run_name="__main__")
    """
    line = bootstrap(folder, sys.executable, "-c", pretend)
    assert "3.11 or newer" in line and "3.6" in line


def test_old_pythons_understand_every_line():
    ast.parse((ROOT / "bootstrap.py").read_text(), feature_version=(3, 4))


def test_no_venv_module(folder):
    (folder / "ensurepip.py").write_text("raise ImportError")
    assert "python3-venv" in bootstrap(folder)


def test_no_permission_to_write(folder):
    (folder / ".venv").write_text("a file where the folder should be")
    assert ".venv" in bootstrap(folder)


def test_a_package_that_cannot_be_had(folder):
    shutil.copytree(ROOT / "solvers", folder / "solvers")
    (folder / "requirements.txt").write_text("no-such-file @ file:///nowhere/at/all.whl\n")
    line = bootstrap(folder)
    assert "packages can't be installed" in line and "bootstrap.log" in line
    # The failed installation is not taken for a complete one: the next start attempts it again.
    assert "packages can't be installed" in bootstrap(folder)


def test_uv_installs_the_pins_where_there_is_a_pin_of_it(folder):
    """The pinned uv is in the environment already, as after an earlier start."""
    venv.create(folder / ".venv", with_pip=True)
    program = Path(sys.executable).with_name("uv")
    pins = (ROOT / "requirements-dev.txt").read_text()
    [pinned] = re.findall(r"^uv==(?:.*\\\n)*.*\n", pins, re.MULTILINE)
    (folder / "requirements-dev.txt").write_text(f"zzz==1\n{pinned}")
    shutil.copy(program, folder / ".venv" / "bin" / "uv")
    [packages] = (folder / ".venv" / "lib").glob("*/site-packages")
    (packages / f"uv-{pinned.split()[0].removeprefix('uv==')}.dist-info").mkdir()
    (folder / "requirements.txt").write_text("no-such-file @ file:///nowhere/at/all.whl\n")
    # These are uv's words, not those of pip.
    assert "Distribution not found at: file:///nowhere" in bootstrap(folder)


def test_uv_looks_for_packages_where_pip_does(folder, monkeypatch):
    spec = importlib.util.spec_from_file_location("bootstrap_in_a_test", ROOT / "bootstrap.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    config = folder / "pip.conf"
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    assert not [name for name in script.index_of_pip() if name.startswith("UV_")]
    config.write_text(
        "[global]\nindex-url = https://all.example/simple\n"
        "trusted-host =\n  a.example\n  b.example\n"
        "[install]\nextra-index-url = https://more.example/simple\nfind-links = one two\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(config))
    told = script.index_of_pip()
    assert told["UV_DEFAULT_INDEX"] == "https://all.example/simple"
    assert told["UV_INDEX"] == "https://more.example/simple"
    assert told["UV_INDEX_STRATEGY"] == "unsafe-best-match"
    assert (told["UV_INSECURE_HOST"], told["UV_FIND_LINKS"]) == ("a.example b.example", "one,two")
    # The environment is stronger than files, and what is said to uv itself is strongest.
    monkeypatch.setenv("PIP_INDEX_URL", "https://own.example/simple")
    assert script.index_of_pip()["UV_DEFAULT_INDEX"] == "https://own.example/simple"
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://uv.example/simple")
    assert script.index_of_pip()["UV_DEFAULT_INDEX"] == "https://uv.example/simple"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_what_was_started_too(folder, number):
    """The command in the place of pip starts a process of its own."""
    pip = folder / ".venv" / "bin" / "python"
    pip.parent.mkdir(parents=True)
    pip.write_text('#!/bin/sh\n[ "$1" = -c ] || { sleep 60 & echo $!; wait; }\n')
    pip.chmod(0o700)
    process = subprocess.Popen(
        (sys.executable, "bootstrap.py"), cwd=folder, stderr=subprocess.PIPE, text=True
    )
    sleeps = int(wait_for(lambda: read(folder / ".venv" / "bootstrap.log"), 30, "the installation"))
    process.send_signal(number)
    assert process.communicate(timeout=30)[1] == (
        "PuzzleClass: interrupted; start again any time\n"
    )
    wait_for(lambda: sleeps not in processes(), 5, "the end of what pip has started")


def read(log: Path) -> str:
    return log.read_text() if log.exists() else ""
