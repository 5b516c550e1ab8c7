"""`manage.py newkind` makes a copy of a template that loads, and changes no existing file."""

import io
import os
import shutil
import subprocess
import sys
import tomllib

import pytest
from django.core.management import CommandError, call_command

from puzzleclass.operations.management.commands import newkind
from puzzleclass.operations.management.commands.newkind import SOLVERS


@pytest.mark.parametrize("options", [{}, {"placement": True}, {"moves": True}])
def test_the_copy_is_a_kind_in_a_distribution_of_its_own(tmp_path, options):
    call_command("newkind", "freshkind", folder=str(tmp_path), **options)
    code = "from solvers.registry import load; print(load('freshkind').slug)"
    path = os.pathsep.join((str(tmp_path), "."))
    environment = os.environ | {"PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True)
    assert done.stdout.decode().strip() == "freshkind", done.stderr.decode()
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text())
    assert project["project"]["entry-points"]["puzzleclass.kinds"] == {"freshkind": "freshkind"}


def test_without_a_folder_the_kind_becomes_a_part_of_the_solvers(tmp_path, monkeypatch):
    monkeypatch.setattr(newkind, "SOLVERS", tmp_path)
    template = "_template_sequence"
    shutil.copytree(SOLVERS / template, tmp_path / template)
    out = io.StringIO()
    call_command("newkind", "freshkind", stdout=out)
    code = (tmp_path / "freshkind" / "__init__.py").read_text()
    assert 'slug = "freshkind"' in code and template not in code
    assert not (tmp_path / "pyproject.toml").exists()
    assert "pytest --kind solvers.freshkind" in out.getvalue() and "pip" not in out.getvalue()


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(CommandError, match="freshkind can't be written: "):
        call_command("newkind", "freshkind", folder=str(tmp_path / "file"))


def test_a_distribution_that_is_there_is_not_written_over(tmp_path):
    (tmp_path / "pyproject.toml").write_text("# mine\n")
    with pytest.raises(CommandError, match=r"pyproject\.toml is there already"):
        call_command("newkind", "freshkind", folder=str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["pyproject.toml"]
    assert (tmp_path / "pyproject.toml").read_text() == "# mine\n"


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("json", "a name of Python's own"),
        ("lambda", "a name of Python's own"),
        ("numpy", "a module “numpy” already"),
        ("goishi", "a kind “goishi” already"),
        ("Gems", "no name for a kind"),
    ],
)
def test_a_name_that_would_hide_something_is_refused(tmp_path, name, fault):
    with pytest.raises(CommandError, match=fault):
        call_command("newkind", name, folder=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_would_hide_a_module_of_the_solvers_is_refused():
    with pytest.raises(CommandError, match=r"a module “solvers.grid” already"):
        call_command("newkind", "grid")
