"""What the pages of a school and of a board of education share."""

from puzzleclass.classes.school_models import Owner, owned_by
from puzzleclass.rosters.models import RosterImport, RosterService

MAX_IMPORTS_SHOWN = 50


def imports_of(owner: Owner) -> dict[str, object]:
    """Return what the page of a school or a board shows of its rosters and administrators."""
    imports = RosterImport.of(owner).select_related("made_by")[:MAX_IMPORTS_SHOWN]
    return {
        "owner": owner,
        "service": RosterService.objects.filter(**owned_by(owner)).first(),
        "administrators": owner.administrators.order_by("name"),
        "imports": [(each, _change_count(each)) for each in imports],
        "uploads": owner.uploads.defer("content", "report").exclude(state="done"),
    }


def _change_count(record: RosterImport) -> int:
    """Return the number of rows that the import has changed in any way."""
    return sum(
        number
        for counts in record.counts.values()
        for change, number in counts.items()
        if change in ("new", "changed", "moved", "left")
    )
