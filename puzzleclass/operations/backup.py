"""Write the whole database into one file and read it back, from SQLite or PostgreSQL into either.

A backup consists of gzipped lines of JSON. The first line says what made it: format, release,
migrations, and the columns of each table. The tables follow one after another. Each row is an
array, in the order of the primary keys, and each table ends with its number of rows and their
SHA-256. The last line does the same for the whole file. The backup is read from one snapshot, so
the site may run meanwhile. Neither direction holds more than some rows in memory.

The tables are those of the migrations that the database has had, so a database can be backed up
before it is updated.

Django's own serializers cut times to milliseconds and depend on the models' managers; here a value
is what its column holds, and bytes are written in base64. Sessions are left out, so people sign in
again.
"""

import filecmp
import gzip
import hashlib
import io
import json
import os
import uuid
import zlib
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias

from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.models import Field, JSONField, Model
from django.utils import timezone

from puzzleclass import __version__
from puzzleclass.database.texts import cleaned
from puzzleclass.operations import earlier
from puzzleclass.operations.models import KeyProof
from puzzleclass.operations.schema import has_pending_migrations, migrated_models

FORMAT = 1
CHUNK_ROWS = 2000
"""The number of rows that are fetched at a time."""
PACKED_BYTES = 64 << 10
"""The number of bytes of a file that are read at a time."""

MAX_UPDATE_BACKUPS = 5
"""The number of backups made before updates that are kept."""

LEFT_OUT = "accounts_session"
FILLED_BY_MIGRATE = ("auth_permission", "django_content_type", KeyProof._meta.db_table)
"""The tables whose rows `migrate` itself writes into an empty database, in the order in which they
can be deleted. A backup's rows replace them."""

AnyField: TypeAlias = "Field[Any, Any]"


class BackupError(Exception):
    """A backup can't be made or restored, and nothing has been written. The message says why."""


# Writing


def save(path: Path) -> int:
    """Write a backup to the path, readable by its owner alone. Return its number of rows.

    The file appears under its name once it is complete. Raises BackupError and OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.touch(mode=0o600, exist_ok=False)
        with unfinished.open("wb") as file:
            rows = write(file)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return rows


class UpdateBackup(NamedTuple):
    """The backup that was made before an update."""

    path: Path
    rows: int


def save_before_update(folder: Path) -> UpdateBackup | None:
    """Write a backup into the folder if this release is about to change a database with data.

    Return None if there is nothing to migrate or no data. Of these backups, the newest
    `MAX_UPDATE_BACKUPS` are kept. An update that fails and is repeated makes no second backup of
    the same data. Raises BackupError and OSError.
    """
    if not has_pending_migrations(MigrationLoader(connection)) or not _tables_with_data():
        return None
    earlier = sorted(folder.glob("before-*.jsonl.gz"), key=lambda path: path.stat().st_mtime)
    path = folder / f"before-{__version__}-{timezone.now():%Y%m%d-%H%M%S-%f}.jsonl.gz"
    rows = save(path)
    if earlier and filecmp.cmp(earlier[-1], path, shallow=False):
        path.unlink()
        return UpdateBackup(earlier[-1], rows)
    for old in earlier[: 1 - MAX_UPDATE_BACKUPS]:
        old.unlink()
    return UpdateBackup(path, rows)


def write(file: IO[bytes]) -> int:
    """Write a backup into the open file. Return its number of rows. Raises BackupError."""
    total, whole = 0, hashlib.sha256()
    with _snapshot(), gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:

        def put(line: object) -> bytes:
            text = json.dumps(line, default=_json_value, ensure_ascii=False, separators=(",", ":"))
            # A JSON column of SQLite can hold half of a surrogate pair; `restore` cleans it.
            data = text.encode(errors="surrogatepass") + b"\n"
            whole.update(data)
            packed.write(data)
            return data

        loader, models = MigrationLoader(connection), _models()
        if not models:
            raise BackupError("The database has no tables yet: run `manage.py migrate` first.")
        is_earlier = has_pending_migrations(loader)
        put(
            {
                "puzzleclass": "backup",
                "format": FORMAT,
                "release": f"before {__version__}" if is_earlier else __version__,
                "migrations": _migrations(loader),
                "tables": {table: _columns(model) for table, model in models.items()},
            }
        )
        for table, model in models.items():
            rows, digest = 0, hashlib.sha256()
            names = [field.attname for field in _fields(model)]
            for row in model._base_manager.order_by("pk").values_list(*names).iterator(CHUNK_ROWS):
                digest.update(put(row))
                rows += 1
            put({"end": table, "rows": rows, "sha256": digest.hexdigest()})
            total += rows
        put({"end": None, "rows": total, "sha256": whole.hexdigest()})
    return total


@contextmanager
def _snapshot() -> Iterator[None]:
    """Let everything that is read inside be of one moment, without blocking writers."""
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    with connection.cursor() as cursor:
        # Not `atomic`: with our settings it takes the write lock at once, which only writers need.
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _json_value(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, uuid.UUID | Decimal):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    raise TypeError(f"A backup has no form for {type(value).__name__}")


# Reading


class Restored(NamedTuple):
    """The result of restoring a backup."""

    rows: int
    cleaned: int
    """The number of rows in which U+FFFD replaced characters that can't be stored."""
    key_fits: bool
    """Whether the backup was made with this site's `SECRET_KEY`."""


