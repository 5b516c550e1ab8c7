"""The schools that an import is about."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from puzzleclass.classes.school_models import Board, School
from puzzleclass.rosters.models import RosterSource, SchoolId, named_by
from puzzleclass.rosters.plan import Plan
from puzzleclass.rosters.tables import Mode
from solvers.message import Message


def find_schools(plan: Plan, name: str) -> Message | None:
    """Find the schools that the import is about; with a name, only the schools of this name.

    Returns the fault if there is none. The operator's imports find a school by an identifier that
    an earlier one has brought, or by its name, which only the operator can give to it. Those of a
    board find the schools of the board in the same way.
    """
    roster, target = plan.roster, plan.target
    known = {each.sourced_id: each for each in _known_schools(plan)}
    plan.stored.likeness.find_schools(roster, known, name)
    names = {key: row.name for key, row in roster.schools.items() if row.is_present}
    if roster.mode("orgs") is not Mode.BULK:
        here = {key: each.source.school.name for key, each in known.items() if each.left_at is None}
        names = {key: each for key, each in here.items() if key not in roster.schools} | names
    plan.stored.schools = known
    plan.scope = {key for key, each in names.items() if not name or each == name}
    if target:
        name = target.name
        plan.scope = _key_of_target(target, names, known)
    fresh = {key: names[key] for key in plan.scope if key not in known}
    plan.adopted = dict.fromkeys(fresh, target) if target else _by_name(fresh, plan.board)
    for key, school in plan.adopted.items():
        # The administrators of the school may have imported its roster from the same system.
        own = SchoolId.objects.filter(source__school=school, source__name=roster.source)
        if not target and (one := own.select_related("source__school").first()):
            known[key] = one
    if name and not plan.scope:
        return Message("No school of the roster has the name “{name}”.", {"name": name[:40]})
    made = len(fresh.keys() - plan.adopted.keys())
    if plan.board and made and plan.board.schools.count() + made > Board.MAX_SCHOOLS:
        return Message("A board has at most {most} schools.", {"most": Board.MAX_SCHOOLS})
    if target and _has_most_sources(target, roster.source):
        return Message(
            "The school has imported rosters from {most} systems already. The name of the system "
            "is in manifest.csv (source.systemCode).",
            {"most": RosterSource.MAX_COUNT},
        )
    return None


def _has_most_sources(school: School, name: str) -> bool:
    """Return whether the school has no source of the name, and may have no other one."""
    names = set(school.sources.values_list("name", flat=True))
    return name not in names and len(names) >= RosterSource.MAX_COUNT


def keys_of_schools(plan: Plan) -> dict[str, int]:
    """Return the keys of the schools that the import is about and that are here already."""
    keys = {key: each.source.school_id for key, each in plan.stored.schools.items()}
    keys |= {key: school.pk for key, school in plan.adopted.items()}
    return {key: pk for key, pk in keys.items() if key in plan.scope}


def _known_schools(plan: Plan) -> Iterable[SchoolId]:
    ids = SchoolId.objects.filter(source__name=plan.roster.source).select_related("source__school")
    if plan.target:
        return ids.filter(source__school=plan.target)
    return ids.filter(named_by(plan.board))


def _by_name(names: Mapping[str, str], board: Board | None) -> dict[str, School]:
    """Return the schools with these names, of the board or without one, for which no roster of all
    schools has been imported, if there is one of each."""
    same: dict[str, list[School]] = defaultdict(list)
    imported = SchoolId.objects.filter(named_by(board)).values("source__school")
    schools = School.objects.filter(name__in=names.values(), board=board)
    for school in schools.exclude(pk__in=imported):
        same[school.name].append(school)
    times = Counter(names.values())
    return {
        key: same[name][0] for key, name in names.items() if times[name] == len(same[name]) == 1
    }


def _key_of_target(
    target: School, names: Mapping[str, str], known: Mapping[str, SchoolId]
) -> set[str]:
    """Return the identifier of the school in the roster, in a set; an empty set if there is none.

    At the first import, it is the school with this name, or the only school of the roster.
    """
    if known:
        return known.keys() & names.keys()
    same = {key for key, name in names.items() if name == target.name}
    return same if len(same) == 1 else set(names if len(names) == 1 else ())
