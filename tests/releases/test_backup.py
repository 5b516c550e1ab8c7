"""`manage.py backup` and `restore`: a round trip, and everything that must be refused."""

import gzip
import hashlib
import io
import json
import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import School
from puzzleclass.jobs.models import Job
from puzzleclass.operations import backup, nightly
from puzzleclass.operations.checks import check_secret_key
from puzzleclass.operations.doctor import findings
from puzzleclass.operations.models import KeyProof
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.rosters.models import RosterUpload

LEFT_OUT = {"accounts_session", "django_migrations", "sqlite_sequence"}

WORDS = ['\n\t"\\,\u2028\N{HANGUL FILLER}\N{GRINNING FACE}名前', "second"]
INTEGERS = {
    "SmallIntegerField": 16,
    "PositiveSmallIntegerField": 16,
    "IntegerField": 32,
    "PositiveIntegerField": 32,
    "BigIntegerField": 64,
    "PositiveBigIntegerField": 64,
}
"""The bits of the whole numbers that a type of fields holds."""
EXAMPLES = {
    **{name: [2 ** (bits - 1) - 1, 0] for name, bits in INTEGERS.items()},
    **dict.fromkeys(["CharField", "SlugField", "TextField"], WORDS),
    "BinaryField": [bytes(range(256)), b""],
    "BooleanField": [True, False],
    "DateField": [date(1, 1, 1), date(9999, 12, 31)],
    "DateTimeField": [
        datetime(2016, 2, 29, 23, 59, 59, 999_999, UTC),
        datetime(1, 1, 1, 0, 0, 1, 0, UTC),
    ],
    "FloatField": [0.1 + 0.2, -1.7976931348623157e308],
    "JSONField": [{"日": [10**40, 0.1, None, True, {"": WORDS}]}, "text"],
    "UUIDField": [UUID(int=2**128 - 1), UUID(int=1)],
}
"""Two values for each type of fields. The second one is stored in fields that can't be empty."""


def tables(path: Path) -> dict[str, list[tuple]]:
    """Return the rows of every table of the database, with the values as they are stored."""
    with closing(sqlite3.connect(path)) as database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: database.execute(f'SELECT * FROM "{name}" ORDER BY 1').fetchall()
            for (name,) in names
            if name not in LEFT_OUT
        }


@pytest.fixture
def copy(using, released, tmp_path) -> Path:
    """Provide a backup of the release's database."""
    path = tmp_path / "copy.jsonl.gz"
    with using(released):
        call_command("backup", str(path), verbosity=0)
    return path


def restored(using, empty, file) -> str:
    """Restore into the empty database, which must fail without writing anything; return the
    error."""
    before = tables(empty)
    with using(empty), pytest.raises(CommandError) as refused:
        call_command("restore", str(file))
    assert tables(empty) == before
    return str(refused.value)


def rewritten(copy: Path, change) -> Path:
    """Return a copy of the backup, in a file of its own, with its lines changed by the function."""
    lines = gzip.decompress(copy.read_bytes()).splitlines(keepends=True)
    path = copy.with_name("changed.jsonl.gz")
    path.write_bytes(gzip.compress(b"".join(change(lines))))
    return path


def sealed(lines: list[bytes]) -> list[bytes]:
    """Return the lines with correct checksums, as if the file had been written with this
    content."""
    whole, digest, rows, total, out = hashlib.sha256(), hashlib.sha256(), 0, 0, []
    for text in lines[:-1]:
        line = json.loads(text)
        if isinstance(line, list):
            rows += 1
            digest.update(text)
        elif "end" in line:
            line |= {"rows": rows, "sha256": digest.hexdigest()}
            text = json.dumps(line).encode() + b"\n"
            total, rows, digest = total + rows, 0, hashlib.sha256()
        whole.update(text)
        out.append(text)
    end = {"end": None, "rows": total, "sha256": whole.hexdigest()}
    return [*out, json.dumps(end).encode() + b"\n"]


