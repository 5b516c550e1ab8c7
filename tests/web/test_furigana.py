"""Furigana stand over every Japanese text that students see, and over nothing else."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.forms import IntegerField
from django.utils import translation

from puzzleclass.accounts.models import hash_of_pin
from puzzleclass.assignments.models import WrittenPuzzle
from puzzleclass.classes.models import Classroom
from puzzleclass.gallery.services import open_gallery
from puzzleclass.language import furigana
from puzzleclass.language.languages import TRAITS
from puzzleclass.operations.management.commands.messages import (
    FORM_MESSAGES,
    form_messages,
    without_reading,
)
from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.puzzles.models import Puzzle
from solvers.registry import examples, kinds
from tests.web.puzzles.test_puzzles_editor import fields

KANJI = re.compile("[一-龥々〆ヶ]+")
PIN = "4711"


def bare_kanji(page: str) -> list[str]:
    """Return the kanji of a page's running text that have no reading above them."""
    silent = "script|style|title|textarea|option|svg|pre|code"  # the last two are boards
    page = re.sub(rf"(?s)<({silent})\b.*?</\1>", "", page)
    page = re.sub(r"(?s)<ruby>.*?</ruby>", "", page)
    return KANJI.findall(re.sub(r"""<(?:[^<>"']|"[^"]*"|'[^']*')*>""", "", page))


@pytest.fixture
def reader_client(client_of, student, classroom):
    """Return the browser of a student with furigana. No text that people typed has kanji."""
    Classroom.objects.filter(pk=classroom.pk).update(name="4-2")
    client = client_of(student, "ja")
    client.post("/reader/", {"furigana": "on"})
    return client


@pytest.fixture
def give(teacher, classroom, assign):
    def give(kind: str, position: str, **fields: object):
        puzzle = Puzzle.objects.create(owner=teacher, kind_slug=kind, position=position, title="A")
        return assign(classroom, puzzle, **fields).puzzles.get()

    return give


def test_every_word_of_the_students_texts_has_a_reading():
    assert not without_reading()


@pytest.mark.parametrize("kind", kinds().values(), ids=kinds())
def test_no_page_of_a_students_attempt_has_a_bare_kanji(kind, reader_client, student, give):
    example = next(one for one in examples(kind) if one.shown)
    line = [
        kind.write_move(move)
        for move in kind.line(kind.read(f"{example.position} | {example.shown}"))
    ]
    assigned = give(kind.slug, example.position, hints=3, shows_total=True, warns=True, shades=True)
    page = f"/play/{assigned.pk}/"
    assert not bare_kanji(reader_client.get("/").content.decode())
    assert not bare_kanji(reader_client.get(page).content.decode())
    for count, move in enumerate(line):
        attempt = current_attempt(student, assigned)
        fields = {"action": "move", "step": attempt.next_step, "move": move}
        answer = reader_client.post(
            f"/attempts/{attempt.key}/steps/", fields, headers={"HX-Request": "true"}
        )
        if count in (0, 1, len(line) - 1):
            assert not bare_kanji(answer.content.decode())
    assert not bare_kanji(reader_client.get(page).content.decode())
    assert "<ruby>" in reader_client.get(page).content.decode()


def test_refusals_hints_and_errors_have_readings(reader_client, student, give):
    assigned = give("goishi", "o.oo/oo..", hints=3)
    attempt = take_step(current_attempt(student, assigned), 0, "move", "1,1")
    steps = f"/attempts/{attempt.key}/steps/"
    refused = reader_client.post(
        steps, {"action": "move", "step": 1, "move": "2,2"}, headers={"HX-Request": "true"}
    )
    hint = reader_client.post(
        f"/attempts/{attempt.key}/hint/", {"step": 1, "level": 1}, headers={"HX-Request": "true"}
    )
    for answer in (refused, hint, reader_client.get("/play/999999/")):
        assert not bare_kanji(answer.content.decode())
        assert "<ruby>" in answer.content.decode()


def test_the_gallery_and_practice_have_readings(reader_client, student, teacher, classroom):
    open_gallery(classroom, teacher)
    for number, state in enumerate(WrittenPuzzle.State):
        WrittenPuzzle.objects.create(
            author=student, classroom=classroom, kind_slug="goishi", title="A", state=state,
            position="/".join(["oo"] * (number + 2)), word="Well",
        )  # fmt: skip
    written = [f"/gallery/mine/{pk}/" for pk in WrittenPuzzle.objects.values_list("pk", flat=True)]
    editors = [f"/gallery/new/{kind}/" for kind in kinds()]
    pages = ["/gallery/", *written, *editors, f"{written[0]}edit/", "/practice/"]
    answers = {page: reader_client.get(page) for page in pages}
    assert {answer.status_code for answer in answers.values()} == {200}
    bare = {page: bare_kanji(answer.content.decode()) for page, answer in answers.items()}
    assert {page: words for page, words in bare.items() if words} == {}


