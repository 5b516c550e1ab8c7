"""Requests to other servers: no machine behind the school's firewall, and bounded answers."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from puzzleclass.outbound import sessions
from puzzleclass.outbound.sessions import OutboundError, fault_of_address, may_connect, new_session
from puzzleclass.outbound.tasks import AT_ONCE, place_of
from tests.served import answering


@contextmanager
def server(answer, tls: ssl.SSLContext | None = None) -> Iterator[str]:
    """Start a server that answers each GET by `answer(handler)`; give its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def log_message(self, *args: object) -> None:
            pass

    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if tls:
        made.socket = tls.wrap_socket(made.socket, server_side=True)
    with answering(made):
        yield f"http{'s' if tls else ''}://127.0.0.1:{made.server_port}/"


def say(handler: BaseHTTPRequestHandler, content: bytes, status: int = 200, **headers: str) -> None:
    handler.send_response(status)
    for name, value in {"Content-Length": str(len(content)), **headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(content)


def test_an_answer_is_read_where_local_servers_are_allowed(settings):
    settings.LOCAL_SERVERS = True
    with server(lambda handler: say(handler, b'{"a": 1}')) as address:
        assert new_session().get(address).json() == {"a": 1}


def test_no_request_without_https(settings):
    with server(lambda handler: say(handler, b"{}")) as address, pytest.raises(OutboundError):
        new_session().get(address)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "169.254.169.254"])
def test_no_connection_to_a_private_address(host):
    with pytest.raises(OutboundError, match=r"private network|not known"):
        new_session().get(f"https://{host}:1/")


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("93.184.215.14", True),
        ("2606:2800:21f:cb07::1", True),
        *((each, False) for each in ("10.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1")),
        *((each, False) for each in ("0.0.0.0", "127.0.0.2", "169.254.169.254", "224.0.0.1")),
        *((each, False) for each in ("::", "::1", "fe80::1", "fc00::1", "ff02::1")),
        *((each, False) for each in ("::ffff:10.0.0.1", "2002:0a00:0001::", "64:ff9b::a00:1")),
    ],
)
def test_which_addresses_are_of_the_internet(address, allowed):
    assert may_connect(ip_address(address)) is allowed


REGISTRY = """
0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
192.0.0.0/29 192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24
192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
198.51.100.0/24 203.0.113.0/24 240.0.0.0/4 255.255.255.255/32 224.0.0.0/4
::1/128 ::/128 ::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64
100:0:0:1::/64 2001::/23 2001::/32 2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32
2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48
3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8
"""
"""IANA's registries of special addresses of IPv4 and IPv6, multicast, and what was withdrawn."""