def restore(file: IO[bytes]) -> Restored:
    """Write the rows of a backup into the empty, migrated database.

    The file is read twice, so that any fault in it is found before the first row is written. All
    rows are written in one transaction. A backup of the last version before 1.0.0 is carried over.
    Raises BackupError.
    """
    header, rows = _read(file)
    for _ in rows:
        pass  # iterating checks every line
    is_earlier = earlier.has_made(header["migrations"])
    tables = earlier.columns_today(header["tables"]) if is_earlier else header["tables"]
    _refuse_misfit(str(header.get("release")), tables, None if is_earlier else header["migrations"])
    file.seek(0)
    _, rows = _read(file)
    try:
        with transaction.atomic():
            _refuse_data()
            restored = _insert(tables, rows)
            if is_earlier:
                earlier.carry_over()
            connection.check_constraints()
            with connection.cursor() as cursor:
                models = list(_models().values())
                for statement in connection.ops.sequence_reset_sql(no_style(), models):
                    cursor.execute(statement)
    except DatabaseError as error:
        raise BackupError(f"The rows don't fit together: {error}") from error
    if is_earlier:
        # Django writes the names of the models that the earlier version did not have.
        call_command("migrate", no_backup=True, skip_checks=True, verbosity=0)
    return restored


def _insert(
    columns_of: dict[str, list[str]], rows: Iterator[tuple[str, int, list[Any]]]
) -> Restored:
    total, changed, quote = 0, 0, connection.ops.quote_name
    fields_of = {
        table: {str(field.column): field for field in _fields(model)}
        for table, model in _models().items()
    }
    with connection.cursor() as cursor:
        for table in FILLED_BY_MIGRATE:
            if table in fields_of:
                cursor.execute(f"DELETE FROM {quote(table)}")
        for table, number, written in rows:
            # SQLite databases can hold texts that PostgreSQL refuses. Both engines get the same
            # rows.
            row = cleaned(written)
            changed += row != written
            # A table's columns stand in another order in the models than in their migrations, and
            # an earlier version lacks some of them.
            values = dict(zip(columns_of[table], row, strict=True))
            values |= {
                column: field.get_default()
                for column, field in fields_of[table].items()
                if column not in values
            }
            columns = ", ".join(map(quote, values))
            placeholders = ", ".join(["%s"] * len(values))
            try:
                cursor.execute(
                    f"INSERT INTO {quote(table)} ({columns}) VALUES ({placeholders})",
                    [_stored(fields_of[table][column], each) for column, each in values.items()],
                )
            except (DatabaseError, ValidationError, ValueError, TypeError) as error:
                raise BackupError(f"{table}, row {number}: {error}") from error
            total += 1
    return Restored(total, changed, KeyProof._meta.db_table not in fields_of or KeyProof.fits())


def _stored(field: AnyField, value: Any) -> Any:
    """Return the value as the database takes it."""
    if value is not None and not isinstance(field, JSONField):
        value = field.to_python(value)
    return field.get_db_prep_save(value, connection)


def _read(file: IO[bytes]) -> tuple[dict[str, Any], Iterator[tuple[str, int, list[Any]]]]:
    """Return the first line and the rows, each as the table, the number from 1 and the values.

    Iterating over the rows raises BackupError when the file is not as it was written.
    """
    lines = _lines(file)
    first = next(lines, (b"", None))
    header = first[1]
    if not isinstance(header, dict) or header.get("puzzleclass") != "backup":
        raise BackupError("This is no backup of PuzzleClass.")
    if header.get("format") != FORMAT:
        raise BackupError(
            f"The backup has format {header.get('format')}, and this release ({__version__}) reads "
            f"format {FORMAT}. It was made by release {header.get('release')}: restore it there."
        )
    if not isinstance(header.get("tables"), dict) or not isinstance(header.get("migrations"), list):
        raise BackupError("The first line of the file is damaged.")
    return header, _rows(header["tables"], first[0], lines)