def test_the_way_into_a_class_has_readings(anonymous, classroom, student):
    Classroom.objects.filter(pk=classroom.pk).update(name="4-2")
    anonymous.cookies["django_language"] = "ja"
    anonymous.post("/reader/", {"furigana": "on"})
    code = f"/join/{classroom.code}/"
    for answer in (
        anonymous.get("/"),
        anonymous.get("/join/"),
        anonymous.post("/join/", {"code": "ZZZZZZ"}),
        anonymous.post("/join/", {"code": ""}),
        anonymous.get(code),
        anonymous.post(code, {"who": ""}),
        anonymous.get(f"{code}1/"),
        anonymous.post(f"{code}1/", {"pin": "0"}),
    ):
        assert not bare_kanji(answer.content.decode())


@pytest.mark.parametrize(("grade", "is_on"), [(4, True), (6, True), (7, False), (None, False)])
def test_the_grade_of_a_class_sets_the_switch(anonymous, classroom, student, grade, is_on):
    Classroom.objects.filter(pk=classroom.pk).update(grade=grade)
    student.password = hash_of_pin(PIN)
    student.save()
    anonymous.cookies["django_language"] = "ja"
    place = student.enrolments.get()
    anonymous.post(f"/join/{classroom.code}/{place.number}/", {"pin": PIN})
    assert ("<ruby>" in anonymous.get("/").content.decode()) is is_on
    anonymous.post("/reader/", {"furigana": "off" if is_on else "on"})
    assert ("<ruby>" in anonymous.get("/").content.decode()) is not is_on


@pytest.mark.parametrize(("grade", "is_on"), [(1, True), (6, True), (7, False), (None, False)])
def test_the_grade_decides_before_the_sign_in_until_somebody_chooses(
    anonymous, classroom, student, grade, is_on
):
    """A child who can't read the names yet need not find the switch first."""
    Classroom.objects.filter(pk=classroom.pk).update(grade=grade, shows_names=True)
    student.name, student.reading = "伊藤 葵", "いとう あおい"
    student.save()
    number = classroom.enrolments.get(student=student).number
    anonymous.defaults["HTTP_ACCEPT_LANGUAGE"] = "ja"
    for page in (f"/join/{classroom.code}/", f"/join/{classroom.code}/{number}/"):
        html = anonymous.get(page).content.decode()
        assert ('伊藤<rt aria-hidden="true">いとう' in html) == is_on
        assert bare_kanji(html) == [] or not is_on
        other = "off" if is_on else "on"
        assert f'value="{other}"' in html
    anonymous.post("/reader/", {"furigana": other, "next": page})
    assert ("いとう" in anonymous.get(page).content.decode()) != is_on


def test_names_attributes_and_teachers_stay_plain(reader_client, student, teacher_client, give):
    student.name = "行 一"
    student.save()
    home = reader_client.get("/").content.decode()
    assert "行 一" in home
    page = reader_client.get(f"/play/{give('goishi', 'o.oo/oo..').pk}/").content.decode()
    assert not re.search("[\ue000-\ue002]", home + page)
    assert not re.search('="[^"]*<ruby', home + page)
    teacher_client.cookies["django_language"] = "ja"
    teacher_client.cookies["furigana"] = "on"
    assert "<ruby>" not in teacher_client.get("/").content.decode()


def test_days_are_read_as_they_are():
    assert furigana.days(6) == "6日"
    with translation.override(TRAITS["ja"].readings):
        assert "むいか" in furigana.days(6)
        assert "ついたち" in furigana.days(1, of_month=True)
        assert "いちにち" in furigana.days(1)
        assert "にち" in furigana.days(25)


def test_what_django_says_of_a_form_has_readings():
    assert len(form_messages("ja")) == len(FORM_MESSAGES)
    with translation.override(TRAITS["ja"].readings):
        said = IntegerField(max_value=3)
        for value, word in (("", "必須"), ("a", "整数"), (9, "以下")):
            with pytest.raises(ValidationError) as fault:
                said.clean(value)
            assert furigana._MARKED.search(fault.value.messages[0])
            assert word in furigana.plain(fault.value.messages[0])


def test_a_text_with_readings_stays_one_box():
    word = furigana.mark("解", "と")
    page = furigana.with_ruby(f"<button>まだ{word}けるまで<b>1</b></button>")
    assert re.fullmatch("<button><span>まだ<ruby>.*</ruby>けるまで</span><b>1</b></button>", page)


