"""Read the tables of pages and of the files made from them as rows of texts."""

import csv
import io
import re
from datetime import datetime, timedelta
from html import unescape

from django.test import Client
from openpyxl import load_workbook

Rows = list[list[str]]


def shown_everywhere(client: Client, url: str, asked: dict[str, str]) -> tuple[Rows, Rows, Rows]:
    """Return the table as the page, the CSV file and the Excel file show it."""
    page = client.get(url, asked).content.decode()
    as_csv = client.get(url, asked | {"format": "csv"}).content
    assert as_csv.startswith(b"\xef\xbb\xbf")
    as_excel = client.get(url, asked | {"format": "xlsx"}).content
    sheet = load_workbook(io.BytesIO(as_excel)).active
    return (
        _on_screen(page),
        list(csv.reader(io.StringIO(as_csv.decode("utf-8-sig")))),
        [[_as_text(value) for value in row] for row in sheet.iter_rows(values_only=True)],
    )


def _on_screen(page: str) -> Rows:
    """Return the table of the page. A heading above several columns stands above each of them."""
    return [
        [
            " ".join(unescape(re.sub(r"<[^>]+>", "", cell)).split())
            for span, cell in re.findall(
                r'<t[hd](?: scope="colgroup")?(?: colspan="(\d+)")?[^>]*>(.*?)</t[hd]>', row, re.S
            )
            for _column in range(int(span or 1))
        ]
        for row in re.findall(r"<tr>(.*?)</tr>", page, re.S)
    ]


def _as_text(value: object) -> str:
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, datetime):
        has_time = value.time() != value.min.time()
        return value.strftime("%Y-%m-%d %H:%M" if has_time else "%Y-%m-%d")
    return "" if value is None else str(value)
