"""A ZIP that is no roster, is damaged or is too large is refused."""

import io
import json
import zipfile

import pytest
from django.core.management import call_command

from tests.oneroster import BULK, packed, tables
from tests.web.rosters.roster_command import answer_of, places_of, roster

pytestmark = pytest.mark.django_db


def zip_of(files, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return file.getvalue()


def damaged(content):
    """Return the ZIP with other bytes in the middle of its first file."""
    return content[:60] + bytes(20) + content[80:]


MANIFEST = b"propertyName,value\r\noneroster.version,1.2\r\n" * 9


@pytest.mark.parametrize(
    ("content", "file"),
    [
        (b"", "roster.zip"),
        (b"no zip", "roster.zip"),
        (zip_of([("manifest.csv", MANIFEST)])[:-30], "roster.zip"),
        (damaged(zip_of([("manifest.csv", MANIFEST)])), "manifest.csv"),
        (zip_of([]), "manifest.csv"),
        (zip_of([("folder/manifest.csv", MANIFEST)]), "manifest.csv"),
        (zip_of([("manifest.csv", MANIFEST), ("../users.csv", b"")]), "../users.csv"),
        (zip_of([("manifest.csv", MANIFEST), ("/users.csv", b"")]), "/users.csv"),
        (zip_of([("manifest.csv", MANIFEST), ("..\\users.csv", b"")]), "..\\users.csv"),
        (zip_of([("manifest.csv", MANIFEST), ("C:\\users.csv", b"")]), "C:\\users.csv"),
        (zip_of([("manifest.csv", MANIFEST)], zipfile.ZIP_BZIP2), "manifest.csv"),
        (zip_of([(f"{n}.csv", b"") for n in range(101)]), "roster.zip"),
        (zip_of([("manifest.csv", "propertyName,値".encode("cp932"))]), "manifest.csv"),
        (zip_of([("manifest.csv", b'propertyName,value\r\n"a"b,c\r\n')]), "manifest.csv"),
    ],
)  # fmt: skip
def test_a_zip_that_is_no_roster_is_refused(content, file):
    report, code = roster(content)
    assert (code, report["errors"][0]["file"]) == (1, file)


def test_a_roster_comes_from_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(packed(BULK))))
    report, code = answer_of("-")
    assert (code, report["stored"], report["errors"]) == (0, True, [])
    assert roster(packed(BULK))[0]["users"]["new"] == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert answer_of("-")[0]["errors"][0]["file"] == "-"


def test_a_folder_in_the_zip_is_named():
    [error] = roster(zip_of([("2026/roster/manifest.csv", MANIFEST)]))[0]["errors"]
    assert "folder “2026/roster”" in error["message"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_that_is_there_twice_is_refused():
    twice = zip_of([("manifest.csv", MANIFEST), ("manifest.csv", MANIFEST)])
    assert roster(twice)[0]["errors"][0]["file"] == "manifest.csv"


def test_a_password_is_named():
    content = bytearray(zip_of([("manifest.csv", MANIFEST)]))
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        content[content.index(mark) + offset] |= 1
    report, _code = roster(bytes(content))
    assert "password" in report["errors"][0]["message"]


def test_a_bomb_is_refused_whatever_size_it_claims(monkeypatch):
    monkeypatch.setattr("puzzleclass.rosters.zip_files.MAX_BYTES", 100_000)
    content = zip_of([("manifest.csv", bytes(200_000))])
    assert "100" not in roster(content)[0]["errors"][0]["file"]
    size = (200_000).to_bytes(4, "little")
    report, code = roster(content.replace(size, (500).to_bytes(4, "little")))
    assert (code, report["stored"]) == (1, False)


def test_a_zip_that_grows_a_hundredfold_is_refused():
    content = zip_of([("manifest.csv", MANIFEST), ("users.csv", b"," * 2_000_000)])
    assert len(content) < 20_000
    [error] = roster(content)[0]["errors"]
    assert (error["file"], error["line"]) == ("roster.zip", 0) and "far larger" in error["message"]


@pytest.mark.parametrize("row", ["," * 100_001, '"\n",' * 25_001, f'"{"a" * 100_001}"'])
def test_a_row_without_end_is_refused(row):
    with zipfile.ZipFile(io.BytesIO(packed(tables()))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["users.csv"] += row.encode() + b"\n"
    report, code = roster(zip_of(files.items()))
    assert code == 1 and ("users.csv", len(BULK["users"]) + 1, "") in places_of(report)


@pytest.mark.parametrize(("name", "said"), [("none.zip", "no such file"), ("", "a folder")])
def test_a_file_that_can_t_be_opened_is_an_error_as_any_other(tmp_path, name, said):
    path, out = tmp_path / name, io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("roster", str(path), "--language", "en", stdout=out)
    report = json.loads(out.getvalue())
    assert (ended.value.code, report["stored"], report["error_count"]) == (1, False, 1)
    assert report["errors"][0]["file"] == path.name and said in report["errors"][0]["message"]