def test_only_running_text_gets_ruby():
    word = furigana.mark("盤", "ばん")
    page = f'<title>{word}</title><p title="{word} > 1">{word}</p><svg><text>{word}</text></svg>'
    assert furigana.with_ruby(page) == (
        '<title>盤</title><p title="盤 > 1">'
        '<span><ruby>盤<rt aria-hidden="true">ばん</rt></ruby></span></p>'
        "<svg><text>盤</text></svg>"
    )


# Readings that teachers give


@pytest.mark.parametrize(
    ("title", "reading", "shown"),
    [
        ("小さな橋", "ちいさなはし", "小[ちい]さな橋[はし]"),
        ("小さな橋 その2", "ちいさなはし その3", "小[ちい]さな橋[はし] その2"),  # a numbered copy
        ("朝のパズル", "アサノぱずる", "朝[あさ]のパズル"),
        (
            "三つの道、一つの石",
            "みっつのみち ひとつのいし",
            "三[みっ]つの道[みち]、一[ひと]つの石[いし]",
        ),
        (
            "三つの道、一つの石",
            "みっつのみちひとつのいし",
            "三[みっ]つの道[みち]、一[ひと]つの石[いし]",
        ),
        ("小さな橋", "おおきなはし", "小さな橋"),  # the reading of an earlier title
        ("小さな橋", "", "小さな橋"),
        ("はし", "はし", "はし"),
        ("Bridge 橋", "Bridge はし", "Bridge 橋[はし]"),
    ],
)
def test_the_reading_of_a_title_stands_above_its_kanji(title, reading, shown):
    with translation.override(TRAITS["ja"].readings):
        text = furigana.text_shown(title, reading)
    marked = furigana._MARKED.sub(r"\1[\2]", text)
    assert marked == shown
    assert furigana.text_shown(title, reading) == title


def test_students_read_titles_and_their_own_name_with_furigana(
    reader_client, student, classroom, make_puzzle, assign
):
    student.name, student.reading = "田中 花", "たなか はな"
    student.save()
    puzzle = make_puzzle("goishi", "o.oo/oo..", "小さな橋", reading="ちいさなはし")
    assignment = assign(classroom, puzzle, title="朝の問題", reading="あさのもんだい")
    for page in ("/", f"/play/{assignment.puzzles.get().pk}/"):
        html = reader_client.get(page).content.decode()
        assert not bare_kanji(html)
        for run, kana in (("田中", "たなか"), ("橋", "はし"), ("朝", "あさ")):
            assert f'<ruby>{run}<rt aria-hidden="true">{kana}</rt></ruby>' in html
        assert furigana._WORD not in html
    reader_client.post("/reader/", {"furigana": "off"})
    assert "<ruby>" not in reader_client.get("/").content.decode()


def test_no_title_and_no_reading_becomes_markup(reader_client, classroom, make_puzzle, assign):
    puzzle = make_puzzle("goishi", "o.oo/oo..", "<b>橋</b>", reading="<b>はし</b>")
    assert furigana.fits(puzzle.title, puzzle.reading)
    html = reader_client.get(f"/play/{assign(classroom, puzzle).puzzles.get().pk}/")
    page = html.content.decode()
    assert "<b><ruby>" not in page and "&lt;b&gt;<ruby>橋" in page


def test_a_reading_must_fit_its_title(client_of, teacher, puzzle):
    client = client_of(teacher, "ja")
    sent = fields("save", title="小さな橋", draft=puzzle.position)
    url = f"/puzzles/{puzzle.pk}/edit/"
    refused = client.post(url, sent | {"reading": "橋"})
    assert refused.status_code == 422 and "題名と合いません。" in refused.content.decode()
    assert client.post(url, sent | {"reading": "ちいさなはし"}).status_code == 302
    puzzle.refresh_from_db()
    assert puzzle.reading == "ちいさなはし"
    assert puzzle.copied["reading"] == puzzle.reading


def test_the_teacher_has_the_lesson_page_show_furigana(
    client_of, teacher, student, assign, puzzle, classroom
):
    student.name, student.reading = "田中 花", "たなか はな"
    student.save()
    lesson = f"/assignments/{assign(classroom, puzzle).pk}/lesson/"
    client = client_of(teacher, "ja")
    assert "たなか" not in client.get(lesson).content.decode()
    page = client.get(f"{lesson}?kana=on").content.decode()
    assert '<ruby>田中<rt aria-hidden="true">たなか</rt></ruby>' in page
    assert "kana=on" in page.partition("hx-get")[2].partition("hx-trigger")[0]
