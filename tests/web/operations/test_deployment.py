"""The files for a school's server: pinned packages, and containers with limits."""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage

from puzzleclass.static_files import MAX_RELEASES, StaticFiles, keep_static_files

ROOT = Path(__file__).resolve().parents[3]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["requirements", "requirements-dev", "requirements-docs"])
def test_every_package_is_pinned_with_hashes(name):
    text = (ROOT / f"{name}.txt").read_text(encoding="utf-8")
    packages = re.split(r"\n(?=\w)", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    for package in packages:
        assert re.match(r"[\w.-]+==[\w.]+( ;.*)? \\\n", package), package
        assert "--hash=sha256:" in package, package
    pinned = {package.partition("==")[0] for package in packages}
    sites = re.findall(r"^[\w.-]+(?===)", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert name == "requirements" or pinned.isdisjoint(sites)
    for line in (ROOT / f"{name}.in").read_text(encoding="utf-8").splitlines():
        if line[0] not in "#-":
            assert re.split(r"[\[~=;]", line)[0].lower() in pinned


def test_every_image_is_pinned_by_digest():
    (ours,) = re.findall(r"^ARG PYTHON_IMAGE=(.*)$", DOCKERFILE, re.MULTILINE)
    assert re.findall(r"^FROM (.*)$", DOCKERFILE, re.MULTILINE) == ["${PYTHON_IMAGE}"]
    others = [of["image"] for of in SERVICES.values() if "build" not in of]
    assert len(others) == 3
    for image in (ours, *(re.sub(r"\$\{\w+:-(.*)\}", r"\1", image) for image in others)):
        assert re.fullmatch(r"[a-z]+:[\d.]+-[a-z-]+@sha256:[0-9a-f]{64}", image), image


def test_packages_for_older_pythons_and_other_platforms_are_pinned_too():
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert re.search(r"^async-timeout==.* ; python_full_version < '3\.11\.3'", text, re.MULTILINE)
    assert re.search(r"^tzdata==", text, re.MULTILINE)


@pytest.mark.parametrize("service", SERVICES)
def test_every_container_has_bounds_and_no_needless_right(service):
    of = SERVICES[service]
    assert of["cap_drop"] == ["ALL"]
    assert of["security_opt"] == ["no-new-privileges:true"]
    assert of["mem_limit"] and of["pids_limit"]
    assert of["logging"]["options"]["max-size"]
    assert of["restart"] == ("no" if service == "migrate" else "unless-stopped")
    # Our own service has its health check in the image.
    assert "healthcheck" in of or service == "web"
    assert of["read_only"] and "/tmp" in of["tmpfs"]
    if "build" in of:
        assert f"ENV VAR_DIR={of['tmpfs'][1]} " in DOCKERFILE


def test_redis_asks_for_the_password_that_the_programs_send():
    password = "${REDIS_PASSWORD:?fill in .env}"
    assert f"redis://:{password}@redis:" in SERVICES["web"]["environment"]["REDIS_URL"]
    assert f"--requirepass {password} " in SERVICES["redis"]["command"]
    assert SERVICES["redis"]["environment"] == {"REDISCLI_AUTH": password}


def test_only_the_proxy_is_reached_by_others():
    open_ports = {name: of["ports"] for name, of in SERVICES.items() if "ports" in of}
    assert set(open_ports) == {"proxy", "web"}
    assert open_ports["web"] == ["${HOST:-127.0.0.1}:${PORT:-8000}:8000"]


def test_scripts_and_style_sheets_of_ours_are_stored_without_their_comments(tmp_path):
    storage = StaticFiles(location=tmp_path, base_url="/static/")
    for name in ("own.js", "vendor/theirs.js", "own.css"):
        storage.save(name, ContentFile(b"/* said */\nlet a = 1;\n"))
    assert (tmp_path / "own.js").read_text() == "let a=1;"
    assert (tmp_path / "own.css").read_text().strip() == "let a = 1;"
    assert "said" in (tmp_path / "vendor/theirs.js").read_text()


def test_a_style_sheet_is_stored_with_the_sheets_that_it_imports(tmp_path):
    storage = StaticFiles(location=tmp_path, base_url="/static/")
    source = FileSystemStorage(ROOT / "static")
    sheets = {path.name: (source, path.name) for path in (ROOT / "static").glob("*.css")}
    named = {name: hashed for name, hashed, _done in storage.post_process(sheets)}
    stored = (tmp_path / named["play.css"]).read_text()
    assert ".play-controls{" in stored and ".solved-count{" in stored
    for name in sheets:
        hashed = named[name]
        assert "@import" not in (tmp_path / hashed).read_text(), name


def release(settings, tmp_path, number: int) -> str:
    """Collect and keep the static files of a release, and return the address of its script."""
    static = tmp_path / "static"
    settings.STATIC_ROOT, settings.RELEASES_ROOT = static, tmp_path / "static-releases"
    shutil.rmtree(static, ignore_errors=True)
    static.mkdir()
    name = f"board.{number:012x}.js"
    (static / name).write_text(f"let release={number}")
    (static / "staticfiles.json").write_text(json.dumps({"paths": {"board.js": name}}))
    keep_static_files()
    return f"/static/{name}"


def test_files_of_the_last_releases_are_served(client_of, settings, tmp_path):
    scripts = [release(settings, tmp_path, number) for number in range(1, MAX_RELEASES + 2)]
    client = client_of(None)
    assert [client.get(script).status_code for script in scripts] == [404, *[200] * MAX_RELEASES]
    answer = client.get(scripts[1])
    assert b"".join(answer.streaming_content) == b"let release=2"
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"


def test_a_release_that_comes_back_counts_as_the_latest(client_of, settings, tmp_path):
    for number in (1, *range(2, MAX_RELEASES + 1), 1, MAX_RELEASES + 1):
        release(settings, tmp_path, number)
    assert client_of(None).get(f"/static/board.{1:012x}.js").status_code == 200
    assert client_of(None).get(f"/static/board.{2:012x}.js").status_code == 404


@pytest.mark.parametrize(
    ("service", "name"),
    [("web", "static-releases"), *((each, "backups") for each in ("web", "migrate", "backup"))],
)
def test_what_must_outlive_a_container_is_in_a_volume(service, name):
    folder = f"{re.search(r'ENV VAR_DIR=([^ ]+)', DOCKERFILE)[1]}/{name}"
    source = "${BACKUPS:-backups}" if name == "backups" else name
    assert f"{source}:{folder}" in SERVICES[service]["volumes"]
    assert name in COMPOSE["volumes"]
    # A volume belongs to the owner of the folder in the image.
    assert re.search(rf"install --directory --owner=puzzleclass [^&]*\s{folder}\s", DOCKERFILE)
