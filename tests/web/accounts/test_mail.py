"""E-mails over mail servers that end connections or refuse what is sent."""

import socketserver
from collections.abc import Iterator
from threading import Event, Thread

import pytest
from django.core.mail import EmailMessage

from puzzleclass.accounts import mail


class Session(socketserver.StreamRequestHandler):
    """A connection of a mail server that takes two messages and then ends it."""

    def handle(self) -> None:
        self.say("220 here")
        taken = 0
        while line := self.rfile.readline().decode().strip():
            word = line.upper()
            if word.startswith("MAIL") and taken == 2:
                self.say("421 that is enough")
                return
            if word.startswith("RCPT") and "nobody@" in line:
                self.say("550 no such person")
            elif word == "DATA":
                self.say("354 go on")
                text = b"".join(iter(self.rfile.readline, b".\r\n")).decode()
                self.server.taken.append(text.partition("To: ")[2].splitlines()[0])
                taken += 1
                self.say("250 taken")
            else:
                self.say("250 good")

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


class MailServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    taken: list[str]


@pytest.fixture
def server(settings) -> Iterator[MailServer]:
    with MailServer(("127.0.0.1", 0), Session) as server:
        server.taken = []
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        settings.EMAIL_HOST_USER, settings.EMAIL_USE_TLS = "", False
        yield server
        server.shutdown()


def letters_to(*names: str) -> dict[int, EmailMessage]:
    return {
        key: EmailMessage("Hello", "Text", "school@example.jp", [f"{name}@example.jp"])
        for key, name in enumerate(names)
    }


def test_all_messages_arrive_once_at_a_server_that_takes_two_in_a_connection(server):
    names = ["a", "b", "c", "d", "e"]
    lost, done = [], Event()
    mail.send_all(letters_to(*names, "nobody"), lambda keys: (lost.extend(keys), done.set()))
    assert done.wait(20)
    assert server.taken == [f"{name}@example.jp" for name in names]
    assert lost == [5]


def test_nothing_counts_as_sent_where_no_server_answers(server, settings):
    server.shutdown()
    server.server_close()
    lost, done = [], Event()
    mail.send_all(letters_to("a", "b"), lambda keys: (lost.extend(keys), done.set()))
    assert done.wait(20)
    assert lost == [0, 1]


def test_a_message_that_is_lost_is_told_to_its_sender(server):
    assert mail.deliver("a@example.jp", "Hello", "Text")
    assert not mail.deliver("nobody@example.jp", "Hello", "Text")
