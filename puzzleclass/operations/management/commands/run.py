"""`manage.py run`: run the whole site on one machine until Ctrl-C."""

import os
import socket
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.checks import Tags
from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader

from puzzleclass.address import ADDRESS_FILE
from puzzleclass.demo.school import is_local, sign_ins
from puzzleclass.launcher.installation import (
    AlreadyRunning,
    collect_static_files,
    forget_metrics,
    listen,
    lock_folder,
    run_apart,
)
from puzzleclass.launcher.one_process import serve_alone
from puzzleclass.launcher.programs import (
    redis_answers,
    redis_program,
    web_answers,
    web_programs,
    worker_program,
)
from puzzleclass.launcher.supervisor import Program, Supervisor, let_signals_interrupt
from puzzleclass.launcher.times import timed
from puzzleclass.launcher.waiting import Part, Visitors, answering
from puzzleclass.operations.env import env
from puzzleclass.operations.schema import has_pending_migrations
from solvers.memory import VARIABLE

READY_SECONDS = 60
BROKEN_OFF = "Interrupted; the next start continues from here."
ALL_INTERFACES = ("0.0.0.0", "::", "")


class Command(BaseCommand):
    help = "Run the site on this machine: database, Redis, workers and web server."
    requires_migrations_checks = False

    visitors = Visitors(has_demo=False)
    """What those are told who come before the web processes answer."""
    answers: ExitStack
    """What tells them."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=env.str("HOST", "127.0.0.1"))
        parser.add_argument("--port", type=int, default=env.int("PORT", 8000))
        parser.add_argument(
            "--no-demo", action="store_true", help="leave an empty database without demo data"
        )
        parser.add_argument(
            "--demo-language", choices=["ja", "en"], default="ja", help="of the demo's names"
        )

    def handle(
        self, *, host: str, port: int, no_demo: bool, demo_language: str, **options: object
    ) -> None:
        self.demo_language = demo_language
        let_signals_interrupt()
        try:
            self.run(host, port, no_demo)
        except KeyboardInterrupt:
            raise CommandError(BROKEN_OFF) from None

    def run(self, host: str, port: int, no_demo: bool) -> None:
        """Prepare the site and serve it until asked to end."""
        try:
            lock = lock_folder(settings.VAR_DIR)
        except AlreadyRunning as running:
            raise CommandError(
                f"PuzzleClass already runs from this folder (process {running})."
            ) from None
        except OSError as error:
            raise CommandError(f"No permission to write in {settings.VAR_DIR}: {error}") from None
        try:
            listening = listen(host, port, settings.WEB_PROCESSES)
        except (OSError, ValueError) as error:
            raise CommandError(
                f"{host}:{port} can't be used: {error}. "
                "Is something else there? Try another port: make run PORT=8001"
            ) from None
        with lock, ExitStack() as stack:
            descriptors = [stack.enter_context(each).fileno() for each in listening]
            is_open = not is_local(host)
            with_demo = not (no_demo or is_open)
            self.visitors = Visitors(with_demo)
            self.answers = stack.enter_context(ExitStack())
            self.answers.enter_context(answering(listening, self.visitors))
            try:
                self.prepare()
            except (DatabaseError, OSError) as error:
                raise CommandError(f"The data can't be prepared: {error}") from None
            address = f"http://{_browser_host(host)}:{port}/"
            if is_open and sign_ins():
                raise CommandError(
                    "The demo school is in this database, and everybody knows its password: it is "
                    f"not shown on {host} to others. Another folder begins without it: VAR_DIR=..."
                )
            ADDRESS_FILE.write_text(address.rstrip("/"))
            if settings.ONE_PROCESS:
                self.serve_in_one_process(listening[0], address, with_demo)
            else:
                self.serve(descriptors, address, with_demo)

    def prepare(self) -> None:
        """Bring the database and the static files up to date. Raises CommandError when that is
        impossible."""
        with self.part(Part.DATABASE):
            self.check(tags=[Tags.database], databases=["default"])
            if has_pending_migrations(MigrationLoader(connection)):
                self.say("Preparing the database ...")
                # The checks of the command have just been made.
                errors = run_apart("migrate", "--no-input", "--verbosity", "0", "--skip-checks")
                if errors:
                    self.say(errors.rstrip())
        forget_metrics()
        with self.part(Part.STATIC_FILES):
            if collect_static_files():
                self.say("Static files collected.")

    @contextmanager
    def part(self, part: Part) -> Iterator[None]:
        """Tell visitors that the part is being prepared, and print its time if that is asked."""
        self.visitors.now = part
        with timed(part):
            yield

    def serve(self, listening: list[int], address: str, with_demo: bool) -> None:
        """Start the programs, print the site's address, and end the programs when asked to."""
        supervisor = Supervisor(self.say)
        site: list[Program] = []
        try:
            if not os.environ.get("REDIS_URL"):
                supervisor.add(redis_program(settings.REDIS_SOCKET, settings.VAR_DIR / "redis"))
                supervisor.wait_until(lambda: redis_answers(settings.REDIS_URL), READY_SECONDS)
            # The demo needs Redis, because its lessons leave questions for the workers.
            with supervisor.interruptible(), self.part(Part.DEMO):
                self.make_demo_if_empty(with_demo)
            sign_in_lines = sign_ins()
            if settings.IS_SMALL:
                os.environ.setdefault(VARIABLE, str(settings.MEMORY_MB // 3))
            # The children must not share our connection, and it is not needed from here on.
            connection.close()
            site = [*web_programs(listening), worker_program()]
            with self.part(Part.PAGES):
                self.answers.close()
                for program in site[:-1]:
                    supervisor.add(program)
                is_up = supervisor.wait_until(lambda: web_answers(address), READY_SECONDS)
            # The worker starts last, because it may compile the solvers on all cores.
            supervisor.add(site[-1])
            if is_up:
                self.announce(address, sign_in_lines)
            while not supervisor.asked_to_stop:
                supervisor.watch(60)
        except OSError as error:
            raise CommandError(f"A program can't be started: {error}") from None
        except KeyboardInterrupt:
            self.say(BROKEN_OFF)
        finally:
            self.say("Ending ...")
            # Redis ends last, because the workers hand their jobs back through it.
            supervisor.end(site)
            supervisor.end(seconds=1)

    def serve_in_one_process(self, listening: socket.socket, address: str, with_demo: bool) -> None:
        """Do everything in this process until asked to end."""
        with self.part(Part.DEMO):
            self.make_demo_if_empty(with_demo)
        os.environ.setdefault(VARIABLE, str(settings.MEMORY_MB // 3))
        self.answers.close()
        # The socket listens already, so that the first visitors wait for the server.
        self.announce(address, sign_ins())
        connection.close()
        serve_alone(listening)
        self.say("Ended.")

    def make_demo_if_empty(self, with_demo: bool) -> None:
        """Create the demo school if it is wanted and nobody has an account."""
        if with_demo and not get_user_model().objects.exists():
            self.say("Making the demo classes; they play through their first puzzles ...")
            run_apart("demo", "--language", self.demo_language)

    def announce(self, address: str, sign_in_lines: list[str]) -> None:
        """Print the address of the site and the sign-ins of its demo school."""
        self.say(f"\nPuzzleClass is at {settings.PUBLIC_URL or address}")
        for line in sign_in_lines:
            self.say(f"  {line}")
        self.say("Ctrl-C ends it.")

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _browser_host(host: str) -> str:
    """Return the host by which a browser on this machine reaches the site."""
    if host in ALL_INTERFACES:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
