"""The characters of a text file: in which encoding they are, and whether they are damaged."""

import re
from itertools import islice
from unicodedata import normalize

from django.utils.translation import gettext as _

MAX_CHECKED_LINES = 4_000
"""The most lines whose characters are looked at. A list that has more students is too long."""


class SheetError(Exception):
    """The file or text can't be read. The message says why, in the reader's language."""


_SHIFTED = re.compile(rb"\x1b\$[@B]|\x1b\([JI]|\x1b\$\(D")
"""The escapes by which ISO-2022-JP, the encoding of old mail, begins Japanese."""
_SIGNS_OF_UTF_8 = re.compile("[縺繧繝蜷螟荳邨蛻]")
"""Kanji into which the first bytes of Japanese in UTF-8 turn when they are read as CP932."""
_ENTITY = re.compile(r"&#x?[0-9a-fA-F]{2,6};|(?:=[0-9A-F]{2}){3}")


def text_of_bytes(data: bytes) -> str:
    """Return the text of a file in any of the usual encodings. Raises SheetError."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _decoded(data, "utf-16")
    if b"\0" in data:
        return _decoded(data, _utf_16(data))
    if _SHIFTED.search(data) and all(byte < 128 for byte in data):
        return _decoded(data, "iso2022_jp_ext")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    likely = {
        encoding: text
        for encoding in ("cp932", "euc_jp", "cp1252")
        if (text := _decoded_or_none(data, encoding)) is not None
    }
    if _is_korean(data):
        likely = {}
    plausible = {encoding: _plausibility(text) for encoding, text in likely.items()}
    best = max(plausible, key=lambda encoding: plausible[encoding], default="")
    if best and plausible[best] >= 0.7:
        return likely[best]
    _refuse_mixture(data)
    raise SheetError(
        _(
            "The encoding of this file is not known. Open it in the program that wrote it, and "
            "save it as CSV in UTF-8 or as an Excel workbook (.xlsx)."
        )
    )


def _decoded_or_none(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _decoded(data: bytes, encoding: str) -> str:
    text = _decoded_or_none(data, encoding) if encoding else None
    if text is None or "\0" in text:
        raise SheetError(_("This file is neither a CSV file nor an Excel workbook (.xlsx)."))
    return text


def _utf_16(data: bytes) -> str:
    """Return the byte order of UTF-16 without a mark; empty if it is no text.

    In the wrong order, line ends and digits turn into signs that no list contains.
    """
    texts = {order: _decoded_or_none(data, order) for order in ("utf-16-le", "utf-16-be")}
    likely = {
        order: _plausibility(text) - text.count("\0")
        for order, text in texts.items()
        if text and re.search(r"[\n\t,0-9 ]", text)
    }
    best = max(likely, key=lambda order: likely[order], default="")
    return best if best and likely[best] >= 0.7 else ""


def _plausibility(text: str) -> float:
    """Return the part of the characters beyond ASCII that lists and boards usually contain."""
    foreign = [character for character in text if character > "\x7f"]
    if not _is_readable(text):
        return 0
    return sum(map(_likelihood, foreign)) / len(foreign) if foreign else 1


def _is_readable(text: str) -> bool:
    """Return whether the text has no control characters, and no single kanji inside a Latin word,
    into which a letter with an accent turns."""
    if any(character < " " and character not in "\t\r\n\f\v" for character in text):
        return False
    return not re.search(r"[A-Za-z][一-鿿][a-z]|[a-z]{2}[一-鿿](?![一-鿿])", text)


def _likelihood(character: str) -> float:
    if "ｦ" <= character <= "ﾟ":
        return 0.9
    if character in "､｡｢｣･":
        return 0
    if "぀" <= character <= "ヿ" or "　" <= character <= "〿" or "！" <= character <= "｝":
        return 1
    if "─" <= character <= "⛿":
        return 0.9  # Lines and signs, as in diagrams of boards.
    if "一" <= character <= "鿿":
        return 1 if _is_common_kanji(character) else 0.6
    return 0.95 if "À" <= character <= "ÿ" and character not in "×÷" else 0


def _is_common_kanji(character: str) -> bool:
    """Return whether the character is of the first level of JIS, which sorts kanji by use."""
    try:
        return b"\xb0" <= character.encode("euc_jp")[:1] <= b"\xcf"
    except UnicodeEncodeError:
        return False


def _is_korean(data: bytes) -> bool:
    """Return whether the bytes are Korean in EUC-KR, which would pass for kanji in EUC-JP."""
    text = _decoded_or_none(data, "euc_kr") or ""
    foreign = [character for character in text if character > "\x7f"]
    return bool(foreign) and all("가" <= character <= "힣" for character in foreign)


def _refuse_mixture(data: bytes) -> None:
    """Raise a SheetError that names the line if one line is in another encoding than the first."""
    first = ""
    for number, line in enumerate(data.splitlines(), 1):
        if all(byte < 128 for byte in line):
            continue
        fits = (e for e in ("utf-8", "cp932", "euc_jp") if _fits(line, e))
        encoding = next(fits, "")
        if first and encoding != first:
            wrong = _(
                "The characters of line {line} are in another encoding than those above. Save the "
                "parts of this file as Excel workbooks (.xlsx), or paste them into the box."
            )
            raise SheetError(wrong.format(line=number))
        first = first or encoding


def _fits(line: bytes, encoding: str) -> bool:
    text = _decoded_or_none(line, encoding)
    return text is not None and _plausibility(text) >= 0.7


def check_characters(text: str) -> None:
    """Raise a SheetError that names the line if a text was read in a wrong encoding before it came
    here."""
    for number, line in enumerate(islice(text.splitlines(), MAX_CHECKED_LINES), 1):
        if is_garbled(line):
            wrong = _(
                "The characters of line {line} are damaged: “{text}”. They were so before they "
                "came here. Take the list from the original file."
            )
            raise SheetError(wrong.format(line=number, text=line.strip()[:20]))


def is_garbled(line: str) -> bool:
    """Return whether the line is what becomes of Japanese that is read in a wrong encoding."""
    if line.isascii():
        cells = re.split(r"[\t,; ]", line)
        return bool(_ENTITY.search(line)) or any(re.fullmatch(r"\?{2,}", cell) for cell in cells)
    if "\ufffd" in line or re.search(r"[\x80-\x84\x86-\x9f]", line):
        return True
    if len(_SIGNS_OF_UTF_8.findall(line)) > 1 or re.search(
        r"[ÃãäåæçèéÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹Œ]", line
    ):
        return True
    if any(re.fullmatch(r"\?{2,}", cell) for cell in re.split(r"[\t,; ]", line)):
        return True
    strange = re.findall(r"[¡-¿×÷ƒˆ˜–—‘’‚“”„†‡•…‰‹›€™˙]", normalize("NFC", line))
    latin = re.findall(r"[À-ÖØ-öø-ÿ]", line)
    is_japanese = re.search(r"[぀-ヿ一-鿿]", line)
    return not is_japanese and len(strange) + len(latin) > 3 and 3 * len(strange) > len(latin)
