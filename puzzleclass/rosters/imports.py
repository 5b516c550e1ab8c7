"""Importing a roster: reading, planning and carrying out."""

from dataclasses import dataclass
from typing import IO

from django.db import IntegrityError

from puzzleclass.accounts.models import User
from puzzleclass.rosters.changes import carry_out
from puzzleclass.rosters.enrolments import plan_enrolments
from puzzleclass.rosters.faults import Faults
from puzzleclass.rosters.models import RosterImport
from puzzleclass.rosters.oneroster import OneRoster, check_references, read_zip
from puzzleclass.rosters.plan import Plan, plan_classes, plan_schools, plan_users
from puzzleclass.rosters.stored import Stored, load
from solvers.message import Message

FEW_LEAVERS = 20
"""So many people may leave at once without a question, however small the schools are."""


@dataclass(frozen=True, slots=True)
class Import:
    """A roster with the plan of its import, or with its faults."""

    plan: Plan
    faults: Faults
    is_stored: bool = False
    record: RosterImport | None = None
    """The record by which the import can be undone; None if it has changed nothing."""


def import_roster(
    file: IO[bytes],
    *,
    school: str = "",
    link: bool = False,
    dry_run: bool = False,
    many_leave: bool = False,
    by: User | None = None,
    file_name: str = "",
) -> Import:
    """Import the OneRoster ZIP; with `dry_run`, only plan it.

    Nothing is stored if there is a fault. With a school's name, only this school is imported. With
    `link`, accounts that are likely to be the same persons get the identifiers of the roster: those
    of teachers by their username or e-mail address, those of students by number and name. A roster
    that leaves out more than half of the people is refused without `many_leave`, because it is
    probably incomplete.
    """
    faults = Faults()
    roster = read_zip(file, faults)
    if faults.count:
        return Import(Plan(OneRoster(), Stored({}, {}, {}, {})), faults)
    plan = Plan(roster, load(roster.source))
    known = {"classes": plan.stored.classes.keys(), "users": plan.stored.users.keys()}
    check_references(roster, known, faults)
    if not faults.count:
        plan_schools(plan, school, faults)
        plan_classes(plan, faults)
        plan_users(plan, faults, link=link)
        plan_enrolments(plan, faults, link=link)
    leavers = len(plan.left_users)
    if not (faults.count or many_leave) and leavers > max(FEW_LEAVERS, len(plan.people)):
        too_many = Message(
            "{leavers} people would leave, and {people} would stay. If the file is complete, "
            "import it again with --many-leave.",
            {"leavers": leavers, "people": len(plan.people)},
        )
        faults.add("", 0, "", too_many)
    if faults.count or dry_run:
        return Import(plan, faults)
    try:
        record = carry_out(plan, by, file_name)
    except IntegrityError:
        changed = Message("Somebody has changed a class in the meantime. Import the file again.")
        faults.add("", 0, "", changed)
        return Import(plan, faults)
    return Import(plan, faults, is_stored=True, record=record)
