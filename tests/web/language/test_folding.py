"""Texts that people type in different forms are found and compared as one."""

import pytest

from puzzleclass.classes.models import Classroom
from puzzleclass.language.folding import VARIANTS, contains, folded

PAIRS = [
    ("タカハシ アオイ", "たかはし　あおい"),
    ("ﾀｶﾊｼ", "たかはし"),
    ("髙橋", "高橋"),
    ("𠮷田", "吉田"),
    ("山﨑", "山崎"),
    ("渡邉", "渡邊"),
    ("齋藤", "斉藤"),
    ("福田", "福田"),
    ("葛\U000e0100城", "葛城"),
    ("５年", "5年"),
    ("Ｔａｒｏ", "taro"),
    ("ガッコウ", "がっこう"),
    ("ｶﾞｯｺｳ", "か\u3099っこう"),
    ("KAYA\u200b52", "kaya52"),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_two_forms_of_a_text_are_equal(one, other):
    assert folded(one) == folded(other)


@pytest.mark.django_db
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_the_database_finds_each_form_by_the_other(one, other, classroom):
    for stored, typed in ((one, other), (other, one)):
        Classroom.objects.filter(pk=classroom.pk).update(name=f"x {stored} y")
        assert Classroom.objects.filter(contains("".join(typed.split()), "name")).exists(), stored
    assert not Classroom.objects.filter(contains("渡部", "name")).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("word", ["[", "]", "^", "\\", "-", "(", ")", ".*", "a|b", "Ⅳ", "ß", "%"])
def test_signs_of_patterns_are_only_signs(word, classroom):
    Classroom.objects.filter(pk=classroom.pk).update(name="4-2x")
    assert Classroom.objects.filter(contains(word, "name")).exists() == (word == "-")
    Classroom.objects.filter(pk=classroom.pk).update(name=f"4{word}2")
    assert Classroom.objects.filter(contains(word, "name")).exists()


def test_no_character_is_a_variant_of_two():
    signs = "".join(VARIANTS)
    assert len(set(signs)) == len(signs)
