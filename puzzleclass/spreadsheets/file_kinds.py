"""Files that are neither text nor workbooks: what they are, and what a teacher can do."""

import io
import re
import zipfile
import zlib

from django.utils.translation import gettext as _

_ZIP, _COMPOUND = b"PK", b"\xd0\xcf\x11\xe0"
_OPEN_TABLE = b"application/vnd.oasis.opendocument.spreadsheet"
_IMAGES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"BM")
_PICTURE_BRANDS = (b"heic", b"heix", b"mif1", b"avif", b"webp")
_MARKUP = re.compile(
    rb"\s*(<!doctype html|<html|<head|<meta|<table|<div|<style|<!--)", re.IGNORECASE
)


def is_workbook(data: bytes) -> bool:
    """Return whether the file is to be read as a workbook (.xlsx or .ods), however damaged."""
    return data.startswith(b"PK\x03\x04") and refusal(data) == ""


def refusal(data: bytes) -> str:
    """Return a sentence that says what the file is and what to do; empty if it may be read."""
    start = data.removeprefix(b"\xef\xbb\xbf")[:4000]
    if start.lstrip().startswith(b"%PDF"):
        return _(
            "This is a PDF. Ask for it as an Excel workbook or CSV, or copy the text from it and "
            "paste it into the box."
        )
    if start.startswith(_COMPOUND):
        return _compound(data)
    if start.startswith(_ZIP):
        return _packed(data)
    if start.startswith(_IMAGES) or start[8:12] in _PICTURE_BRANDS or start[8:12] == b"WEBP":
        return _("This is a picture. Type what it shows into the box.")
    if start.lstrip().startswith(b"{\\rtf"):
        return _word()
    if b"mso-application" in start and b"Excel.Sheet" in start:
        return _web_page()
    plain = start.replace(b"\0", b"").lstrip(b"\xff\xfe")
    if _MARKUP.match(plain) or plain.lstrip().startswith(b"MIME-Version:"):
        return _web_page()
    return ""


def text_refusal(text: str) -> str:
    """Return the sentence if a pasted text is the source of another kind of file."""
    start = text.lstrip()[:200]
    return refusal(start.encode("utf-8", "replace")) if start[:1] in ("<", "%", "{", "M") else ""


def _word() -> str:
    return _("This is a Word document. Copy the table from it and paste it into the box.")


def _web_page() -> str:
    return _(
        "This is a web page, though it may be named .xls. Open it in Excel and save it as an Excel "
        "workbook (.xlsx)."
    )


def _compound(data: bytes) -> str:
    """Return the sentence about a file of Office before 2007, or with a password."""

    def has(name: str) -> bool:
        return name.encode("utf-16-le") in data

    if has("EncryptedPackage"):
        # Excel puts a workbook that a password protects into this part.
        return _(
            "A password protects this workbook. Remove the password in Excel and save it again."
        )
    if has("WordDocument"):
        return _word()
    return _("This file has the old Excel format (.xls). Save it as .xlsx or CSV.")


def _is_open_table(packed: zipfile.ZipFile) -> bool:
    """Return whether the file is an OpenDocument spreadsheet (.ods)."""
    if "mimetype" not in packed.namelist():
        return False
    with packed.open("mimetype") as kind:
        return kind.read(len(_OPEN_TABLE)) == _OPEN_TABLE


def _packed(data: bytes) -> str:
    """Return the sentence about a ZIP file that is no workbook."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = packed.namelist()[:2000]
            is_table = "content.xml" in names and _is_open_table(packed)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, RuntimeError, zlib.error):
        return ""  # The reader of workbooks says that it is damaged.
    if "xl/workbook.xml" in names or is_table:
        return ""
    if "xl/workbook.bin" in names:
        return _("This is a binary Excel workbook (.xlsb). Save it as .xlsx or CSV.")
    if any(name.endswith(".iwa") for name in names) or "Index.zip" in names:
        return _(
            "This is a file of Numbers or Pages. Export it in Numbers: File, Export To, Excel or "
            "CSV."
        )
    if any(name.startswith("word/") for name in names):
        return _word()
    if "content.xml" in names:
        return _("This is an OpenDocument text. Copy the table from it and paste it into the box.")
    if any(name.startswith("ppt/") for name in names):
        return _("This is a presentation. Copy the text from it and paste it into the box.")
    if "[Content_Types].xml" in names:
        return ""
    return _("This is a ZIP file. Unpack it and choose the file that is in it.")
