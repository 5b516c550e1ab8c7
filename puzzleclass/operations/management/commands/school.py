"""`manage.py school NAME`: create a school, and choose its administrators."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import Board, School
from puzzleclass.database.bin import KEPT
from puzzleclass.rosters.school_deletion import move_school_to_bin, restore_schools


class Command(BaseCommand):
    help = (
        "Create the school if there is none of this name, add or remove administrators, and print "
        "the school as JSON. Administrators import rosters on the page of the school."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument(
            "--board", default="", metavar="NAME", help="the board of education of the school"
        )
        for option, what in (("--administrator", "add"), ("--remove", "remove")):
            parser.add_argument(
                option,
                action="append",
                default=[],
                metavar="USERNAME",
                help=f"{what} this teacher as an administrator; may be repeated",
            )

        bin = parser.add_mutually_exclusive_group()
        bin.add_argument(
            "--delete", action="store_true", help="move the school to the bin with its classes"
        )
        bin.add_argument("--restore", action="store_true", help="restore it from the bin")

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        name = " ".join(options["name"].split())
        if not 0 < len(name) <= (School._meta.get_field("name").max_length or 0):
            raise CommandError("The name of a school has 1 to 100 characters.")
        if options["delete"] or options["restore"]:
            self._move(name, is_deleted=options["delete"])
            return
        board = find_board(options["board"])
        schools = School.objects.filter(name=name, board=board)[:2]
        if len(schools) > 1:
            raise CommandError("Several schools have this name.")
        elsewhere = School.objects.filter(name=name).exclude(board=None).first()
        if not schools and elsewhere and board is None:
            raise CommandError(f"The school belongs to a board: --board {elsewhere.board}")
        school = schools[0] if schools else School.objects.create(name=name, board=board)
        school.administrators.add(*map(find_teacher, options["administrator"]))
        school.administrators.remove(*map(find_teacher, options["remove"]))
        usernames = school.administrators.order_by("username").values_list("username", flat=True)
        answer = {
            "school": school.pk,
            "name": school.name,
            "board": board.name if board else None,
            "administrators": list(usernames),
        }
        self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2))

    def _move(self, name: str, is_deleted: bool) -> None:
        """Move the school to the bin or out of it, and print when it is deleted for good."""
        rows = School.every.filter(name=name, deleted_at__isnull=is_deleted)
        if rows.count() != 1:
            raise CommandError("Not exactly one such school has this name.")
        school = rows.get()
        if is_deleted:
            move_school_to_bin(school)
        else:
            restore_schools(rows)
        gone = timezone.localdate() + KEPT if is_deleted else None
        answer = {"school": school.pk, "name": name, "gone_on": gone and gone.isoformat()}
        self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2))


def find_teacher(username: str) -> User:
    """Return the teacher with the username. Raises CommandError."""
    teacher = User.objects.filter(username=username, role=User.Role.TEACHER).first()
    if teacher is None:
        raise CommandError(f"No teacher has the username {username!r}.")
    return teacher


def find_board(name: str) -> Board | None:
    """Return the board with the name; None for an empty one. Raises CommandError."""
    board = Board.objects.filter(name=name).first() if name else None
    if name and board is None:
        raise CommandError(f"There is no board of the name {name!r}.")
    return board
