"""Importing a roster: reading, planning and carrying out."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import IO

from django.db import IntegrityError

from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import Board, Owner
from puzzleclass.rosters.adoption import adopt_classes
from puzzleclass.rosters.changes import carry_out
from puzzleclass.rosters.claims import Claims, Decisions
from puzzleclass.rosters.consent import consent_for
from puzzleclass.rosters.enrolments import plan_enrolments
from puzzleclass.rosters.faults import Faults
from puzzleclass.rosters.likeness import MOST_PERCENT, Likeness, are_many
from puzzleclass.rosters.models import RosterImport
from puzzleclass.rosters.oneroster import OneRoster, check_references, read_zip
from puzzleclass.rosters.people import plan_users
from puzzleclass.rosters.plan import Change, Plan, plan_classes, plan_schools
from puzzleclass.rosters.schools import find_schools, keys_of_schools
from puzzleclass.rosters.stored import Stored, load
from puzzleclass.rosters.tables import Mode, file_of
from solvers.message import Message


class Stage(Enum):
    """A part of the work of an import."""

    READ = "reading"
    COMPARE = "comparing"
    STORE = "storing"


CLAIMED = Message(
    "So far, only schools have imported some of these students and classes. Say whether they are "
    "the same ones."
)


@dataclass(frozen=True, slots=True)
class Import:
    """A roster with the plan of its import, or with its faults."""

    plan: Plan
    """The plan. If the roster can't be read, it is empty."""
    faults: Faults
    is_stored: bool = False
    asks_about_claims: bool = False
    """Whether the only fault is that nobody has said whether the rows of schools are right."""
    asks_about_likeness: bool = False
    """Whether the only fault is that nobody has said whether other identifiers mean the same."""
    asks_about_many_changes: bool = False
    """Whether the only fault is that so many people would leave, come or change."""
    record: RosterImport | None = None
    """The record by which the import can be undone; None if it has changed nothing."""


def import_roster(
    file: IO[bytes],
    *,
    school: str = "",
    target: Owner | None = None,
    link: bool = False,
    teachers: Iterable[str] = (),
    dry_run: bool = False,
    many_changes: bool = False,
    decisions: Decisions | None = None,
    by: User | None = None,
    file_name: str = "",
    at: Callable[[Stage], None] = lambda stage: None,
) -> Import:
    """Import the OneRoster ZIP; with `dry_run`, only plan it.

    Nothing is stored if there is a fault. With a `target`, only this school, or this board
    with all its schools, is imported, and only its rows may change. Without one, the import is the
    operator's: it is about all schools of the roster, or the one of the name `school`. With `link`,
    accounts that are likely to be the same persons get the identifiers of the roster: those of
    teachers by their username or e-mail address, those of students by number and name. The
    operator's import links only the `teachers`
    with these usernames. A roster that leaves out more than `MOST_PERCENT` of the people of
    a school, or of the entries of its class lists, is refused without `many_changes`, because it is
    probably incomplete; so is one in which as many people are new or changed, because its
    identifiers probably mean others. What only a school has written, the import of a board or of
    the operator uses as the `decisions` say, and asks for them, also when the source has given
    other identifiers to what looks the same. `at` is called at the beginning of each stage.
    """
    faults = Faults()
    at(Stage.READ)
    roster = read_zip(file, faults)
    if not roster.modes:
        return Import(Plan(OneRoster(), Stored()), faults)
    at(Stage.COMPARE)
    consent = consent_for(target, roster.source, by, teachers)
    board = target if isinstance(target, Board) else None
    plan = Plan(roster, Stored(), board=board, consent=consent)
    plan.target = target if not isinstance(target, Board) else None
    said = replace(decisions or Decisions(), usernames=consent.named or ())
    plan.stored.claims = Claims(board, said)
    plan.stored.likeness = Likeness(said.identifiers, plan.target, board)
    no_school = find_schools(plan, school)
    load(plan.stored, roster, keys_of_schools(plan), everywhere=plan.target is None, board=board)
    known = {"classes": plan.stored.classes.keys(), "users": plan.stored.users.keys()}
    check_references(roster, known, faults)
    if no_school and not faults.count:
        faults.add(file_of("orgs"), 0, "name", no_school)
    if not faults.count and (question := plan.stored.likeness.question):
        faults.add("", 0, "", question)
        return Import(plan, faults, asks_about_likeness=True)
    if not faults.count and plan.stored.claims.undecided:
        faults.add("", 0, "", CLAIMED)
        return Import(plan, faults, asks_about_claims=True)
    if not faults.count:
        plan_schools(plan, all_schools=not school and plan.target is None)
        plan_classes(plan, faults)
        plan_users(plan, faults, link=link)
        adopt_classes(plan)
        plan_enrolments(plan, faults, link=link)
    if not (faults.count or many_changes) and (too_many := _changes_too_much(plan)):
        faults.add("", 0, "", too_many)
        return Import(plan, faults, asks_about_many_changes=True)
    if faults.count or dry_run:
        return Import(plan, faults)
    at(Stage.STORE)
    try:
        record = carry_out(plan, by, file_name)
    except IntegrityError:
        changed = Message("Somebody has changed a class in the meantime. Import the file again.")
        faults.add("", 0, "", changed)
        return Import(plan, faults)
    return Import(plan, faults, is_stored=True, record=record)


