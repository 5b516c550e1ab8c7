"""Clear SQLite's journal, which holds deleted data until it is copied into the database file."""

from django.db import connection


def clear_journal() -> bool:
    """Empty SQLite's journal and return whether nothing is left in it.

    With `secure_delete`, the database file holds zeros where deleted rows were, but the journal
    holds the pages as they were before. The journal can't be emptied while somebody else reads or
    writes. Nobody is kept waiting for that: the worker of the sweeper tries again every minute
    (`pruning.prune`). PostgreSQL's logs are the responsibility of its administrator.
    """
    if connection.vendor != "sqlite":
        return True
    if connection.in_atomic_block:
        return False
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=0")
        try:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            is_busy, _in_journal, _moved = cursor.fetchone()
        finally:
            seconds = connection.settings_dict["OPTIONS"].get("timeout", 5)
            cursor.execute(f"PRAGMA busy_timeout={1000 * seconds}")
    return not is_busy
