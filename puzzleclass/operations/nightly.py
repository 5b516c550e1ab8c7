"""The nightly backups that `manage.py backup --nightly` writes: their names, and which are kept."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.utils import timezone

KEPT_DAYS, KEPT_WEEKS = 7, 4
"""The numbers of days and of weeks of which the newest backup is kept."""

_NAME = "nightly-%Y%m%d-%H%M%S.jsonl.gz"


def new_path(folder: Path) -> Path:
    """Return the path of the backup that is about to be made."""
    return folder / timezone.now().strftime(_NAME)


def kept(made: Iterable[datetime]) -> set[datetime]:
    """Return which backups are kept, by the times at which they were made: the newest of each of
    the last days, and of each of the last weeks before this one, that have any."""
    days: dict[object, datetime] = {}
    weeks: dict[object, datetime] = {}
    for each in sorted(made):
        days[each.date()] = weeks[each.isocalendar()[:2]] = each
    return {*list(days.values())[-KEPT_DAYS:], *list(weeks.values())[:-1][-KEPT_WEEKS:]}


def was_missed(folder: Path) -> bool:
    """Return whether no nightly backup in the folder was made in the last 24 hours, such as after a
    night in which the machine was off."""
    latest = max(_made(folder), default=None)
    return latest is None or timezone.now() - latest > timedelta(days=1)


def delete_old(folder: Path) -> None:
    """Delete the nightly backups in the folder that are no longer kept, and no other file."""
    paths = _made(folder)
    for time in paths.keys() - kept(paths):
        paths[time].unlink()


def _made(folder: Path) -> dict[datetime, Path]:
    """Return the nightly backups in the folder, by the times at which they were made."""
    paths = {}
    for path in folder.iterdir() if folder.exists() else ():
        try:
            paths[datetime.strptime(path.name, _NAME).replace(tzinfo=UTC)] = path
        except ValueError:
            continue  # It was made before an update or by hand.
    return paths