@pytest.mark.parametrize("network", [ip_network(each) for each in REGISTRY.split()], ids=str)
def test_no_special_address_is_one_of_the_internet(network):
    middle = network[network.num_addresses // 2]
    assert not any(map(may_connect, (network[0], middle, network[-1])))


def test_addresses_beside_the_special_ones_are_of_the_internet():
    for address in ("9.255.255.255", "11.0.0.0", "172.32.0.0", "192.0.1.0", "223.255.255.255"):
        assert may_connect(ip_address(address))
    for address in ("2001:200::", "2003::", "2400::1", "2a00:1450:4001::1", "3ffe:ffff::"):
        assert may_connect(ip_address(address))


def test_a_redirect_is_checked_like_any_request(settings):
    settings.LOCAL_SERVERS = True
    places = {"/": "/again", "/again": "ftp://127.0.0.1/"}

    def lead(handler: BaseHTTPRequestHandler) -> None:
        say(handler, b"", 302, Location=places[handler.path])

    with server(lead) as address:
        with pytest.raises(OutboundError, match="ftp"):
            new_session().get(address)
        places["/again"] = "/"
        with pytest.raises(OutboundError, match="redirects"):
            new_session().get(address)


def test_an_answer_without_end_is_given_up(settings, monkeypatch):
    settings.LOCAL_SERVERS = True
    monkeypatch.setattr(sessions, "MAX_ANSWER_BYTES", 1000)
    with (
        server(lambda handler: say(handler, b"x" * 50_000)) as address,
        pytest.raises(OutboundError, match="too long"),
    ):
        new_session().get(address)


def test_a_silent_server_is_given_up(settings, monkeypatch):
    settings.LOCAL_SERVERS = True
    monkeypatch.setattr(sessions, "READ_SECONDS", 0.1)
    ended = threading.Event()
    with server(lambda handler: ended.wait(10)) as address:
        with pytest.raises(OutboundError, match="timed out"):
            new_session().get(address)
        ended.set()


@pytest.fixture
def names(monkeypatch) -> dict[str, list[str]]:
    """Provide the names that can be looked up; a test adds them with their addresses."""
    known: dict[str, list[str]] = {}
    look_up = socket.getaddrinfo

    def found(host, port, *args, **options):
        return [
            entry
            for address in known.get(host, [host])
            for entry in look_up(address, port, *args, **options)
        ]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    return known


def test_a_server_is_reached_at_any_of_its_addresses_and_hears_its_own_name(settings, names):
    settings.LOCAL_SERVERS = True
    names |= {"first.example": ["127.0.0.2", "127.0.0.1"], "second.example": ["127.0.0.1"]}
    heard = []

    def lead(handler: BaseHTTPRequestHandler) -> None:
        heard.append(handler.headers["Host"])
        there = f"http://second.example:{handler.server.server_port}/end"
        say(handler, b"", 200 if handler.path == "/end" else 302, Location=there)

    with server(lead) as address:
        port = address.rpartition(":")[2]
        assert new_session().get(f"http://first.example:{port}").ok
    assert heard == [f"{name}.example:{port.strip('/')}" for name in ("first", "second")]


@pytest.fixture
def certificate(tmp_path) -> Path:
    """Return the file of a certificate for platform.example, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "platform.example")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("platform.example")]), False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "platform.pem"
    path.write_bytes(
        made.public_bytes(Encoding.PEM)
        + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    return path


def test_the_certificate_has_to_fit_the_name_and_not_the_address(settings, names, certificate):
    settings.LOCAL_SERVERS = True
    names |= {"platform.example": ["127.0.0.1"], "other.example": ["127.0.0.1"]}
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with server(lambda each: say(each, b"{}"), tls) as address:
        port = address.rpartition(":")[2]
        session = new_session()
        session.verify = str(certificate)
        assert session.get(f"https://platform.example:{port}").json() == {}
        for host in ("other.example", "127.0.0.1"):
            with pytest.raises(OutboundError, match=r"[Cc]ertificate|mismatch"):
                session.get(f"https://{host}:{port}")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "platform",
        "https://",
        "https://a b/",
        "https://[/",
        "https://a:0/",
        "https://a:x/",
        "https://日本/",
        "http://platform.example/",
        "ftp://platform.example/",
        "https://user@platform.example/",
        "https://platform.example/#part",
        "https://platform.example/" + "a" * 500,
    ],
)
def test_what_is_no_address_of_a_server(address):
    assert fault_of_address(address)


def test_what_is_an_address_of_a_server(settings):
    assert fault_of_address("https://platform.example:8443/path?query=1") is None
    settings.LOCAL_SERVERS = True
    assert fault_of_address("http://localhost:8000/") is None


# Behind a proxy


@contextmanager
def proxy() -> Iterator[tuple[str, list[str]]]:
    """Start a proxy that reaches nothing; give its address, and the places it is asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_CONNECT(self) -> None:
            asked.append(self.path)
            say(self, b"", 502)

        def log_message(self, *args: object) -> None:
            pass

    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with answering(made):
        yield f"http://127.0.0.1:{made.server_port}", asked


def test_requests_leave_by_the_proxy_of_the_settings(settings):
    with proxy() as (address, asked):
        settings.HTTPS_PROXY = address
        with pytest.raises(OutboundError, match="502"):
            new_session().get("https://platform.invalid/keys")
    assert asked == ["platform.invalid:443"]


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "10.0.0.1", "[::1]", "169.254.169.254", "[::ffff:10.0.0.1]", "192.168.1.1"),
        *("localhost", "fileserver", "printer.local", "metadata.google.internal", "nas.lan"),
    ],
)
def test_a_proxy_is_not_asked_for_the_schools_own_network(host, settings):
    with proxy() as (address, asked):
        settings.HTTPS_PROXY = address
        with pytest.raises(OutboundError, match="private network"):
            new_session().get(f"https://{host}/")
    assert asked == []


def test_a_name_that_leads_here_to_a_private_network_is_not_asked_of_a_proxy(settings, monkeypatch):
    def found(host, port, **options):
        return [(2, 1, 6, "", ("93.184.215.14", port)), (2, 1, 6, "", ("10.0.0.1", port))]

    with proxy() as (address, asked):
        settings.HTTPS_PROXY = address
        with monkeypatch.context() as patched:
            patched.setattr(sessions.socket, "getaddrinfo", found)
            with pytest.raises(OutboundError, match="private network"):
                new_session().get("https://rebound.example/")
    assert asked == []


def test_hosts_of_no_proxy_are_reached_directly_and_checked(settings):
    with proxy() as (address, asked):
        settings.HTTPS_PROXY = address
        settings.NO_PROXY = "localhost,.school.invalid"
        with pytest.raises(OutboundError, match="private network"):
            new_session().get("https://localhost/")
        with pytest.raises(OutboundError, match=r"resolve|not known|resolution"):
            new_session().get("https://platform.school.invalid/")
    assert asked == []


def test_local_servers_without_https_need_no_proxy(settings):
    settings.LOCAL_SERVERS = True
    with proxy() as (address, asked), server(lambda each: say(each, b"{}")) as here:
        settings.HTTPS_PROXY = address
        assert new_session().get(here).json() == {}
    assert asked == []


# The queue for it


def test_a_third_task_waits_until_another_has_heard_from_its_server():
    class Again(Exception):
        pass

    class Task:
        def retry(self, countdown, max_retries):
            return Again(countdown, max_retries)

    with ExitStack() as busy:
        for _ in range(AT_ONCE):
            busy.enter_context(place_of(Task()))
        with pytest.raises(Again), place_of(Task()):
            pass
    with place_of(Task()):
        pass
