"""`manage.py roster`: import a school's class lists from a OneRoster ZIP, or undo an import."""

import json
import shutil
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import School
from puzzleclass.language.reader import say
from puzzleclass.operations.management.commands.doctor import terminal_language
from puzzleclass.operations.management.commands.school import find_board
from puzzleclass.rosters.claims import Decisions
from puzzleclass.rosters.export import NothingImported, write_roster
from puzzleclass.rosters.faults import Faults
from puzzleclass.rosters.imports import Import, import_roster
from puzzleclass.rosters.likeness import OTHERS, SAME
from puzzleclass.rosters.models import RosterImport
from puzzleclass.rosters.oneroster import OneRoster
from puzzleclass.rosters.plan import Change, Plan
from puzzleclass.rosters.stored import Stored
from puzzleclass.rosters.undo import CannotUndo, undo_import
from solvers.message import Message


class Command(BaseCommand):
    help = (
        "Import schools, classes, students and teachers from a OneRoster ZIP, and print what "
        "changes as JSON. Exit code 1: the file has errors, and nothing was stored."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("file", type=Path, nargs="?", help="- is standard input")
        what.add_argument(
            "--undo",
            type=int,
            nargs="?",
            const=0,
            metavar="IMPORT",
            help="undo the import with this number, or the latest one",
        )
        what.add_argument(
            "--export",
            type=Path,
            metavar="FILE",
            help="write the roster of the school that --school names as a OneRoster ZIP",
        )
        parser.add_argument("--school", default="", help="import only the school of this name")
        parser.add_argument(
            "--board",
            default="",
            metavar="NAME",
            help="import all schools of the roster for this board of education, and change no "
            "others; teachers are asked as in an import on the board's own page",
        )
        parser.add_argument("--dry-run", action="store_true", help="store nothing")
        parser.add_argument(
            "--link",
            action="store_true",
            help="confirm that students entered by hand with the same number and name are the "
            "same persons",
        )
        parser.add_argument(
            "--teacher",
            action="append",
            default=[],
            metavar="USERNAME",
            help="confirm that the teacher with this username, whom the answer names under "
            "“not_linked”, is the person of the roster, and that the teacher's own classes of the "
            "same name are those of the roster; once for each teacher",
        )
        parser.add_argument(
            "--identifiers",
            choices=(SAME, OTHERS),
            default="",
            help="whether what has got other identifiers is the same as before",
        )
        parser.add_argument(
            "--many-changes",
            action="store_true",
            help="confirm that the file is right although many people leave, are new or change",
        )
        parser.add_argument(
            "--take-over",
            action="store_true",
            help="confirm that students and classes that only their schools have imported so far "
            "are those of the roster",
        )
        parser.add_argument(
            "--language", choices=dict(settings.LANGUAGES), help="else that of the terminal"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override(options["language"] or terminal_language()):
            if options["export"]:
                self._export(options["export"], options["school"])
                return
            if options["undo"] is not None:
                self._undo(options["undo"], options["school"])
                return
            path: Path = options["file"]
            check_teachers(options["teacher"])
            board = find_board(options["board"])
            if board and (options["school"] or options["teacher"]):
                raise CommandError("--board takes neither --school nor --teacher.")
            try:
                file = opened(path)
            except OSError as error:
                done = unreadable(error)
            else:
                with file:
                    done = import_roster(
                        file,
                        school=options["school"],
                        target=board,
                        link=options["link"],
                        teachers=options["teacher"],
                        dry_run=options["dry_run"],
                        many_changes=options["many_changes"],
                        decisions=Decisions(
                            takes_all=options["take_over"], identifiers=options["identifiers"]
                        ),
                        file_name=path.name,
                    )
            self.stdout.write(json.dumps(report(done, path.name), ensure_ascii=False, indent=2))
        if done.faults.count:
            sys.exit(1)

    def _export(self, path: Path, name: str) -> None:
        schools = School.objects.filter(name=name)[:2]
        if len(schools) != 1:
            raise CommandError("Name one school with --school.")
        try:
            with path.open("xb") as file:
                rows = write_roster(schools[0], file)
        except NothingImported:
            path.unlink()
            raise CommandError("Nothing has been imported for this school.") from None
        except OSError as error:
            raise CommandError(f"The file can't be written. {error}") from error
        self.stdout.write(json.dumps({"school": name, **rows}, ensure_ascii=False, indent=2))

    def _undo(self, pk: int, school: str) -> None:
        imports = RosterImport.objects.filter(**({"pk": pk} if pk else {"undone_at": None}))
        if school:
            imports = imports.filter(schools__name=school)
        record, reasons = imports.first(), [Message("There is no such import.")]
        if record:
            try:
                undo_import(record)
                reasons = []
            except CannotUndo as error:
                reasons = list(error.reasons)
        answer = {
            "import": record.pk if record else None,
            "made_at": record.made_at.isoformat() if record else None,
            "source": record.source if record else None,
            "undone": not reasons,
            "errors": [{"message": say(reason)} for reason in reasons],
        }
        self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2))
        if reasons:
            sys.exit(1)


def opened(path: Path) -> IO[bytes]:
    """Return the file, or for `-` what comes from standard input. One can go back in it, as a ZIP
    needs."""
    if str(path) != "-":
        return path.open("rb")
    file = TemporaryFile()  # noqa: SIM115  # The caller closes it.
    shutil.copyfileobj(sys.stdin.buffer, file)
    file.seek(0)
    return file


def check_teachers(usernames: list[str]) -> None:
    """Refuse usernames that no teacher has, which are probably misspelt."""
    teachers = User.objects.filter(role=User.Role.TEACHER, is_active=True)
    known = set(teachers.filter(username__in=usernames).values_list("username", flat=True))
    if unknown := [each for each in usernames if each not in known]:
        raise CommandError(f"No teacher has this username: {', '.join(unknown)}")


def unreadable(error: OSError) -> Import:
    """Return the outcome of an import whose file can't be read."""
    if isinstance(error, IsADirectoryError):
        reason = Message("This is a folder. Name the ZIP file.")
    elif isinstance(error, FileNotFoundError):
        reason = Message("There is no such file.")
    else:
        reason = Message("The file can't be read ({type}).", {"type": error.strerror or ""})
    faults = Faults()
    faults.add("", 0, "", reason)
    return Import(Plan(OneRoster(), Stored()), faults)


def report(done: Import, file_name: str) -> dict[str, object]:
    """Return the JSON that describes an import, in the active language.

    An error of the ZIP as a whole has the name of the ZIP.
    """
    option = " (--many-changes)" if done.asks_about_many_changes else ""
    option = " (--take-over)" if done.asks_about_claims else option
    option = f" (--identifiers {SAME}|{OTHERS})" if done.asks_about_likeness else option
    return {
        "source": done.plan.roster.source,
        "stored": done.is_stored,
        "import": done.record.pk if done.record else None,
        **{
            table: {change.value: counts[change] for change in Change}
            for table, counts in done.plan.changes.items()
        },
        "linked": [
            {
                "sourcedId": sourced_id,
                "name": account.name,
                "account": None if account.is_student else account.username,
            }
            for sourced_id, account in done.plan.linked.items()
        ],
        "not_linked": [
            {
                "line": each.line,
                "sourcedId": each.sourced_id,
                "name": each.name,
                "account": each.account.username if each.account else None,
            }
            for each in done.plan.unlinked
        ],
        "error_count": done.faults.count,
        "errors": [
            {
                "file": fault.file or file_name,
                "line": fault.line,
                "column": fault.column,
                "message": say(fault.message) + option,
            }
            for fault in done.faults.first
        ],
    }
