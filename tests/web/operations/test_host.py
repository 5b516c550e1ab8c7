"""The files for a machine without containers (systemd, nginx), and the Caddyfile."""

import re
import shutil
import subprocess
import tomllib
from configparser import ConfigParser
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class

from puzzleclass.bodies import ROSTERS
from puzzleclass.launcher.web import KEEP_ALIVE_SECONDS

ROOT = Path(__file__).resolve().parents[3]
UNITS = sorted((ROOT / "packaging" / "systemd").iterdir())
SERVICES = [path for path in UNITS if path.suffix == ".service"]
CADDYFILE = (ROOT / "Caddyfile").read_text(encoding="utf-8")
NGINX = (ROOT / "packaging" / "nginx.conf").read_text(encoding="utf-8")
BIN = "/opt/puzzleclass/bin/"
needs = {
    name: pytest.mark.skipif(not shutil.which(name), reason=f"{name} is not installed")
    for name in ("systemd-analyze", "nginx", "caddy", "openssl")
}


def unit(path: Path) -> ConfigParser:
    parser = ConfigParser(interpolation=None, delimiters="=")
    parser.optionxform = str
    parser.read_string(path.read_text(encoding="utf-8"))
    return parser


def succeeds(*command: object) -> None:
    ran = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.stem)
def test_a_unit_starts_a_command_that_exists_with_folders_that_it_may_write(path):
    service = unit(path)["Service"]
    program, command, *options = service["ExecStart"].split()
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert program.removeprefix(BIN) in scripts["scripts"]
    parser = load_command_class(get_commands()[command], command).create_parser(
        "manage.py", command
    )
    parser.parse_args(options)
    environment = dict(part.split("=") for part in service["Environment"].split())
    assert environment["VAR_DIR"] == f"/var/lib/{service['StateDirectory']}"
    if "CacheDirectory" in service:
        assert environment["NUMBA_CACHE_DIR"] == f"/var/cache/{service['CacheDirectory']}"
    guide = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    for word in (service["EnvironmentFile"], path.name, BIN.removesuffix("/bin/"), "nginx.conf"):
        assert word in guide
    assert service["ProtectSystem"] == "strict" and service["NoNewPrivileges"] == "true"
    # numba writes the code that it runs.
    assert "MemoryDenyWriteExecute" not in service


def test_the_timer_starts_the_backup():
    (timer,) = (path for path in UNITS if path.suffix == ".timer")
    assert timer.with_suffix(".service") in SERVICES
    assert unit(timer)["Install"]["WantedBy"] == "timers.target"


@needs["systemd-analyze"]
def test_systemd_accepts_the_units(tmp_path):
    program = tmp_path / "puzzleclass"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    copies = [tmp_path / path.name for path in UNITS]
    for path, copied in zip(UNITS, copies, strict=True):
        copied.write_text(path.read_text().replace(f"{BIN}puzzleclass", str(program)))
    ran = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, copies)], capture_output=True, text=True
    )
    # It also reports what it finds in units of this machine.
    ours = [line for line in ran.stderr.splitlines() if "puzzleclass" in line]
    assert not ours, ran.stderr


def nginx(name: str) -> list[str]:
    return re.findall(rf"^\s*{name} (.*);$", NGINX, re.MULTILINE)


def caddy(name: str) -> list[str]:
    return re.findall(rf"^\s*{name} (.*)$", CADDYFILE, re.MULTILINE)


def test_the_proxies_let_through_what_the_site_accepts():
    small, large = settings.DATA_UPLOAD_MAX_MEMORY_SIZE, settings.MAX_ROSTER_BYTES
    millions = {f"{small // 10**6}", f"{large // 10**6}"}
    assert {size.removesuffix("MB") for size in caddy("max_size")} == millions
    assert {size.removesuffix("m") for size in nginx("client_max_body_size")} == millions
    # Requests wait in the proxy until they are complete.
    assert caddy("request_buffers") == [f"{large // 10**6}MB"]
    assert not nginx("proxy_request_buffering")
    rosters = f"^{ROSTERS.pattern}$"
    assert caddy("@rosters") == [f"path_regexp {rosters}"]
    assert caddy("@others") == [f"not path_regexp {rosters}"]
    assert f"location ~ {rosters} {{" in NGINX


@pytest.mark.parametrize(
    ("of_caddy", "of_nginx"),
    [
        ("read_header", "client_header_timeout"),
        ("read_body", "client_body_timeout"),
        ("write", "send_timeout"),
        ("dial_timeout", "proxy_connect_timeout"),
        ("response_header_timeout", "proxy_read_timeout"),
    ],
)
def test_the_proxies_have_the_same_time_outs(of_caddy, of_nginx):
    assert caddy(of_caddy) == nginx(of_nginx) != []


def test_the_proxies_end_idle_connections_before_the_site_does():
    visitors, site = caddy("idle"), caddy("keepalive")
    assert nginx("keepalive_timeout") == site + visitors == ["2m", "5m"]
    assert KEEP_ALIVE_SECONDS > 2 * 60


def test_nginx_passes_on_what_the_site_needs():
    headers = dict(line.split(" ", 1) for line in nginx("proxy_set_header"))
    assert headers == {
        "Connection": '""',
        "Host": "$http_host",
        "X-Forwarded-For": "$proxy_add_x_forwarded_for",
        "X-Forwarded-Proto": "$scheme",
    }


@needs["nginx"]
@needs["openssl"]
def test_nginx_accepts_its_file(tmp_path):
    names = {}
    for option, directive in (("-keyout", "ssl_certificate_key"), ("-out", "ssl_certificate")):
        names[option] = tmp_path / directive
    made = [part for option, path in names.items() for part in (option, path)]
    algorithm = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
    succeeds("openssl", "req", "-x509", "-nodes", *algorithm, "-subj", "/CN=a", *made)
    text = re.sub(r"(ssl_certificate\w*) .*;", rf"\1 {tmp_path}/\1;", NGINX)
    # Only root may bind ports below 1024, which nginx tries.
    text = re.sub(r"(listen (?:\[::\]:)?)(80|443)\b", r"\g<1>1\g<2>8", text)
    around = f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n"
    (tmp_path / "nginx.conf").write_text(f"{around}{text}\n}}\n")
    succeeds("nginx", "-t", "-p", tmp_path, "-c", tmp_path / "nginx.conf")


@needs["caddy"]
def test_caddy_accepts_its_file(monkeypatch, tmp_path):
    version = subprocess.run(["caddy", "version"], capture_output=True, text=True).stdout
    if (found := re.match(r"v?2\.(\d+)", version)) and int(found[1]) < 7:
        pytest.skip("Caddy is older than 2.7, which brought request_buffers.")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SITE_ADDRESS", "puzzles.school.example")
    succeeds("caddy", "validate", "--adapter", "caddyfile", "--config", ROOT / "Caddyfile")
