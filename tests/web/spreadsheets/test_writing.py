"""Workbooks and CSV files open whatever the texts in them are, and hold no formula of a user."""

import io

import pytest
from openpyxl import load_workbook

from puzzleclass.spreadsheets.writing import csv_row, workbook_bytes


@pytest.mark.parametrize("sign", ["\ufffe", "\uffff", "\x01", "\x0b"])
def test_a_text_that_xml_can_not_hold_leaves_the_workbook_readable(sign):
    book = load_workbook(io.BytesIO(workbook_bytes(["a"], [[f"x{sign}y"]], title=f"t{sign}")))
    assert book.active.title == "t"
    assert book.active["A2"].value == "xy"


@pytest.mark.parametrize(
    ("title", "sheet"),
    [
        ("𠮷" * 31, "𠮷" * 15),
        ("'4-2'", "4-2"),
        ("x" * 30 + "'y", "x" * 30),
        ("a" * 30 + "𠮷", "a" * 30),
    ],
)
def test_a_sheet_has_a_title_that_excel_takes(title, sheet):
    book = load_workbook(io.BytesIO(workbook_bytes(["a"], [["b"]], title=title)))
    assert book.active.title == sheet


@pytest.mark.parametrize("start", ["", " ", "\u200b", "\ufeff", "\u00ad ", "\ufe0f", "\u2060\x01"])
@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝"])
def test_a_formula_behind_an_invisible_character_is_a_text(start, sign):
    [cell] = csv_row([f"{start}{sign}1+1"])
    assert cell.startswith("'")
