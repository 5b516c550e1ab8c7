"""The part of a plan about people: who is in which school, and whose account is whose."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from puzzleclass.accounts.models import User
from puzzleclass.rosters.consent import Ask
from puzzleclass.rosters.faults import Faults
from puzzleclass.rosters.models import RosterRequest, UserId
from puzzleclass.rosters.oneroster import UserRow
from puzzleclass.rosters.plan import Change, Person, Plan, Unlinked, gone, renamed, schools_by_key
from puzzleclass.rosters.tables import Mode, file_of
from solvers.message import Message


def plan_users(plan: Plan, faults: Faults, *, link: bool) -> None:
    """Plan the people of the schools.

    With `link`, a teacher's only account with the same username or e-mail address is linked, if its
    owner belongs to the school or has agreed. The operator's import links those whom it names.
    """
    rows, known = plan.roster.users, plan.stored.users
    school_of = schools_by_key(plan.stored)
    roles, schools = _from_enrolments(plan)
    further: dict[str, set[str]] = {}
    accounts = _Accounts(known.values())
    claimed = plan.stored.claims.open_teachers
    for sourced_id, row in rows.items():
        old = known.get(sourced_id)
        old_school = school_of.get(old.source.school_id) if old else None
        wanted = row.roles or roles[sourced_id]
        named = [*row.schools, *schools[sourced_id]]
        if old and old.left_at is None:
            # A delta may name neither a role nor a school of somebody whose name has changed.
            wanted = wanted or {old.user.role}
            named = named or [old_school or ""]
        role = next((each for each in ("teacher", "student") if each in wanted), "")
        candidates = [key for key in named if key in plan.scope]
        if not (row.is_present and role and candidates):
            change = gone(old, is_in_scope=old_school in plan.scope)
            if change is Change.LEFT and old:
                plan.left_users.append(old)
            plan.count("users", change, row.name or (old.user.name if old else sourced_id))
            continue
        if old and old.user.is_student != (role == "student"):
            wrong = Message("The role of a person can't change. Give the row a new identifier.")
            faults.add(file_of("users"), row.line, "sourcedId", wrong)
            continue
        account = old.user if old else None
        if role == "teacher" and account is None:
            found = accounts.of(row)
            account = found if found and plan.consent.covers(sourced_id, found) else None
            if found and plan.consent.must_agree(found):
                ask(plan, found, sourced_id, row.name)
            is_operators = plan.consent.named is not None
            if account is None or not (link or is_operators):
                # The operator learns which account seems to fit, and a school only of its members.
                fits = found if is_operators else account
                plan.unlinked.append(
                    Unlinked(
                        *(row.line, sourced_id, row.name, candidates[0], fits),
                        is_claimed=sourced_id in claimed,
                    )
                )
                plan.count("users", Change.IGNORED, row.name)
                continue
            plan.linked[sourced_id] = account
        if sourced_id in claimed:
            # The identifier belongs to somebody else, so that of the school goes.
            plan.stored.claims.dropped.append(claimed[sourced_id])
        plan.people[sourced_id] = Person(role == "student", account)
        change = Change.NEW
        if _has_new_master_id(plan, old, row):
            plan.master_ids[sourced_id] = row.master_id
        if old:
            is_moved = old_school not in named
            is_same = old.left_at is None and sourced_id not in plan.master_ids
            is_same = is_same and (role == "teacher" or _has_names(old.user, row))
            is_same = is_same and not plan.stored.likeness.is_renamed(old)
            unmoved = Change.UNCHANGED if is_same else Change.CHANGED
            change = Change.MOVED if is_moved else unmoved
        if role == "student" and (old is None or not _has_names(old.user, row)):
            plan.students[sourced_id] = row
        home = candidates[0] if old is None or change is Change.MOVED else old_school or ""
        if old is None or change is Change.MOVED or old.left_at:
            plan.user_schools[sourced_id] = home
        further[sourced_id] = {*candidates} - {home}
        before = old.user.name if old and old.user.is_student else ""
        plan.count("users", change, renamed(before, row.name))
    for sourced_id, old in known.items():
        if old.left_at or sourced_id in rows:
            continue
        if plan.roster.mode("users") is not Mode.BULK:
            plan.people[sourced_id] = Person(old.user.is_student, old.user)
        elif school_of.get(old.source.school_id) in plan.scope:
            plan.left_users.append(old)
            plan.count("users", Change.LEFT, old.user.name)
    _plan_further_schools(plan, further)
    _plan_others(plan, further)


def _plan_further_schools(plan: Plan, further: Mapping[str, set[str]]) -> None:
    """Plan the identifiers of people in all their schools but the main one.

    Each school has one of its own, so that its administrators find the person, too.
    """
    school_of = schools_by_key(plan.stored)
    rows = {
        (each.sourced_id, school_of.get(each.source.school_id)): each
        for each in plan.stored.other_users
    }
    for sourced_id, schools in further.items():
        person, change = plan.people[sourced_id], False
        for school in sorted(schools):
            row = rows.get((sourced_id, school))
            if row is None:
                plan.second_schools.append((sourced_id, school))
                change = True
            elif row.left_at and person.user and row.user_id == person.user.pk:
                plan.returned.append(row)
                change = True
        name = plan.roster.users[sourced_id].name
        if change and name in plan.listed["users"][Change.UNCHANGED]:
            plan.recount("users", Change.UNCHANGED, Change.CHANGED, name)


def _plan_others(plan: Plan, further: Mapping[str, set[str]]) -> None:
    """Let people leave the schools in which the source no longer means them."""
    rows, school_of = plan.roster.users, schools_by_key(plan.stored)
    for old in plan.stored.other_users:
        key, person = old.sourced_id, plan.people.get(old.sourced_id)
        school = school_of.get(old.source.school_id)
        is_same = person is not None and person.user is not None and person.user.pk == old.user_id
        is_named = is_same and (key not in rows or school in further[key])
        is_over = key in rows or plan.roster.mode("users") is Mode.BULK
        if old.left_at or is_named or not is_over or school not in plan.scope:
            continue
        if is_same:
            plan.ended.append(old)
        else:
            plan.left_users.append(old)
            plan.count("users", Change.LEFT, old.user.name)


def ask(plan: Plan, teacher: User, sourced_id: str, name: str) -> None:
    """Let the teacher be asked whether the roster means him or her, and about the classes."""
    roster = plan.roster
    taught = [
        roster.classes[row.classroom]
        for row in roster.enrolments.values()
        if row.is_present and row.user == sourced_id and row.classroom in roster.classes
    ]
    schools = [*roster.users[sourced_id].schools, *(row.school for row in taught)]
    plan.asks[teacher.pk] = Ask(
        sourced_id=sourced_id,
        teacher=teacher.pk,
        name=name,
        classes=sorted({row.name for row in taught})[: RosterRequest.MAX_CLASSES],
        school=next((key for key in schools if key in plan.scope), ""),
    )


class _Accounts:
    """The teachers' accounts that no identifier of the source belongs to."""

    def __init__(self, known: Iterable[UserId]) -> None:
        linked = {each.user_id for each in known}
        self.found: dict[str, set[User]] = defaultdict(set)
        for user in User.objects.filter(role=User.Role.TEACHER, is_active=True):
            if user.pk not in linked:
                self.found[user.username].add(user)
                if user.email:
                    self.found[user.email.casefold()].add(user)

    def of(self, row: UserRow) -> User | None:
        """Return the only account with the same username or e-mail address."""
        users = set(self.found.get(row.username, ()))
        if row.email:
            users |= self.found.get(row.email.casefold(), set())
        return users.pop() if len(users) == 1 else None


