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
    assert next(name for name in entries if name != "Unreleased") == __version__
    assert max(entries.values()) <= 50


@pytest.mark.parametrize("option", ["--version", "version"])
@pytest.mark.parametrize("program", [["manage.py"], ["-m", "puzzleclass"]])
def test_the_command_line_names_the_version(program, option):
    command = (sys.executable, *program, option)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"PuzzleClass {__version__}\n")


def test_a_release_is_tested_as_the_project_is():
    """A published wheel has started on each system with each Python of the tests."""
    matrix = yaml.safe_load(read(".github/workflows/tests.yml"))["jobs"]["tests"]["strategy"]
    jobs = yaml.safe_load(read(".github/workflows/release.yml"))["jobs"]
    where = jobs["distributions"]["with"]
    assert json.loads(where["pythons"]) == matrix["matrix"]["python"]
    assert [name.split("-")[0] for name in json.loads(where["systems"])] == [
        *("ubuntu", "macos", "windows")
    ]
    for name in ("image", "pypi", "pages"):
        assert {"tests", "distributions", "documents"} <= set(jobs[name]["needs"]), name
    assert jobs["pypi"]["permissions"] == {"id-token": "write"}


@pytest.mark.parametrize("workflow", sorted(ROOT.glob(".github/workflows/*.yml")))
def test_what_a_workflow_runs_is_there(workflow):
    text, makefile = workflow.read_text(), read("Makefile")
    for called in re.findall(r"uses: \./(\S+)", text):
        assert (ROOT / called).exists()
    for targets in re.findall(r"run: make ([a-z ]+)", text):
        assert all(f"\n{target}:" in makefile for target in targets.split())
    for path in re.findall(r"\b(?:tests|docs|solvers)/[\w./]+\.\w+", text):
        assert (ROOT / path).exists(), path
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}


def test_the_dependency_bot_looks_at_every_list_of_packages():
    updates = yaml.safe_load(read(".github/dependabot.yml"))["updates"]
    known = {"pip", "npm", "docker", "docker-compose", "github-actions"}
    assert {each["package-ecosystem"] for each in updates} == known
