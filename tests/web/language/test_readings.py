"""Every reading above a word is right in its context.

SudachiPy reads each Japanese text of the catalogues with its dictionary. It knows compounds such as
中央値, 一歩 and か所 as one word. Of the other readers that were compared with it, fugashi with
UniDic and pykakasi, each splits some of them. Where the dictionary reads a word differently, the
difference has been looked at and stands in `REVIEWED`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from sudachipy import Dictionary, SplitMode

from puzzleclass.language import furigana
from puzzleclass.operations.management.commands.messages import SITE, kind_folders, stored

KANJI = re.compile("[一-龥々〆ヶ]")
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w*\}|<[^>]*>")
TO_HIRAGANA = {ord("ァ") + n: ord("ぁ") + n for n in range(86)}


class Read(NamedTuple):
    """A piece of a text as we read it and as the dictionary does."""

    piece: str
    ours: str
    """The reading of the piece. Kanji without a reading stay in it."""
    theirs: str


REVIEWED = {
    # Days are read as a whole; the dictionary reads the number by itself.
    *{("3日", "みっか"), ("30日", "さんじゅうにち"), ("40日", "よんじゅうにち")},
    # Numbers are read as a whole, too; the dictionary reads each digit, or the number by itself.
    *{("2分", "にふん"), ("7分", "ななふん"), ("15分", "じゅうごふん"), ("30分", "さんじゅっぷん")},
    *{("10分", "じゅうぶん"), ("6割", "ろくわり"), ("1日後", "いちにちご"), ("3日後", "みっかご")},
    *{("2分割", "にぶんかつ"), ("4分割", "よんぶんかつ"), ("1200万", "せんにひゃくまん")},
    *{("3355万", "さんぜんさんびゃくごじゅうごまん"), ("9000兆", "きゅうせんちょう")},
    *{("2010年", "にせんじゅうねん"), ("2011年", "にせんじゅういちねん")},
    *{("2014年", "にせんじゅうよねん"), ("2016年", "にせんじゅうろくねん")},
    *{("一歩", "いっぽ"), ("四", "よっ")},
    # Counters, whose number is a placeholder or a digit with its own sound.
    *{("人", "にん"), ("問", "もん"), ("枚", "まい"), ("手", "て"), ("1分", "ぷん")},
    *{("1本", "ぽん"), ("2本", "ほん")},
    # Pieces, stones and groups of stones, which are no everyday words.
    *{("角", "かく"), ("歩", "ふ"), ("香", "きょう"), ("二歩", "にふ"), ("白石", "しろいし")},
    *{("連", "れん"), ("連が", "れんが"), ("連も", "れんも"), ("偶数個", "ぐうすうこ")},
    # A corner is かど, the piece かく.
    ("角", "かど"),
    # Words with two readings, of which the dictionary takes the other one.
    *{("上", "うえ"), ("両端", "りょうはし"), ("他", "ほか"), ("何", "なに"), ("値", "あたい")},
    *{("路", "ろ"), ("表", "ひょう"), ("鏡", "かがみ"), ("偶数", "ぐうすう"), ("今日", "きょう")},
    *{("四", "よ"), ("大文字", "おおもじ"), ("後", "あと"), ("数", "かず"), ("方", "かた")},
    *{
        ("明日", "あした"),
        ("正しく", "ただしく"),
        ("空", "から"),
        ("行", "ぎょう"),
        ("間", "あいだ"),
    },
    *{("先生方", "せんせいがた"), ("計算係", "けいさんがかり"), ("版", "はん")},
    # A page opens for a reader (ひらける); somebody who has a key enters (はいれる).
    *{("開け", "ひらけ"), ("開ける", "ひらける"), ("入れ", "はいれ")},
}
"""Each piece and its reading where ours is right and the dictionary's is not."""


@pytest.fixture(scope="module")
def dictionary():
    return Dictionary().tokenizer()


def texts() -> Iterator[tuple[str, str]]:
    """Yield each Japanese text of the catalogues, and each line of the study pages and of the
    students' help, and the same text with its readings marked."""
    for path in (*(SITE / "locale/ja/studies").iterdir(), SITE / "locale/ja/help/students.md"):
        for line in path.read_text(encoding="utf-8").splitlines():
            plain = re.sub(r"\{\{ [\w.]+ \}\}", "{}", line)
            yield plain, furigana.annotated(plain)
    for home in (SITE, *kind_folders()):
        for entry in stored(home, "ja"):
            strings = [entry.string] if isinstance(entry.string, str) else entry.string
            for text in filter(None, strings if entry.id else ()):
                yield text, furigana.annotated(text, home)


