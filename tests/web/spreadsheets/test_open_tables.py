"""OpenDocument spreadsheets (.ods) are read as workbooks of Excel are."""

import io
import zipfile

import pytest
from django.utils import translation

from puzzleclass.classes.roster_reading import read_roster
from puzzleclass.spreadsheets.encodings import SheetError
from puzzleclass.spreadsheets.reading import rows_of, text_of_file
from puzzleclass.spreadsheets.workbook_reader import MAX_ROWS

KIND = "application/vnd.oasis.opendocument.spreadsheet"
PREFIX = "urn:oasis:names:tc:opendocument:xmlns"
NAMES = " ".join(f'xmlns:{each}="{PREFIX}:{each}:1.0"' for each in ("office", "table", "text"))
EMPTY = (
    '<table:table-row table:number-rows-repeated="{}">'
    '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
)


@pytest.fixture(autouse=True)
def _english():
    with translation.override("en"):
        yield


def document(tables, kind=KIND):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("mimetype", kind, zipfile.ZIP_STORED)
        packed.writestr("META-INF/manifest.xml", "<manifest/>")
        packed.writestr(
            "content.xml",
            f"<office:document-content {NAMES}><office:body><office:spreadsheet>{tables}"
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return file.getvalue()


def table(*rows, name="Sheet1"):
    return f'<table:table table:name="{name}">{"".join(rows)}</table:table>'


def cell(value):
    of_type = f'"float" office:value="{value}"' if isinstance(value, int) else '"string"'
    return (
        f"<table:table-cell office:value-type={of_type}><text:p>{value}</text:p></table:table-cell>"
    )


def row(*values, form=""):
    return f"<table:table-row{form}>{''.join(map(cell, values))}</table:table-row>"


HEAD = row("番号", "氏名")
FORMULA = '<table:table-cell table:formula="of:=[.A1]&amp;&quot;>&quot;"/>'


def test_a_list_is_read_with_its_lines():
    text = text_of_file(
        document(table(EMPTY.format(3), HEAD, row(1, "青木 陽菜"), EMPTY.format(10**6)))
    )
    roster = read_roster(text)
    assert [(each.line, each.number, each.name) for each in roster.entries] == [(5, 1, "青木 陽菜")]


@pytest.mark.parametrize("hides", ["filter", "collapse"])
def test_hidden_rows_and_formulas_without_values_are_known(hides):
    hidden = row(2, "石川 蓮", form=f' table:visibility="{hides}"')
    missing = f"<table:table-row>{cell(3)}{FORMULA}</table:table-row>"
    text = text_of_file(document(table(HEAD, row(1, "青木 陽菜"), hidden, missing)))
    roster = read_roster(text)
    assert "hidden, perhaps by a filter" in roster.questions[0].text
    assert [bool(each.lacks_value) for each in roster.entries] == [False, False, True]


def test_several_sheets_keep_their_names():
    text = text_of_file(
        document(
            table(HEAD, row(1, "青木 陽菜"), name="5-1")
            + table(HEAD, row(1, "石川 蓮"), name="5-2")
        )
    )
    assert read_roster(text).class_names == ["5-1", "5-2"]


def test_repeated_rows_and_columns_have_bounds():
    many = f' table:number-rows-repeated="{10**6}"'
    with pytest.raises(SheetError, match="too large"):
        text_of_file(document(table(row(1, "a", form=many))))
    wide = '<table:table-cell office:value-type="string" table:number-columns-repeated="{}"/>'
    text = text_of_file(
        document(table(f"<table:table-row>{wide.format(10**5)}{cell('a')}</table:table-row>", HEAD))
    )
    assert "氏名" in text
    with pytest.raises(SheetError):
        text_of_file(document(table("<table:table-row/>" * 3_000_000)))


def test_a_text_document_is_refused_by_name():
    with pytest.raises(SheetError, match="OpenDocument text"):
        text_of_file(document("", "application/vnd.oasis.opendocument.text"))
    with pytest.raises(SheetError, match="damaged"):
        text_of_file(document("<table:table>"))


def test_the_names_of_sheets_are_no_rows_of_a_list():
    rows = "\n".join(f"{number}\tA" for number in range(1, MAX_ROWS + 1))
    assert len(rows_of(f"◇ a\n{rows}\n◇ b\t(hidden sheet)")) == MAX_ROWS + 2
    with pytest.raises(SheetError, match="too long"):
        rows_of(f"{rows}\n1\tA")