def _rows(
    tables: dict[str, list[str]], first: bytes, lines: Iterator[tuple[bytes, Any]]
) -> Iterator[tuple[str, int, list[Any]]]:
    total, whole = 0, hashlib.sha256(first)
    for table, columns in tables.items():
        rows, digest = 0, hashlib.sha256()
        for data, line in lines:
            whole.update(data)
            if not isinstance(line, list):
                break
            rows += 1
            if len(line) != len(columns):
                raise BackupError(f"{table}, row {rows}: the file is damaged there.")
            digest.update(data)
            yield table, rows, line
        else:
            raise BackupError(f"{table}: the file ends there, after row {rows}; it was cut off.")
        if line != {"end": table, "rows": rows, "sha256": digest.hexdigest()}:
            raise BackupError(f"{table}: the file is damaged there, its checksum is wrong.")
        total += rows
    if [line for _, line in lines] != [{"end": None, "rows": total, "sha256": whole.hexdigest()}]:
        raise BackupError("The end of the file is damaged or missing.")


def _lines(file: IO[bytes]) -> Iterator[tuple[bytes, Any]]:
    """Yield each line as bytes and as the value that it encodes. Raises BackupError."""
    number = 0
    try:
        for line in io.BufferedReader(_Unpacked(file)):
            yield line, json.loads(line)
            number += 1
    except (EOFError, OSError, zlib.error, ValueError) as error:
        raise BackupError(
            f"The file is damaged or cut off after line {number}, or is no backup: {error}"
        ) from error


class _Unpacked(io.RawIOBase):
    """The content of a gzipped file.

    Python's own reader also accepts zeros and further gzipped files after the end. Here nothing may
    follow, so that a backup is exactly the file that was written.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._unpacker.eof:
            packed = self._unpacker.unconsumed_tail or self._file.read(PACKED_BYTES)
            if not packed:
                raise EOFError("The end is missing.")
            content = self._unpacker.decompress(packed, len(buffer))
            if content:
                buffer[: len(content)] = content
                return len(content)
        if self._unpacker.unused_data or self._file.read(1):
            raise ValueError("Something follows after the end.")
        return 0


# What must match


def _refuse_misfit(
    made_by: str, tables: dict[str, list[str]], migrations: list[list[str]] | None
) -> None:
    """Raise BackupError unless the migrations and tables of the backup are those of this
    database.

    Without migrations, the backup is that of an earlier version, whose tables may lack columns.
    """
    loader = MigrationLoader(connection)
    theirs = {tuple(migration) for migration in migrations or ()}
    ours = {tuple(migration) for migration in _migrations(loader)}
    if theirs != ours and has_pending_migrations(loader):
        raise BackupError("The database is not up to date: run `manage.py migrate` first.")
    if migrations is None:
        models = {table: set(_columns(model)) for table, model in _models().items()}
        if not all(set(columns) <= models.get(table, set()) for table, columns in tables.items()):
            raise BackupError("The backup has tables that this release does not know.")
        return
    if theirs != ours:
        differing = ", ".join(".".join(migration) for migration in sorted(theirs ^ ours))
        raise BackupError(
            f"The backup was made by release {made_by} with other migrations ({differing}). "
            "Restore it into an empty database with the release that made it; then update."
        )
    there = {table: sorted(columns) for table, columns in tables.items()}
    if there != {table: sorted(_columns(model)) for table, model in _models().items()}:
        raise BackupError(
            f"The backup's tables, of release {made_by}, differ from those of this release "
            f"({__version__}). Restore it with the release that made it; then update."
        )


def _refuse_data() -> None:
    if tables := _tables_with_data():
        raise BackupError(
            f"The database is not empty: {tables[0]} has rows. Restore into an empty one, "
            "fresh from `manage.py migrate`."
        )


def _tables_with_data() -> list[str]:
    """Return the tables with rows that `migrate` has not written itself."""
    return [
        table
        for table, model in _models().items()
        if table not in FILLED_BY_MIGRATE and model._base_manager.exists()
    ]


def _migrations(loader: MigrationLoader) -> list[list[str]]:
    """Return the applied migrations as a backup names them."""
    return sorted([app, name] for app, name in loader.applied_migrations)


def _models() -> dict[str, type[Model]]:
    """Return the name of each table -> its model, in the order of the apps."""
    return {
        model._meta.db_table: model
        for model in migrated_models(MigrationLoader(connection))
        if model._meta.managed and not model._meta.proxy and model._meta.db_table != LEFT_OUT
    }


def _fields(model: type[Model]) -> list[AnyField]:
    return list(model._meta.local_concrete_fields)


def _columns(model: type[Model]) -> list[str]:
    return [str(field.column) for field in _fields(model)]
