"""The form in which two texts that people have typed are compared.

A person types the same name in many forms: in full width or half width, in hiragana or katakana, in
capitals, with the character of the family register or the usual one, with a character that nobody
sees. Whatever is stored keeps the form in which it was typed; only comparisons use the folded form.

A database compares by `contains`, a condition for every word of a search. It needs no column of its
own: the pattern lists the characters that fold to the same one.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from django.db.models import Q

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
"""The characters that nobody sees, as a set in a regular expression. Those that choose the form of
the character before them (U+FE00, U+E0100) are among them."""

_INVISIBLE = re.compile(f"[{INVISIBLE}]")

VARIANTS = (
    "高髙", "吉𠮷", "崎﨑嵜碕", "辺邊邉", "斎齋斉齊", "浜濱濵", "島嶋嶌", "沢澤", "桜櫻",
    "広廣", "国國圀", "真眞", "徳德", "恵惠", "竜龍", "滝瀧", "黒黑", "静靜",
    "緑綠", "瀬瀨", "栄榮", "渋澁", "関關", "塩鹽", "鉄鐵", "条條", "万萬",
    "円圓", "実實", "宝寶", "寿壽", "弥彌", "巌巖", "曽曾", "来來", "桧檜",
    "峰峯", "蔵藏", "豊豐", "遥遙", "亀龜", "槙槇", "尭堯", "凜凛", "冨富",
    "穂穗", "清淸", "柳栁", "土圡", "総總", "収收", "学學", "経經", "芸藝",
    "郎郞", "薫薰", "舘館", "桑桒", "戸戶", "内內", "祇祗", "児兒", "将將",
    "奨奬", "奥奧", "応應", "気氣", "団團", "壮壯", "県縣", "礼禮", "禄祿",
    "稲稻", "荘莊", "衛衞", "覚覺", "証證", "鶏鷄", "麦麥", "予豫", "仏佛",
    "伝傳", "会會", "楽樂", "歩步", "帰歸", "検檢", "灯燈", "当當", "独獨",
    "画畫", "糸絲", "翠翆", "亘亙", "頼賴", "雑雜", "双雙", "勲勳", "与與",
    "乗乘", "剣劍", "悦悅", "説說", "鋭銳", "閲閱", "産產", "彦彥", "顔顏",
    "頬頰", "剥剝", "侠俠", "砺礪", "祢禰", "桝枡", "鴬鶯", "鴎鷗", "籠篭",
    "藪薮籔", "纒纏",
)  # fmt: skip
"""Characters that stand for one another in names. The first of each is the folded form."""


def _character_table() -> dict[int, str]:
    variants = {other: signs[0] for signs in VARIANTS for other in signs[1:]}
    kana = {chr(code): chr(code - 0x60) for code in (*range(0x30A1, 0x30F7), 0x30FD, 0x30FE)}
    return {ord(sign): form for sign, form in (variants | kana).items()}


_TABLE = _character_table()


def folded(text: str) -> str:
    """Return the text in half width, lower case and hiragana, with the usual forms of characters
    and without invisible ones. Gaps become one space each."""
    if text.isascii():
        return " ".join(text.lower().split())
    half = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold().translate(_TABLE)
    return " ".join(half.split())


def contains(word: str, *fields: str) -> Q:
    """Return the condition that one of the fields holds the word, in whatever form."""
    pattern = _pattern(word)
    condition = Q()
    for field in fields:
        condition |= Q(**{f"{field}__icontains": word})
        if pattern:
            condition |= Q(**{f"{field}__regex": pattern})
    return condition


def contains_all(words: Iterable[str], *fields: str) -> Q:
    """Return the condition that each of the words is in one of the fields, in whatever form."""
    condition = Q()
    for word in words:
        condition &= contains(word, *fields)
    return condition


def _pattern(word: str) -> str:
    """Return a regular expression for SQLite and PostgreSQL that finds the word in every form."""
    signs = "".join(folded(word).split())
    return f"[\\s{INVISIBLE}]*".join(_one_of(sign) for sign in signs)


def _one_of(sign: str) -> str:
    """Return the expression for all characters, and pairs of a kana and its mark, that fold to the
    character."""
    forms = f"[{_in_set(sign)}{''.join(map(_in_set, _forms().get(sign, ())))}]"
    kana, mark = sign, ""
    if len(parts := unicodedata.normalize("NFD", sign)) == 2:
        kana, mark = parts[0], parts[1]
    if mark in ("\u3099", "\u309a"):
        marks = "\u3099ﾞ" if mark == "\u3099" else "\u309aﾟ"
        return f"({forms}|{_one_of(kana)}[{marks}])"
    return forms


def _in_set(sign: str) -> str:
    return f"\\{sign}" if sign in "\\]^-[" else sign


@cache
def _forms() -> dict[str, list[str]]:
    """Return each folded character -> the other characters that fold to it."""
    forms: dict[str, list[str]] = defaultdict(list)
    codes = (*range(0x20, 0xD800), *range(0xF900, 0x1F200), *range(0x2F800, 0x2FA1E))
    for code in {*codes, *_TABLE}:
        sign = chr(code)
        if len(form := folded(sign)) == 1 and form != sign:
            forms[form].append(sign)
    return {form: sorted(signs) for form, signs in forms.items()}