def _from_enrolments(plan: Plan) -> tuple[dict[str, set[str]], dict[str, list[str]]]:
    """Return the roles of each person in classes, and the schools of these classes."""
    school_of = schools_by_key(plan.stored)
    roles: dict[str, set[str]] = defaultdict(set)
    schools: dict[str, list[str]] = defaultdict(list)
    for row in plan.roster.enrolments.values():
        if not row.is_present:
            continue
        roles[row.user].add(row.role)
        if classroom := plan.roster.classes.get(row.classroom):
            schools[row.user].append(classroom.school)
        elif old := plan.stored.classes.get(row.classroom):
            schools[row.user].append(school_of.get(old.classroom.school_id, ""))
    return roles, schools


def _has_new_master_id(plan: Plan, old: UserId | None, row: UserRow) -> bool:
    """Return whether the import gives the person another `userMasterIdentifier`.

    By this identifier a sign-in of the board finds a pupil. So a school does not change what its
    board or the operator has written, and what it has written itself ends with a row that is taken
    over.
    """
    if old is None:
        return bool(row.master_id)
    if plan.stored.claims.takes(old):
        return row.master_id != old.master_id
    return row.master_id not in ("", old.master_id) and not _is_of_wider(plan, old)


def _is_of_wider(plan: Plan, old: UserId) -> bool:
    """Return whether a wider authority than the importing one has written the row."""
    if plan.target:
        of_board = old.by_board_id is not None and old.by_board_id == plan.target.board_id
        return old.by_operator or of_board
    return plan.board is not None and old.by_operator and old.by_board_id != plan.board.pk


def _has_names(user: User, row: UserRow) -> bool:
    return user.name == row.name and row.reading in ("", user.reading)
