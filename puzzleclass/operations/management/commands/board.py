"""`manage.py board NAME`: make a board of education, choose its schools and administrators."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from puzzleclass.classes.school_models import Board, School
from puzzleclass.operations.management.commands.school import find_teacher


class Command(BaseCommand):
    help = (
        "Create the board of education if there is none of this name, put schools into it or take "
        "them out, add or remove administrators, and print the board as JSON. They administer all "
        "schools of the board."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        for option, value, what in (
            ("--administrator", "USERNAME", "add this teacher as an administrator"),
            ("--remove", "USERNAME", "remove this teacher as an administrator"),
            ("--school", "NAME", "put this school, which has no board yet, into the board"),
            ("--release", "NAME", "take this school out of the board"),
        ):
            parser.add_argument(
                option, action="append", default=[], metavar=value, help=f"{what}; may be repeated"
            )

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        name = " ".join(options["name"].split())
        if not 0 < len(name) <= (Board._meta.get_field("name").max_length or 0):
            raise CommandError("The name of a board has 1 to 100 characters.")
        board, _made = Board.objects.get_or_create(name=name)
        board.administrators.add(*map(find_teacher, options["administrator"]))
        board.administrators.remove(*map(find_teacher, options["remove"]))
        for school in options["school"]:
            _move(school, None, board)
        for school in options["release"]:
            _move(school, board, None)
        usernames = board.administrators.order_by("username").values_list("username", flat=True)
        answer = {
            "board": board.pk,
            "name": board.name,
            "schools": list(board.schools.values_list("name", flat=True)),
            "administrators": list(usernames),
        }
        self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2))


def _move(name: str, before: Board | None, board: Board | None) -> None:
    """Move the only school of this name from one board to another. Raises CommandError."""
    schools = School.objects.filter(name=name, board=before)
    if len(schools) != 1:
        where = f"of the board {before.name!r}" if before else "without a board"
        raise CommandError(f"There are {len(schools)} schools {where} of the name {name!r}.")
    schools.update(board=board)