def test_there_and_back_every_table_is_the_same(using, released, empty, copy):
    with using(empty):
        call_command("restore", str(copy), verbosity=0)
        assert Attempt.objects.exists() and User.objects.exists()
    there, back = tables(released), tables(empty)
    assert there.keys() == back.keys()
    for name in there:
        assert there[name] == back[name], name
    assert sum(map(len, there.values())) > 500


def examples_of(field) -> list:
    """Return the value of the field in two example rows. References lead to the row of the same
    number, and the second row leaves empty what can be empty."""
    if field.primary_key or field.is_relation:
        values = [1, 2]
    else:
        values = EXAMPLES[field.get_internal_type()]
    return [values[0], None if field.null else values[1]]


def test_every_field_of_every_model_survives(using, empty, tmp_path):
    there, copy = tmp_path / "there.sqlite3", tmp_path / "copy.jsonl.gz"
    there.write_bytes(empty.read_bytes())
    with using(there), connection.cursor() as cursor:
        # A row that has a value in every column can be one that the tables' conditions refuse.
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        with transaction.atomic():
            for model in reversed(backup._models().values()):
                model._base_manager.all().delete()
            for model in backup._models().values():
                fields = backup._fields(model)
                columns = zip(*map(examples_of, fields), strict=True)
                model._base_manager.bulk_create(
                    model(
                        **{field.attname: value for field, value in zip(fields, row, strict=True)}
                    )
                    for row in columns
                )
        call_command("backup", str(copy), verbosity=0)
    with using(empty), connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        call_command("restore", str(copy), verbosity=0)
    assert tables(there) == tables(empty)
    assert {len(rows) for rows in tables(there).values()} == {2}


def test_an_uploaded_roster_is_in_the_backup(using, empty, tmp_path):
    copy, there = tmp_path / "copy.jsonl.gz", tmp_path / "there.sqlite3"
    there.write_bytes(empty.read_bytes())
    with using(there):
        school = School.objects.create(name="Higashi")
        teacher = User.objects.create_teacher("sato", "Sato", "a good password")
        RosterUpload.objects.create(
            school=school, teacher=teacher, file_name="r.zip", content=b"PK\x03\x04\xff\x00"
        )
        call_command("backup", str(copy), verbosity=0)
    with using(empty):
        call_command("restore", str(copy), verbosity=0)
        assert bytes(RosterUpload.objects.get().content) == b"PK\x03\x04\xff\x00"


def test_another_secret_key_is_noticed_after_a_restore(
    using, released, empty, tmp_path, capsys, settings
):
    copy, key = tmp_path / "copy.jsonl.gz", settings.SECRET_KEY
    with using(released):
        KeyProof.make_if_missing()
        call_command("backup", str(copy))
    assert key.encode() not in gzip.decompress(copy.read_bytes())
    with using(empty):
        settings.SECRET_KEY = "another key of another computer, as long as the first one"
        KeyProof.make_if_missing()
        capsys.readouterr()
        call_command("restore", str(copy))
        assert "made with another SECRET_KEY" in capsys.readouterr().err
        [warning] = check_secret_key(None, ["default"])
        assert warning.id == "puzzleclass.W007"
        assert "another SECRET_KEY" in str([finding.fault for finding in findings()])
        settings.SECRET_KEY = key
        assert check_secret_key(None, ["default"]) == []
        settings.SECRET_KEY = "the earlier key is lost for ever, and this is the next one"
        call_command("newkey")
        assert check_secret_key(None, ["default"]) == []
        assert "enter the client secrets" in capsys.readouterr().out


def test_a_restore_with_the_same_key_says_nothing_of_it(using, released, empty, tmp_path, capsys):
    with using(released):
        KeyProof.make_if_missing()
        call_command("backup", str(tmp_path / "copy.jsonl.gz"))
    with using(empty):
        call_command("restore", str(tmp_path / "copy.jsonl.gz"))
        assert capsys.readouterr().err == "" and check_secret_key(None, ["default"]) == []


