"""`manage.py retention [--dry-run]`: delete what schools' rules delete, or say what they would."""

import json
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from puzzleclass.classes.school_models import School
from puzzleclass.rosters.retention import HAS_RULES, Deletion, delete_due, deletions


class Command(BaseCommand):
    help = (
        "Delete what is due by the rules of the schools now, as it is done every night, and print "
        "it as JSON."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--school", metavar="NAME", help="only this school")
        parser.add_argument("--dry-run", action="store_true", help="delete nothing")
        parser.add_argument(
            "--days",
            type=int,
            default=0,
            help="with --dry-run, also what is due within so many days",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        schools = School.objects.filter(HAS_RULES)
        if options["school"]:
            schools = schools.filter(name=options["school"])
            if not schools:
                raise CommandError("No school of this name has a rule that deletes anything.")
        if options["days"] and not options["dry_run"]:
            raise CommandError("--days needs --dry-run: nothing is deleted before its day.")
        until = timezone.now() + timedelta(days=options["days"])
        found = [_line(each) for each in deletions(schools, until)]
        if not options["dry_run"]:
            for _number in delete_due(schools):
                pass
        answer = {"deleted": not options["dry_run"], "deletions": found}
        self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2))


def _line(each: Deletion) -> dict[str, object]:
    """Return a deletion as the command prints it."""
    school = each.classroom.school
    return {
        "day": timezone.localdate(each.at).isoformat(),
        "school": school.name if school else None,
        "class": each.classroom.name,
        "what": "leavers" if each.leavers else "class",
        "students": each.students,
        "names": [enrolment.student.name for enrolment in each.leavers],
    }