def readings_in(text: str, marked: str, dictionary) -> Iterator[Read]:
    """Yield each piece of the text that holds a word with a reading."""
    spans, at = {}, 0
    for part in re.split(r"(\ue000[^\ue002]*\ue002)", marked):
        word, _, reading = part.strip("\ue000\ue002").partition("\ue001")
        if reading:
            spans[at] = at + len(word), reading
        at += len(word)
    # A placeholder becomes signs of the same number, so that places stay the same.
    blanked = PLACEHOLDER.sub(lambda found: "＿" * len(found[0]), text)
    words = [
        (word.begin(), word.end(), _kana(word))
        for word in dictionary.tokenize(blanked, SplitMode.C)
    ]
    seen: set[int] = set()
    for start, (end, _reading) in spans.items():
        touched = [each for each in words if each[0] < end and each[1] > start]
        first, last = min(start, touched[0][0]), max(end, touched[-1][1])
        # A word of the dictionary may reach further, over the next word with a reading.
        while grown := [
            each for each in spans.items() if first < each[1][0] and each[0] < last < each[1][0]
        ]:
            last = max(last, grown[0][1][0])
            touched = [each for each in words if each[0] < last and each[1] > first]
            first, last = touched[0][0], max(last, touched[-1][1])
        if first in seen:
            continue
        seen.add(first)
        ours, at = "", first
        while at < last:
            reach, reading = spans.get(at, (at + 1, text[at].translate(TO_HIRAGANA)))
            ours, at = ours + reading, reach
        yield Read(text[first:last], ours, "".join(kana for *_, kana in touched))


def _kana(word) -> str:
    """Return the reading of a word in hiragana; of a number, its digits."""
    surface = word.surface()
    return surface if surface.isdigit() else word.reading_form().translate(TO_HIRAGANA)


def agrees(read: Read) -> bool:
    """Return whether both read the piece alike, where ours has a reading."""
    pattern = "".join(".+" if KANJI.match(sign) else re.escape(sign) for sign in read.ours)
    return re.fullmatch(pattern, read.theirs) is not None


def differences(dictionary) -> set[Read]:
    return {
        read
        for text, marked in texts()
        for read in readings_in(text, marked, dictionary)
        if not agrees(read)
    }


def test_every_reading_is_that_of_a_dictionary_or_was_reviewed(dictionary):
    found = {(read.piece, read.ours) for read in differences(dictionary)}
    assert found - REVIEWED == set()
    assert REVIEWED - found == set(), "no longer needed"


def test_the_check_finds_readings_inside_compounds(dictionary):
    """These words were marked wrongly once."""
    for text, marked in (
        ("骨組みを作る", "骨[く]組[ぐ]みを作る"),
        ("30日かかる", "30日[ひ]かかる"),
        ("中央値です", "中央値[あたい]です"),
        ("色を入れかえる", "色を入[はい]れかえる"),
        ("2か所", "2か所[ところ]"),
    ):
        coded = re.sub(r"([一-龥]+)\[([ぁ-ん]+)\]", "\ue000\\1\ue001\\2\ue002", marked)
        assert not all(map(agrees, readings_in(text, coded, dictionary))), text


@pytest.mark.parametrize(
    "text", ["骨組み", "中央値", "数秒", "矢印", "手順前後", "誕生日", "深さ優先", "以前", "数列"]
)
def test_a_word_inside_a_compound_has_no_reading_of_its_own(text):
    """The whole compound is read, or nothing of it."""
    for run in re.findall("[一-龥]+", text):
        marked = furigana.annotated(run)
        assert marked == run or marked.startswith(f"\ue000{run}\ue001"), marked


def test_words_with_several_readings_are_read_as_their_texts_mean_them():
    for text, reading in (
        ("行き止まり", "い"), ("後ろ", "うし"), ("入れる", "い"), ("30日", "さんじゅうにち"),
        ("40日", "よんじゅうにち"), ("3日", "みっか"), ("か所", "しょ"), ("問い", "と"),
    ):  # fmt: skip
        assert f"\ue001{reading}\ue002" in furigana.annotated(text), text
