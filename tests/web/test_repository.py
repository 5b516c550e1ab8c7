"""The files for contributors describe the project correctly."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from puzzleclass import __version__

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.name for path in ROOT.glob("*.md"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_the_links_of_a_page_lead_to_files(page):
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", read(page))
    assert [target for target in targets if not (ROOT / target).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_exist(page):
    makefile, text = read("Makefile"), read(page)
    for target in re.findall(r"^    make ([a-z]+)|`make ([a-z]+)", text, re.MULTILINE):
        assert f"\n{''.join(target)}:" in makefile
    for path in re.findall(r"\b(?:tests|templates|puzzleclass|docs)/[\w./]+\.\w+", text):
        assert (ROOT / path).exists(), path


def test_the_example_of_a_first_change_finds_its_place():
    for page in ("CONTRIBUTING.md", "templates/home/welcome.html"):
        assert read(page).count("your teacher shows you") == 1


def test_the_citation_names_the_release():
    citation = yaml.safe_load(read("CITATION.cff"))
    assert citation["version"] == __version__
    assert citation["license"] == PROJECT["project"]["license"]
    released = f"## [{citation['version']}] - {citation['date-released']}"
    assert released in read("CHANGELOG.md")


def test_the_version_is_written_in_one_place():
    both = [PROJECT, tomllib.loads(read("packaging/solvers/pyproject.toml"))]
    paths = [each["tool"]["hatch"]["version"]["path"] for each in both]
    assert [Path(path).parts[-2:] for path in paths] == [("solvers", "__init__.py")] * 2
    assert all("version" in each["project"]["dynamic"] for each in both)


def test_the_changelog_is_short_enough_to_be_read():
    releases = re.split(r"^## \[", read("CHANGELOG.md"), flags=re.MULTILINE)[1:]
    entries = {release.partition("]")[0]: release.count("\n- ") for release in releases}
    assert list(entries)[:2] == ["Unreleased", __version__]
    assert max(entries.values()) <= 50


@pytest.mark.parametrize("option", ["--version", "version"])
@pytest.mark.parametrize("program", [["manage.py"], ["-m", "puzzleclass"]])
def test_the_command_line_names_the_version(program, option):
    command = (sys.executable, *program, option)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"PuzzleClass {__version__}\n")


def test_the_workflow_tests_the_oldest_python_and_both_databases():
    workflow = yaml.safe_load(read(".github/workflows/tests.yml"))
    matrix = workflow["jobs"]["tests"]["strategy"]["matrix"]
    assert f">={matrix['python'][0]}" == PROJECT["project"]["requires-python"]
    assert matrix["database"] == ["SQLite", "PostgreSQL"]


def test_the_hooks_run_installed_tools():
    config = yaml.safe_load(read(".pre-commit-config.yaml"))
    hooks = [hook for repo in config["repos"] for hook in repo["hooks"]]
    scripts = json.loads(read("package.json"))["scripts"]
    assert hooks
    for hook in hooks:
        if script := re.search(r"npm run --silent (\w+)", hook["entry"]):
            assert script[1] in scripts
            continue
        tool = Path(hook["entry"].split()[0])
        assert tool.parent == Path(".venv/bin")
        assert Path(sys.executable).with_name(tool.name).exists()


@pytest.mark.parametrize("form", sorted(ROOT.glob(".github/ISSUE_TEMPLATE/[0-9]*.yml")))
def test_a_form_asks_for_something_and_each_answer_has_a_name_of_its_own(form):
    fields = [part for part in yaml.safe_load(form.read_text())["body"] if "id" in part]
    names = [field["id"] for field in fields]
    assert len(set(names)) == len(names) > 0
    assert any(field.get("validations", {}).get("required") for field in fields)