def test_migrate_notes_the_secret_key_once(using, empty):
    with using(empty):
        call_command("migrate", verbosity=0)
        [proof] = KeyProof.objects.all()
        call_command("migrate", verbosity=0)
        assert KeyProof.objects.get() == proof and KeyProof.fits()
        call_command("migrate", "operations", "zero", verbosity=0)
        assert check_secret_key(None, ["default"]) == []


def test_characters_that_cannot_be_stored_are_replaced(using, released, empty, tmp_path, capsys):
    """Releases up to 0.1 stored these characters on SQLite. PostgreSQL refuses them."""
    old, copy = tmp_path / "old.sqlite3", tmp_path / "old.jsonl.gz"
    old.write_bytes(released.read_bytes())
    with closing(sqlite3.connect(old)) as database:
        database.execute("UPDATE puzzles_puzzle SET title = 'A' || char(0) || 'B' WHERE id = 1")
        rows = r'{"moves": "\ud800"}'
        database.execute("UPDATE jobs_job SET options = ? WHERE id = 1", [rows])
        database.commit()
    with using(old):
        call_command("backup", str(copy), verbosity=0)
    with using(empty):
        call_command("restore", str(copy))
        assert Puzzle.objects.get(pk=1).title == "A\ufffdB"
        assert Job.objects.get(pk=1).options == {"moves": "\ufffd"}
    assert "2 of them held characters that cannot be stored" in capsys.readouterr().out


def test_new_rows_get_keys_of_their_own_after_restoring(using, empty, copy):
    with using(empty):
        call_command("restore", str(copy), verbosity=0)
        last = User.objects.order_by("pk").last().pk
        assert User.objects.create_teacher("new", "New", "a good password").pk > last


def test_the_file_is_its_owners_alone_and_appears_whole(copy):
    assert copy.stat().st_mode & 0o777 == 0o600
    assert {path.name for path in copy.parent.iterdir()} & {f".{copy.name}"} == set()


def test_a_backup_that_fails_leaves_nothing_behind(using, released, tmp_path, monkeypatch):
    def fails(file):
        file.write(b"half")
        raise OSError("No space left on device")

    monkeypatch.setattr(backup, "write", fails)
    with using(released), pytest.raises(CommandError, match="No space left"):
        call_command("backup", str(tmp_path / "copy.jsonl.gz"))
    assert list(tmp_path.iterdir()) == []


def test_a_backup_is_of_one_moment_and_lets_others_write(using, empty, tmp_path, monkeypatch):
    """An invitation written between two tables does not wait, and is not in the backup."""
    with using(empty):
        User.objects.create_teacher("before", "Before", "a good password")
        digest = backup._json_value

        def write_meanwhile(value):
            with closing(sqlite3.connect(empty, timeout=0)) as other:
                other.execute(
                    "INSERT INTO accounts_invitation (id, digest, good_until)"
                    " VALUES (9, 'Late', '2026')"
                )
                other.commit()
            monkeypatch.setattr(backup, "_json_value", digest)
            return digest(value)

        monkeypatch.setattr(backup, "_json_value", write_meanwhile)  # called for the users' times
        backup.save(tmp_path / "copy.jsonl.gz")
        with connection.cursor() as cursor:
            cursor.execute("SELECT digest FROM accounts_invitation")
            assert cursor.fetchall() == [("Late",)]
    text = gzip.decompress((tmp_path / "copy.jsonl.gz").read_bytes()).decode()
    assert "Before" in text and "Late" not in text


def test_a_database_with_data_is_refused(using, released, copy):
    before = tables(released)
    with using(released), pytest.raises(CommandError, match="not empty: accounts_user"):
        call_command("restore", str(copy))
    assert tables(released) == before


@pytest.mark.parametrize("share", [0, 0.01, 0.5, 0.99])
def test_a_cut_off_file_is_refused(using, empty, copy, share):
    data = copy.read_bytes()
    copy.write_bytes(data[: int(len(data) * share)])
    assert restored(using, empty, copy)


@pytest.mark.parametrize(
    "more",
    [b"\0", b"\0" * 512, b"\n", b"x", gzip.compress(b""), gzip.compress(b"[]\n")],
    ids=["zero", "zeros", "line", "letter", "empty file", "file"],
)
def test_bytes_after_the_end_are_noticed(using, empty, copy, more):
    copy.write_bytes(copy.read_bytes() + more)
    assert "Something follows after the end." in restored(using, empty, copy)


