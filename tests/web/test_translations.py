"""Every text of the interface is in every language, and in one catalogue only."""

import re

import pytest

from puzzleclass.language.languages import translated
from puzzleclass.operations.management.commands import messages
from solvers.registry import kinds

HOMES = [messages.SITE, *messages.kind_folders()]

every_catalogue = pytest.mark.parametrize("home", HOMES, ids=lambda home: home.name)
every_language = pytest.mark.parametrize("language", translated())


@pytest.fixture(scope="module")
def collected() -> messages.Collected:
    """Provide the texts of all sources, which takes some seconds."""
    return messages.collected()


@every_language
def test_every_text_is_translated(collected, language):
    assert messages.untranslated(collected, language) == []


@every_language
@every_catalogue
def test_fields_are_the_same_in_every_language(home, language):
    fields = re.compile(r"\{\w*\}|%\(\w+\)[sd]")
    for entry in messages.stored(home, language):
        if not entry.id or not entry.string or isinstance(entry.id, tuple):
            continue
        assert sorted(fields.findall(entry.id)) == sorted(fields.findall(entry.string)), entry.id


@every_catalogue
def test_japanese_has_one_spelling_of_a_word(home):
    """Punctuation is full-width, fields have no blanks beside them, and every word has one
    spelling."""
    japanese = "ぁ-んァ-ヶー一-龥"
    faults = re.compile(
        rf"[{japanese}](?: [{{%]|[():?!])|[}})] [{japanese}]|～|しまもよう"
        r"|(?<!\d)分か[らりるっ]|手め|通りめ|ぜんぶ|とびこ|うらがえ|メモリ(?!ー)|ソルバ(?!ー)|フォルダ(?!ー)"
        r"|読み[込取]|受け取|戻|比べ|ためす|盤面(?!図)"
    )
    for entry in messages.stored(home, "ja"):
        for said in entry.string if isinstance(entry.string, tuple) else (entry.string,):
            assert not (found := faults.search(said)), (said, found)


RETIRED = {
    "en": r"calculator|Picking up stones|Peaceful pieces|\bGo on\b|^Working$|\bseat\b"
    r"|Your questions to|Come into|Write it down|With Shift|the truth|\bvery many\b|Seconds to wait"
    r"|^(Thinks|Takes|Overlooks)\b|as wanted|Settings of the class|No moves now|Signs on the pieces"
    r"|They replace those|Goes back by itself|last year of elementary|What now\?|Running jobs"
    r"|\bpacks?\b|\b[Ll]ibrary\b(?! of the)(?<!Sensei's Library)|approval|^Approve$|Send back"
    r"|Copy to a class|Boards solved|\bboards (assigned|solved)\b|not rated|^New puzzles?$"
    r"|Make a puzzle|[Bb]est score (on|of) this|[Hh]ighest (possible )?score"
    r"|Watch attempt|Still to be solved",
    "ja": r"碁石ひろい|きかずの駒ならべ|連づくり|依頼中|シード|得意なところ|クラスの歩み"
    r"|[前次]のパズル|今日のパズル|注意深いけれど|手はくじ|パック|みんなに見せる|ある行：|^ようこそ、|暗証番号|ワーカー"
    r"|出題|クラスに出す|クラスにコピー|ようす|クラスの表|どこかで行きづま|(?<!いま)行きづまり(も|で終わ|：)|それたところ"
    r"|承認|認める|返却|調べていない|点数|(?<!とれる)最高点|レベル|共有セット|共有・指導案|学校のコレクション"
    r"|問題一覧|いまやること|計算の進みぐあい|駒の文字|編集(?!画面)|面談用|まだ解いていない|回目を見る"
    r"|盤に向かった|解けた盤|別の盤|盤\{number\}題|クラスの管理者|自分が管理者",
}
"""Words that had another name on another screen, or that no teacher would write."""


@every_catalogue
def test_one_word_is_used_for_one_thing(home):
    for entry in messages.stored(home, "ja"):
        for language, texts in (("en", entry.id), ("ja", entry.string)):
            for said in texts if isinstance(texts, tuple) else (texts,):
                assert not (found := re.search(RETIRED[language], said)), (said, found)


@every_language
@every_catalogue
def test_no_entry_is_left_over(collected, home, language):
    kept = {(entry.id, entry.context) for entry in messages.stored(home, language) if entry.id}
    assert kept == collected[home].keys()


def test_no_folder_with_texts_is_left_out(collected):
    assert collected.keys() == set(HOMES)


def test_each_kind_brings_its_own_words(collected):
    for kind in kinds().values():
        home = messages.folder(kind)
        assert (kind.rule, None) in collected[home], kind.slug