def _changes_too_much(plan: Plan) -> Message | None:
    """Return the question whether the roster is right that changes so much."""
    return _too_many_leave(plan) or _too_many_come(plan)


def _too_many_come(plan: Plan) -> Message | None:
    """Return the question whether so many people are new, have other names, or change schools.

    A system that gives new identifiers to everybody would otherwise double all schools.
    """
    present = sum(each.left_at is None for each in plan.stored.users.values())
    changes = plan.changes["users"]
    if are_many(changes[Change.NEW], present):
        return Message(
            "{new} people would be new, beside the {people} of earlier imports. If the source has "
            "given new identifiers to the same people, they would all be there twice: have the "
            "source keep its identifiers. Confirm the file only if all of them really are new.",
            {"new": changes[Change.NEW], "people": present},
        )
    renamed = len(plan.students.keys() & plan.stored.users.keys())
    if are_many(others := renamed + changes[Change.MOVED], present):
        return Message(
            "{changed} of {people} people would get another name or another school. If the source "
            "has given the identifiers to other people, their work would be mixed up. Confirm the "
            "file only if these are the same people.",
            {"changed": others, "people": present},
        )
    return None


def _too_many_leave(plan: Plan) -> Message | None:
    """Return the question whether so many people leave a school, or its classes that go on."""
    people = {(each.source.school_id, each.user_id) for each in plan.stored.users.values()
              if each.left_at is None}  # fmt: skip
    gone = plan.leavers
    if many := _most_of_a_school(people, [each for each in people if each[1] in gone]):
        return Message(
            "{leavers} of the {people} people of a school would leave it. If the file is "
            "complete, confirm that so many people leave.",
            many,
        )
    if plan.roster.mode("enrollments") is not Mode.BULK:
        return None
    over = {each.classroom_id for each in plan.left_classes}
    entries = {
        (each.source.school_id, each.enrolment.pk)
        for each in plan.stored.enrolments.values()
        if each.left_at is None and each.enrolment and each.enrolment.classroom_id not in over
    }
    left = {each.enrolment.pk for each in plan.left_enrolments if each.enrolment}
    if many := _most_of_a_school(entries, [each for each in entries if each[1] in left]):
        return Message(
            "{leavers} of the {people} students on the class lists of a school would leave their "
            "classes. If the file is complete, confirm that so many students leave.",
            many,
        )
    return None


def _most_of_a_school(
    before: Collection[tuple[int, int]], left: Iterable[tuple[int, int]]
) -> dict[str, int] | None:
    """Return the numbers of the first school that loses too many; None if there is none.

    Both hold pairs of a school and somebody or something in it.
    """
    people = Counter(school for school, _ in before)
    for school, leavers in Counter(school for school, _ in left).items():
        if leavers > 1 and leavers * 100 > people[school] * MOST_PERCENT:
            return {"leavers": leavers, "people": people[school]}
    return None