def test_lines_that_are_missing_are_noticed(using, empty, copy):
    said = restored(using, empty, rewritten(copy, lambda lines: lines[:-1]))
    assert "The end of the file" in said
    said = restored(using, empty, rewritten(copy, lambda lines: lines[: len(lines) // 2]))
    assert "cut off" in said


def test_an_altered_value_is_noticed_and_its_table_named(using, empty, copy):
    def alter(lines):
        place = next(n for n, line in enumerate(lines) if "山田".encode() in line)
        lines[place] = lines[place].replace("山田".encode(), "山口".encode())
        return lines

    assert "accounts_user: the file is damaged" in restored(using, empty, rewritten(copy, alter))


def test_an_altered_header_is_noticed(using, empty, copy):
    def alter(lines):
        return [lines[0].replace(b'"release":"', b'"release":"9'), *lines[1:]]

    assert "The end of the file is damaged" in restored(using, empty, rewritten(copy, alter))


@pytest.mark.parametrize(
    "data",
    [b"", b"x", gzip.compress(b""), gzip.compress(b"[]\n"), b"\x1f\x8b"],
    ids=["empty", "letter", "nothing", "list", "cut"],
)
def test_a_file_that_is_no_backup_is_refused(using, empty, tmp_path, data):
    path = tmp_path / "other"
    path.write_bytes(data)
    assert "backup" in restored(using, empty, path)


def test_no_file(using, empty, tmp_path):
    assert "No such file" in restored(using, empty, tmp_path / "none")


def test_a_later_format_is_refused(using, empty, copy):
    def later(lines):
        return sealed([lines[0].replace(b'"format":1', b'"format":2'), *lines[1:]])

    assert "format 2" in restored(using, empty, rewritten(copy, later))


def test_other_migrations_are_refused_and_named(using, empty, copy):
    def other(lines):
        header = json.loads(lines[0])
        header["migrations"].append(["play", "0099_from_the_future"])
        return sealed([json.dumps(header).encode() + b"\n", *lines[1:]])

    said = restored(using, empty, rewritten(copy, other))
    assert "play.0099_from_the_future" in said and "release that made it" in said


def test_tables_of_another_shape_are_refused(using, empty, copy):
    def other(lines):
        header = json.loads(lines[0])
        header["tables"]["puzzles_puzzle"].remove("title")
        return sealed([json.dumps(header).encode() + b"\n", *lines[1:]])

    def narrow(lines):
        place = next(n for n, line in enumerate(lines) if "山田".encode() in line)
        row = json.loads(lines[place])[:-1]
        return sealed([*lines[:place], json.dumps(row).encode() + b"\n", *lines[place + 1 :]])

    def headless(lines):
        header = json.loads(lines[0]) | {"tables": []}
        return sealed([json.dumps(header).encode() + b"\n", *lines[1:]])

    for change, fault in (
        (other, "puzzles_puzzle, row 1: the file is damaged"),
        (narrow, "accounts_user, row 1: the file is damaged"),
        (headless, "The first line of the file is damaged."),
    ):
        assert fault in restored(using, empty, rewritten(copy, change))


def test_tables_that_this_release_has_otherwise_are_refused(using, empty, copy):
    """Both have the same migrations, which happens when a migration was edited afterwards."""

    def other(lines):
        header = json.loads(lines[0])
        header["tables"] = {
            {"lessons_question": "lessons_old"}.get(name, name): columns
            for name, columns in header["tables"].items()
        }
        ends = [line.replace(b'"lessons_question"', b'"lessons_old"') for line in lines[1:]]
        return sealed([json.dumps(header).encode() + b"\n", *ends])

    said = restored(using, empty, rewritten(copy, other))
    assert "tables" in said and "differ from those of this release" in said


def test_a_value_without_a_form_in_a_backup_is_named():
    with pytest.raises(TypeError, match="no form for timedelta"):
        backup._json_value(timedelta(days=1))


def test_the_first_row_that_does_not_fit_stops_all_and_is_named(using, empty, copy):
    """The second of two equal students is refused, and nothing of the first one stays."""

    def twice(lines):
        place = next(n for n, line in enumerate(lines) if "山田".encode() in line)
        return sealed([*lines[: place + 1], lines[place], *lines[place + 1 :]])

    said = restored(using, empty, rewritten(copy, twice))
    assert "accounts_user, row 2: UNIQUE constraint failed" in said


def test_rows_that_point_nowhere_stop_all(using, empty, copy):
    def orphan(lines):
        place = next(n for n, line in enumerate(lines) if "山田".encode() in line)
        return sealed([*lines[:place], *lines[place + 1 :]])

    assert "don't fit together" in restored(using, empty, rewritten(copy, orphan))


def test_a_database_that_is_not_up_to_date_is_refused(using, tmp_path, copy):
    path = tmp_path / "bare.sqlite3"
    with using(path):
        with pytest.raises(CommandError, match="not up to date"):
            call_command("restore", str(copy))
        with pytest.raises(CommandError, match="no tables"):
            call_command("backup", str(tmp_path / "second.jsonl.gz"))


def test_through_a_pipe(using, released, empty, capfdbinary, monkeypatch):
    """A backup goes to standard output and is restored from standard input, as under compose."""
    with using(released):
        call_command("backup", "-")
    data = capfdbinary.readouterr().out
    assert gzip.decompress(data).endswith(b"}\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    with using(empty):
        call_command("restore", "-")
    assert tables(released) == tables(empty)


def test_a_night_without_a_backup_is_noticed(tmp_path):
    folder = tmp_path / "backups"
    assert nightly.was_missed(folder)
    folder.mkdir()
    (folder / "nightly-20260101-023000.jsonl.gz").touch()
    (folder / "by-hand.jsonl.gz").touch()
    assert nightly.was_missed(folder)
    nightly.new_path(folder).touch()
    assert not nightly.was_missed(folder)


def test_nightly_backups_of_seven_days_and_four_weeks_are_kept():
    newest = datetime(2026, 11, 26, 2, 30, tzinfo=UTC)  # a Thursday
    nights = {newest - timedelta(days=number) for number in range(60)}
    twice = newest - timedelta(hours=1)  # the site was set up anew on the same day
    days = {newest - timedelta(days=number) for number in range(7)}
    sundays = {newest - timedelta(days=number) for number in (4, 11, 18, 25)}
    assert nightly.kept({*nights, twice}) == days | sundays
    weekly = {newest - timedelta(weeks=number) for number in range(9)}
    assert len(nightly.kept(weekly)) == 7
    assert nightly.kept([]) == set()


def test_nightly_backups_kept_night_by_night_reach_back_over_three_weeks():
    there: set[datetime] = set()
    for number in range(100):
        there = nightly.kept({*there, datetime(2026, 4, 1, tzinfo=UTC) + timedelta(days=number)})
        assert number < 28 or 22 <= (max(there) - min(there)).days <= 28
    assert len(there) <= 11


def test_a_nightly_backup_deletes_old_nightly_backups_only(using, released, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    folder = tmp_path / "backups"
    folder.mkdir()
    others = {"before-1.0.0-20200101-000000-000000.jsonl.gz", "nightly-mine.jsonl.gz", "copy"}
    old = {f"nightly-202001{day:02}-023000.jsonl.gz" for day in range(1, 32)}
    for name in others | old:
        (folder / name).touch()
    with using(released):
        call_command("backup", "--nightly", verbosity=0)
    left = {path.name for path in folder.iterdir()}
    assert others < left
    # These are the last six days before the new one, and the ends of two further weeks.
    days = (12, 19, *range(26, 32))
    assert left & old == {f"nightly-202001{day}-023000.jsonl.gz" for day in days}
    (new,) = left - others - old
    with (folder / new).open("rb") as file:
        assert gzip.decompress(file.read()).endswith(b"}\n")
