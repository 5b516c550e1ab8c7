"""`manage.py serve`: run the web processes alone, where database, Redis and workers run
elsewhere."""

from argparse import ArgumentParser
from contextlib import ExitStack

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from puzzleclass.launcher.installation import forget_metrics, listen
from puzzleclass.launcher.programs import web_programs
from puzzleclass.launcher.supervisor import Supervisor
from puzzleclass.operations.env import env
from puzzleclass.static_files import keep_static_files


class Command(BaseCommand):
    help = "Serve the pages: WEB_PROCESSES processes on one port, started again when they die."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=env.str("HOST", "127.0.0.1"))
        parser.add_argument("--port", type=int, default=env.int("PORT", 8000))

    def handle(self, *, host: str, port: int, **options: object) -> None:
        try:
            listening = listen(host, port, settings.WEB_PROCESSES)
        except (OSError, ValueError) as error:
            raise CommandError(f"{host}:{port} can't be used: {error}.") from None
        forget_metrics()
        try:
            keep_static_files()
        except OSError as error:
            self.stderr.write(f"The static files can't be kept for the next release: {error}")
        with ExitStack() as stack:
            descriptors = [stack.enter_context(each).fileno() for each in listening]
            supervisor = Supervisor(self.stdout.write)
            try:
                for program in web_programs(descriptors):
                    supervisor.add(program)
                while not supervisor.asked_to_stop:
                    supervisor.watch(60)
            finally:
                supervisor.end()
