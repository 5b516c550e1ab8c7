"""Uploaded workbooks are read or refused with a sentence, soon, whatever they contain."""

import io
import random
import resource
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import translation
from openpyxl import Workbook

from puzzleclass.classes.roster_reading import read_roster
from puzzleclass.spreadsheets import reading, workbook_reader
from puzzleclass.spreadsheets.encodings import SheetError
from puzzleclass.spreadsheets.reading import rows_of, text_of_file
from puzzleclass.spreadsheets.writing import workbook_bytes

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"/>',
    "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" '
    f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
    '<sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
    "</Relationships>",
    "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}"><si><t>Abe</t></si></sst>',
}
ROW = '<row><c><v>1</v></c><c t="s"><v>0</v></c></row>'


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


def workbook(rows: str = ROW, compression: int = zipfile.ZIP_DEFLATED, **parts: str) -> bytes:
    """Return a workbook with these rows. `parts` replace others, chosen by the ends of their
    names."""
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as packed:
        for name, text in (PARTS | {"xl/worksheets/sheet1.xml": sheet}).items():
            replaced = next((parts[end] for end in parts if f"{end}.xml" in name), text)
            packed.writestr(name, replaced)
    return file.getvalue()


def encrypted() -> bytes:
    """Return a workbook whose parts say that they are encrypted."""
    data = bytearray(workbook())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        while at >= 0:
            data[at + flags] |= 1
            at = data.find(mark, at + 4)
    return bytes(data)


def strings(texts: str) -> str:
    return f'<sst xmlns="{MAIN}">{texts}</sst>'


LARGE = {
    "two million empty rows": lambda: workbook("<row/>" * 2_000_000),
    "two million times the first row": lambda: workbook('<row r="1"/>' * 2_000_000),
    "a million cells in one row": lambda: workbook(f"<row>{'<c><v>1</v></c>' * 1_000_000}</row>"),
    "all columns of many rows": lambda: workbook(f"<row>{'<c/>' * 16_384}</row>" * 100),
    "a cell in the last row and column": lambda: workbook(
        f'{ROW}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    ),
    "five million shared strings": lambda: workbook(sharedStrings=strings("<si/>" * 5_000_000)),
    "a long string in each cell": lambda: workbook(
        ("<row>" + '<c t="s"><v>0</v></c>' * 40 + "</row>") * 1000,
        sharedStrings=strings(f"<si><t>{'x' * 100_000}</t></si>"),
    ),
    "300 MB of blanks": lambda: workbook(" " * 300_000_000),
    "four million elements in each other": lambda: workbook("<a>" * 4_000_000),
}


@pytest.mark.parametrize("what", LARGE)
def test_a_small_file_with_much_inside_takes_two_seconds_at_most(what):
    """It is read or refused. The limits hold in the process that reads, not in the site's."""
    data = LARGE[what]()
    assert len(data) <= 1_000_000
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.thread_time()
    try:
        rows_of(text_of_file(data))
    except SheetError as error:
        assert "too large" in str(error)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert spent < workbook_reader.CPU_SECONDS + 0.5
    assert time.thread_time() - started < 0.5


@pytest.mark.parametrize("endless", ["while True: pass", "bytearray(2 * r.MEMORY_BYTES)"])
def test_the_reader_ends_at_its_limits_of_time_and_memory(endless):
    """No workbook is known that makes the reader work for so long, so its work is replaced."""
    folder = str(Path(workbook_reader.__file__).parent)
    code = f"""if True:
        import sys
        sys.path.insert(0, {folder!r})
        import workbook_reader as r
        def work(data):
            {endless}
        r.CPU_SECONDS, r.sheets_of_workbook = 1, work
        r.main()
    """
    done = subprocess.run([sys.executable, "-c", code], input=b"", capture_output=True, timeout=60)
    assert done.returncode in reading._LIMITS or b"MemoryError" in done.stderr


def test_a_stray_cell_far_down_is_no_reason_to_refuse_a_list():
    far = '<row r="60000"><c r="B60000" t="s"><v>0</v></c></row>'
    assert [row.cells for row in rows_of(text_of_file(workbook(ROW + far)))] == [
        ["1", "Abe"],
        ["", "Abe"],
    ]


def test_a_cell_in_the_last_row_of_excel_is_refused_at_once():
    far = '<row r="1048576"><c r="B1048576" t="s"><v>0</v></c></row>'
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with pytest.raises(SheetError, match="too large"):
        text_of_file(workbook(ROW + far))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime - before.ru_utime < 1


def test_lines_are_numbered_as_in_excel():
    book = Workbook()
    book.active["B3"], book.active["C3"], book.active["B5"] = 1.0, "Abe\nHaruto", 2.5
    file = io.BytesIO()
    book.save(file)
    rows = rows_of(text_of_file(file.getvalue()))
    assert [(row.line, [cell for cell in row.cells if cell]) for row in rows] == [
        (3, ["1", "Abe Haruto"]),
        (5, ["2.5"]),
    ]


@pytest.mark.parametrize(("filler", "columns"), [(0, 2), (0, 45), (300_000, 2)])
def test_hidden_rows_are_marked_however_large_the_sheet(filler, columns):
    cells = "<c><v>1</v></c>" * columns
    empty = '<c s="1" x="yyyyyyyy"/>' * filler
    rows = f"<row r='1'>{empty}</row><row r='2'>{cells}</row><row r='3' hidden='1'>{cells}</row>"
    shown, hidden = rows_of(text_of_file(workbook(rows)))
    assert "(hidden row)" not in shown.cells
    assert hidden.cells[-1] == "(hidden row)"


def test_formulas_without_values_are_rows_of_their_own():
    rows = "".join(f'<row r="{n}"><c r="A{n}"><f>B{n}</f></c></row>' for n in range(1, 4))
    assert [row.cells for row in rows_of(text_of_file(workbook(rows)))] == [
        ["(formula without a value)"]
    ] * 3


def test_a_list_of_formulas_without_values_is_refused_with_the_reason():
    book = Workbook()
    book.active.append(["番号", "氏名"])
    for n in range(2, 6):
        book.active.append([f"=Sheet2!A{n}", f"=Sheet2!B{n}"])
    file = io.BytesIO()
    book.save(file)
    assert (
        "formulas whose values are not stored" in read_roster(text_of_file(file.getvalue())).fault
    )


def test_one_row_too_many_is_named():
    rows = [(number, "Abe") for number in range(reading.MAX_ROWS + 50)]
    with pytest.raises(SheetError, match="from line 2001 on"):
        rows_of(text_of_file(workbook_bytes(["No", "Name"], rows)))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (encrypted(), "damaged"),
        (workbook(compression=zipfile.ZIP_LZMA), "damaged"),
        (workbook(workbook="<workbook/>"), "damaged"),
        (b"PK\x03\x04 broken", "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old", "old Excel format"),
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "password"),
    ],
)
def test_unreadable_files_are_reported(teacher_client, data, said):
    with pytest.raises(SheetError, match=said):
        text_of_file(data)
    fields = {"name": "5-1", "file": SimpleUploadedFile("list.xlsx", data)}
    answer = teacher_client.post("/classes/new/", fields)
    assert answer.status_code == 422
    assert said in answer.content.decode()


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2])
def test_other_compressions_are_read_or_refused(compression):
    try:
        assert rows_of(text_of_file(workbook(compression=compression)))[0].cells == ["1", "Abe"]
    except SheetError as error:
        assert "damaged" in str(error)


def test_damage_never_leads_to_anything_but_a_sentence():
    """Bytes are changed and files cut off at random, in two workbooks from different programs."""
    dice = random.Random(14)
    whole = [workbook(), workbook_bytes(["No", "Name"], [(1, "Abe"), (2, "Ito")])]
    refused = 0
    for number in range(120):
        data = bytearray(whole[number % 2])
        for _ in range(dice.choice((1, 3, 20))):
            data[dice.randrange(4, len(data))] = dice.randrange(256)
        if number % 4 == 0:
            del data[dice.randrange(4, len(data)) :]
        try:
            rows_of(text_of_file(bytes(data)))
        except SheetError as error:
            refused += 1
            assert str(error)
    assert refused > 30


def test_a_crowd_of_uploads_leaves_threads_for_pages(monkeypatch):
    """An upload that arrives while others are read is refused at once."""
    begun, may_end = Event(), Event()
    run = reading.subprocess.run

    def slow(*args: object, **options: object) -> object:
        begun.set()
        may_end.wait(10)
        return run(*args, **options)

    monkeypatch.setattr(reading.subprocess, "run", slow)
    with ThreadPoolExecutor(reading.READERS) as threads:
        uploads = []
        for _ in range(reading.READERS):
            begun.clear()
            uploads.append(threads.submit(text_of_file, workbook()))
            assert begun.wait(10)
        with pytest.raises(SheetError, match="Other workbooks"):
            text_of_file(workbook())
        may_end.set()
        assert [text.result() for text in uploads] == ["1\tAbe"] * reading.READERS
    assert text_of_file(workbook()) == "1\tAbe"


def test_a_workbook_that_takes_too_long_is_too_large(monkeypatch):
    monkeypatch.setattr(reading, "READING_SECONDS", 0)
    with pytest.raises(SheetError) as refused:
        text_of_file(workbook())
    assert str(refused.value) == reading._sentence(workbook_reader.WorkbookFault.TOO_LARGE)


def test_a_line_that_is_no_csv_is_named():
    with pytest.raises(SheetError, match="Line 2 can't be read"):
        rows_of("1,Abe\n2," + "x" * 140_000)
