"""Lists of students are read however teachers have them, shown, confirmed, and written."""

import csv
import io
import re
import time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import translation
from openpyxl import Workbook, load_workbook

from puzzleclass.accounts.models import User
from puzzleclass.classes import roster
from puzzleclass.classes.models import Classroom
from puzzleclass.classes.roster import check_roster, clean_name
from puzzleclass.classes.roster_columns import Column
from puzzleclass.classes.roster_reading import read_roster
from puzzleclass.spreadsheets.encodings import SheetError
from puzzleclass.spreadsheets.reading import text_of_file
from puzzleclass.spreadsheets.writing import csv_bytes, workbook_bytes

HX = {"HX-Request": "true"}


def understood(text: str, **options: object) -> list[tuple]:
    """Return (number, name, reading, class) for each row."""
    read = read_roster(text)
    check_roster(read, {}, **options)
    return [(e.number, e.name, e.reading, e.class_name) for e in read.entries]


ABE, ITO = (1, "阿部 陽斗", "", ""), (11, "伊藤 結衣", "", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 阿部 陽斗\n11 伊藤 結衣", [ABE, ITO]),
        ("1. 阿部 陽斗\n11. 伊藤 結衣", [ABE, ITO]),
        ("１番　阿部　陽斗\n１１番　伊藤　結衣", [ABE, ITO]),
        ("1\t阿部\t陽斗\n11\t伊藤\t結衣", [ABE, ITO]),
        ("４．，阿部\n５．，伊藤", [(4, "阿部", "", ""), (5, "伊藤", "", "")]),
        ("11番,伊藤 結衣,女\n1番,阿部 陽斗,男", [ITO, ABE]),
        ("出席番号\t氏名\t性別\n1\t阿部 陽斗\t男\n11\t伊藤 結衣\t女", [ABE, ITO]),
        ("4年2組 名簿\n番号,姓,名\n1.0,阿部,陽斗\n11,伊藤,結衣", [ABE, ITO]),
        ('No.,Name,Gender\n1,"阿部 陽斗",M\n11,"伊藤 結衣",F', [ABE, ITO]),
        ("阿部　陽斗\r\n\r\n伊藤\t結衣", [ABE, (2, *ITO[1:])]),
        ("阿部 陽斗\n伊藤 結衣\n", [ABE, (2, *ITO[1:])]),
        (
            "4\t2\t1\t阿部 陽斗\tアベ ハルト\t男\n4\t2\t2\t伊藤 結衣\tｲﾄｳ ﾕｲ\t女",
            [(1, "阿部 陽斗", "アベ ハルト", "4-2"), (2, "伊藤 結衣", "イトウ ユイ", "4-2")],
        ),
        (
            "組,番号,氏名,氏名(かな)\n4-2,1,阿部 陽斗,あべ はると",
            [(1, "阿部 陽斗", "あべ はると", "4-2")],
        ),
        (
            "No,Last name,First name,Last name (kana),First name (kana)\n1,阿部,陽斗,あべ,はると",
            [(1, "阿部 陽斗", "あべ はると", "")],
        ),
        ("あべ はると\nいとう ゆい", [(1, "あべ はると", "", ""), (2, "いとう ゆい", "", "")]),
        ("クラス,番号\n4-2,3\n4-2,7", [(3, "", "", "4-2"), (7, "", "", "4-2")]),
        (
            "4-2\t1\t阿部\t陽斗\tあべ\tはると\n4-2\t11\t伊藤\t結衣\tいとう\tゆい",
            [(1, "阿部 陽斗", "あべ はると", "4-2"), (11, "伊藤 結衣", "いとう ゆい", "4-2")],
        ),
        ("4年2組,1,阿部 陽斗\n4年2組,11,伊藤 結衣", [(*ABE[:3], "4年2組"), (*ITO[:3], "4年2組")]),
        ("1 阿部 陽斗\n11 伊藤 結衣\n12", [ABE, ITO, (12, "", "", "")]),
        ("7-3\n0-4", [(1, "7-3", "", ""), (2, "0-4", "", "")]),
        ("3\n7", [(3, "", "", ""), (7, "", "", "")]),
        ("2-4", [(2, "", "", ""), (3, "", "", ""), (4, "", "", "")]),
        ("1〜2", [(1, "", "", ""), (2, "", "", "")]),
        ("(1) 阿部 陽斗\n（11）伊藤 結衣", [ABE, ITO]),
        ("1阿部 陽斗\n11伊藤 結衣", [ABE, ITO]),
        ("Roll\tStudent Name\tSex\n1\t阿部 陽斗\tM\n11\t伊藤 結衣\tF", [ABE, ITO]),
        ("Nummer;Name\n1;阿部 陽斗\n11;伊藤 結衣", [ABE, ITO]),
        ("番号,氏名,,番号,氏名\n1,阿部 陽斗,,11,伊藤 結衣\n,,,12,", [ABE, ITO, (12, "", "", "")]),
        ("番号,出席番号,氏名\n1,7,阿部 陽斗\n11,8,伊藤 結衣", [ABE, ITO]),
        ("氏名,点数\n阿部 陽斗,80\n伊藤 結衣,75", [ABE, (2, *ITO[1:])]),
        ('番号,氏名\n1,"阿部\n陽斗"', [ABE]),
        ("", []),
        ("番号,氏名", []),
    ],
)
def test_columns_are_found_by_heads_or_by_what_they_hold(text, expected):
    assert understood(text) == expected


def test_columns_that_are_not_taken_are_named():
    read = read_roster("番号,氏名,性別,生年月日\n1,阿部,男,2016-04-02")
    assert (read.columns, read.ignored) == ([Column.NUMBER, Column.NAME], ["性別", "生年月日"])


@pytest.mark.parametrize(
    ("text", "line", "english", "japanese"),
    [
        (
            "1,Abe\nx,Ito\n3,Ueda\n4,Ono\n5,Kato",
            2,
            "“x” is not a number.",
            "「x」は番号ではありません。",
        ),
        ("1,Abe\n0,Ito", 2, "from 1 to 9999", "1から9999まで"),
        ("1,A\n123456,B\n3,C\n4,D\n5,E", 2, "from 1 to 9999", "1から9999まで"),
        ("1,Abe\n,Ito", 2, "The number is missing.", "番号がありません。"),
        ("7,Abe\n8,Ito\n7,Kato", 3, "Number 7 appears in lines 1, 3.", "7番は1, 3行目にあります。"),
        ("2,Abe", 1, "Number 2 is taken: Ito Yui.", "2番はIto Yuiさんが使っています。"),
    ],
)
def test_faults_stand_in_their_row_in_words(text, line, english, japanese):
    for language, said in (("en", english), ("ja", japanese)):
        with translation.override(language):
            read = read_roster(text)
            check_roster(read, {2: "Ito Yui"} if text == "2,Abe" else {})
            [entry] = [entry for entry in read.entries if entry.line == line]
            assert any(said in fault for fault in entry.faults), entry.faults


def test_a_table_has_a_bound_of_classes_and_of_students_in_each(monkeypatch):
    monkeypatch.setattr(roster, "MAX_CLASSES", 2)
    monkeypatch.setattr(roster, "MAX_STUDENTS", 2)
    table = "class,number\n4-1,1\n4-1,2\n4-2,1\n4-2,2"
    faults = []
    for more in ("", "\n4-3,1", "\n4-2,3"):
        read = read_roster(table + more)
        check_roster(read, {}, by_class=True)
        faults.append(read.fault)
    assert faults == [
        "",
        "You can create at most 2 classes at a time.",
        "A class holds at most 2 students.",
    ]
    one = read_roster("7,Abe\n8,Ito")
    check_roster(one, {1: "Kato"})
    assert one.fault == "A class holds at most 2 students."


def test_a_row_without_a_class_and_numbers_that_run_out_are_said_in_their_row():
    read = read_roster("class,number\n4-1,1\n,2")
    check_roster(read, {}, by_class=True)
    assert [entry.faults for entry in read.entries] == [[], ["The class is missing."]]
    read = read_roster("Abe\nIto")
    check_roster(read, {9998: "Kato"})
    assert read.entries[0].number == 9999 and not read.entries[0].faults
    assert read.entries[1].faults == ["Enter a whole number from 1 to 9999."]


@pytest.mark.parametrize(
    "data",
    [
        "番号,氏名\r\n1,阿部 陽斗\r\n".encode(),
        "番号,氏名\r\n1,阿部 陽斗\r\n".encode("utf-8-sig"),
        "番号,氏名\r\n1,阿部 陽斗\r\n".encode("cp932"),
        "番号\t氏名\r\n1\t阿部 陽斗\r\n".encode("utf-16"),
        workbook_bytes(["番号", "氏名"], [(1, "阿部 陽斗")]),
    ],
)
def test_files_are_read_whatever_wrote_them(data):
    assert understood(text_of_file(data)) == [ABE]


def test_a_workbook_of_formulas_and_dates_is_read_as_values():
    book = Workbook()
    book.active.append(["番号", "氏名", "生年月日"])
    book.active.append([1.0, "阿部\n陽斗", "2016-04-02"])
    file = io.BytesIO()
    book.save(file)
    assert understood(text_of_file(file.getvalue())) == [ABE]


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04 broken", b"\xd0\xcf\x11\xe0 old", b"\x89PNG\r\n\x00\xff\x81", b"a\x00b"]
)
def test_a_file_that_is_no_list_is_reported(teacher_client, data):
    with pytest.raises(SheetError):
        text_of_file(data)
    fields = {"name": "5-1", "file": SimpleUploadedFile("list.xlsx", data)}
    answer = teacher_client.post("/classes/new/", fields)
    assert answer.status_code == 422
    assert "notice bad" in answer.content.decode()


def test_a_file_too_large_is_refused_unread(teacher_client):
    fields = {"name": "5-1", "file": SimpleUploadedFile("list.csv", b"x" * 1_000_001)}
    answer = teacher_client.post("/classes/new/", fields, headers=HX)
    assert answer.status_code == 413
    # The fault is a sentence below the box, not a page.
    assert "larger than 1 MB" in answer.content.decode()
    assert "<html" not in answer.content.decode()


def test_nothing_is_stored_before_the_list_is_confirmed(teacher_client):
    fields = {"name": "5-1", "students": "1,Abe\n2,Ito"}
    assert teacher_client.post("/classes/new/", fields).status_code == 422
    assert teacher_client.post("/classes/new/", fields, headers=HX).status_code == 200
    # The list differs from the one that was shown.
    seen = read_roster(fields["students"]).fingerprint
    other = fields | {"students": "1,Abe\n2,Ueda", "seen": seen}
    assert teacher_client.post("/classes/new/", other).status_code == 422
    assert not Classroom.objects.exists()
    assert teacher_client.post("/classes/new/", fields | {"seen": seen}).status_code == 302
    assert Classroom.objects.get().students.count() == 2


def test_a_file_comes_into_the_box_and_is_confirmed_from_there(teacher_client, confirmed):
    data = "番号,氏名,ふりがな\n3,阿部 陽斗,あべ はると".encode("cp932")
    fields = {"name": "5-1", "file": SimpleUploadedFile("list.csv", data)}
    page = teacher_client.post("/classes/new/", fields, headers=HX).content.decode()
    assert "3,阿部 陽斗,あべ はると</textarea>" in page
    assert not Classroom.objects.exists()
    text = data.decode("cp932")
    confirmed(teacher_client, "/classes/new/", {"name": "5-1", "students": text})
    enrolment = Classroom.objects.get().enrolments.get()
    assert (enrolment.number, enrolment.student.name, enrolment.student.reading) == (
        3, "阿部 陽斗", "あべ はると",
    )  # fmt: skip


def test_faulty_rows_stop_the_list_unless_they_are_left_out(teacher_client, confirmed):
    fields = {"name": "5-1", "students": "1,Abe\nx,Ito\n3,Ueda\n4,Ono\n5,Kato"}
    assert confirmed(teacher_client, "/classes/new/", fields).status_code == 422
    assert not Classroom.objects.exists()
    confirmed(teacher_client, "/classes/new/", fields | {"skip": "1"})
    assert [e.number for e in Classroom.objects.get().enrolments.all()] == [1, 3, 4, 5]


def test_a_table_of_several_classes_makes_them_all(teacher_client, confirmed, teacher):
    page = teacher_client.get("/classes/new/").content.decode()
    name = re.search(r'<input[^>]*name="name"[^>]*>', page)
    assert name and "required" not in name[0], "a browser sends no empty field that is required"
    text = "学年,組,番号,氏名\n4,1,1,Abe\n4,2,1,Ito\n4,2,2,Kato"
    answer = confirmed(teacher_client, "/classes/new/", {"name": "", "students": text})
    assert answer.url == "/classes/"
    made = {c.name: [str(e) for e in c.enrolments.all()] for c in teacher.classrooms.all()}
    assert made == {"4-1": ["1 Abe"], "4-2": ["1 Ito", "2 Kato"]}


def test_students_without_names_are_called_by_their_number(client_of, teacher, confirmed):
    for language, called in (("en", "No. 2"), ("ja", "2番")):
        fields = {"name": language, "students": "1-2"}
        confirmed(client_of(teacher, language), "/classes/new/", fields)
        enrolment = Classroom.objects.get(name=language).enrolments.get(number=2)
        assert enrolment.student.name == called
        assert roster.is_unnamed(called, 2)
        change = {"number": "9", "name": called}
        url = f"/classes/{enrolment.classroom_id}/students/{enrolment.pk}/"
        client_of(teacher, language).post(url, change)
        enrolment.student.refresh_from_db()
        assert roster.is_unnamed(enrolment.student.name, 9)


def test_a_number_that_was_taken_meanwhile_is_shown_again(
    teacher_client, classroom, confirmed, monkeypatch
):
    url, fields = f"/classes/{classroom.pk}/students/new/", {"students": "2,Mori"}
    monkeypatch.setattr("puzzleclass.classes.list_views.check_roster", lambda *a, **k: None)
    assert confirmed(teacher_client, url, fields).url == url
    assert classroom.students.count() == 3


@pytest.mark.thorough
def test_a_thousand_students_are_shown_within_two_seconds(teacher_client, confirmed):
    rows = (f"{n}\t阿部 陽斗{n}\tあべ はると\t{'男女'[n % 2]}" for n in range(1, 1001))
    fields = {"name": "5-1", "students": "\n".join(["番号\t氏名\tふりがな\t性別", *rows])}
    start = time.thread_time()
    answer = teacher_client.post("/classes/new/", fields, headers=HX)
    assert time.thread_time() - start < 2
    assert len(answer.context["roster"].good) == 1000
    made = confirmed(teacher_client, "/classes/new/", fields)
    assert Classroom.objects.get().students.count() == 1000
    assert len(teacher_client.get(made.url).context["slips"]) == 1000


def test_a_list_takes_the_same_queries_for_many_students(
    teacher_client, classroom, django_assert_max_num_queries
):
    text = "\n".join(f"{n},Student {n}" for n in range(100, 400))
    with django_assert_max_num_queries(9):
        teacher_client.post(f"/classes/{classroom.pk}/students/new/", {"students": text})


# Questions

DATES = "クラス,番号,氏名\n4月1日,1,阿部 陽斗\n4月2日,1,上田 凛"


def test_a_list_with_an_open_question_is_never_saved(teacher_client, confirmed):
    for typed in ({"name": ""}, {"name": "4-1"}):
        fields = typed | {"students": DATES}
        assert confirmed(teacher_client, "/classes/new/", fields).status_code == 422
        assert confirmed(teacher_client, "/classes/new/", fields | {"skip": "1"}).status_code == 422
    assert not Classroom.objects.exists() and not User.objects.filter(role="student").exists()


def test_an_answer_comes_back_as_a_field_and_decides(teacher_client, confirmed, teacher):
    fields = {"name": "", "students": DATES}
    page = teacher_client.post("/classes/new/", fields)
    [question] = page.context["roster"].questions
    assert [row.line for row in question.rows] == [2, 3]
    for refused in ("", "other"):
        sent = fields | {question.field: refused}
        assert confirmed(teacher_client, "/classes/new/", sent).status_code == 422
    confirmed(teacher_client, "/classes/new/", fields | {question.field: "month"})
    assert sorted(c.name for c in teacher.classrooms.all()) == ["4-1", "4-2"]


def test_an_answer_must_have_been_shown_with_the_list(teacher_client):
    """The list that is saved is the one that was shown, with the same answers."""
    fields = {"name": "", "students": DATES}
    [question] = teacher_client.post("/classes/new/", fields).context["roster"].questions
    shown = read_roster(DATES, {question.field: "month"})
    other = fields | {question.field: "day", "seen": shown.fingerprint}
    assert teacher_client.post("/classes/new/", other).status_code == 422
    assert not Classroom.objects.exists()


def test_an_answer_holds_while_other_lines_are_edited(teacher_client):
    [question] = read_roster(DATES).questions
    edited = read_roster(DATES.replace("阿部", "安部"), {question.field: "month"})
    assert not edited.open_questions
    other = read_roster(DATES.replace("4月2日", "4月3日"), {question.field: "month"})
    assert other.open_questions == 1


def test_one_class_takes_only_the_students_that_are_meant(teacher_client, classroom, confirmed):
    url = f"/classes/{classroom.pk}/students/new/"
    fields = {"students": "組,番号,氏名\n4-1,41,Abe\n4-2,41,Ito"}
    assert confirmed(teacher_client, url, fields).status_code == 422
    [question] = teacher_client.post(url, fields).context["roster"].questions
    confirmed(teacher_client, url, fields | {question.field: "only-4-2"})
    assert classroom.students.filter(name="Ito").exists()
    assert not User.objects.filter(name="Abe").exists()


def test_the_class_above_a_list_is_created_without_typing_its_name(teacher_client, confirmed):
    fields = {"name": "", "students": "4年2組 名簿\n番号,氏名\n1,Abe"}
    confirmed(teacher_client, "/classes/new/", fields)
    assert Classroom.objects.get().name == "4年2組"


def test_the_next_school_year_asks_about_dates_too(teacher_client, classroom):
    text = "クラス,番号,氏名,新クラス\n"
    rows = [(e.number, e.student.name) for e in classroom.enrolments.select_related("student")]
    text += "\n".join(f"{classroom.name},{number},{name},5月1日" for number, name in rows)
    fields = {"class": classroom.pk, "students": text, "do": "look"}
    plan = teacher_client.post("/classes/next-year/", fields).context["plan"]
    [question] = plan.roster.questions
    assert not plan.can_be_made
    seen = {"seen": plan.roster.fingerprint, "do": "make"}
    assert "plan" in teacher_client.post("/classes/next-year/", fields | seen).context
    fields |= {question.field: "month"}
    plan = teacher_client.post("/classes/next-year/", fields).context["plan"]
    assert plan.can_be_made and {move.to for move in plan.moves} == {"5-1"}
    teacher_client.post(
        "/classes/next-year/", fields | {"seen": plan.roster.fingerprint, "do": "make"}
    )
    assert Classroom.objects.get(name="5-1").students.count() == len(rows)


# Writing lists


def test_the_list_is_written_and_can_be_read_in_again(teacher_client, classroom, student):
    User.objects.filter(pk=student.pk).update(name="=HYPERLINK(1)", reading="あべ")
    here = f"/classes/{classroom.pk}/students"
    answer = teacher_client.post(f"{here}.csv")
    assert answer["Content-Disposition"].startswith('attachment; filename="4-2 ')
    assert answer.content.startswith("\ufeff".encode())
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[1][:3] == ["1", "'=HYPERLINK(1)", "あべ"]
    assert understood(text_of_file(answer.content))[0] == (1, "=HYPERLINK(1)", "あべ", "")
    book = load_workbook(io.BytesIO(teacher_client.post(f"{here}.xlsx").content))
    cells = book.active[2]
    assert (cells[0].value, cells[1].value, cells[1].data_type) == (1, "=HYPERLINK(1)", "s")
    assert teacher_client.post(f"{here}.pdf").status_code == 404


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1+1", "＋1", "－1", "＠A1", "　＝1", "﹦1"],
)
def test_no_text_is_taken_for_a_formula(text):
    assert csv_bytes(["a"], [[text]]).decode("utf-8-sig").splitlines()[1].lstrip('"')[0] == "'"
    book = load_workbook(io.BytesIO(workbook_bytes(["a"], [[text]])))
    assert book.active["A2"].data_type == "s"


def test_other_texts_are_written_as_they_are():
    written = csv_bytes(["a", "b"], [["a=1", ""], ["\tb", 3]]).decode("utf-8-sig")
    assert written.splitlines()[1:] == ["a=1,", "'\tb,3"]


def test_signs_that_no_workbook_takes_do_no_harm():
    assert workbook_bytes(["a"], [["\x01b"]])


@pytest.mark.parametrize("name", ["علی\u200cرضا", "ශ්\u200dරී"])
def test_joiners_stay_in_a_name(name):
    assert clean_name(f"\u200b\u200d {name}\u200c\ufeff") == name


@pytest.mark.parametrize("said", ["さん", "くん", " さん", "君", ""])
def test_a_reading_in_brackets_is_found_before_what_is_said_behind_a_name(said):
    lines = [("佐藤　蓮", "さとう れん"), ("鈴木　葵", "すずき あおい"), ("森　結衣", "もり ゆい")]
    text = "\n".join(f"{n}. {name}（{kana}）{said}" for n, (name, kana) in enumerate(lines, 1))
    roster = read_roster(text)
    assert not roster.questions
    assert [(each.name, each.reading) for each in roster.entries] == [
        (" ".join(name.split()), kana) for name, kana in lines
    ]


@pytest.mark.parametrize("name", ["佐藤 あさん", "林 みくん", "小川 王君"])
def test_the_end_of_a_name_stays(name):
    assert [each.name for each in read_roster(f"番号\t氏名\n1\t{name}").entries] == [name]


def test_readings_below_shi_and_mei_are_both_parts_of_the_reading():
    roster = read_roster("番号\t氏\t名\tし\tめい\n1\t佐藤\t蓮\tさとう\tれん")
    assert not roster.questions
    assert [(each.name, each.reading) for each in roster.entries] == [("佐藤 蓮", "さとう れん")]


@pytest.mark.parametrize("place", ["（転出）", "転出", "【欠番】"])
def test_the_place_of_a_student_who_has_left_is_asked_about(place):
    roster = read_roster(f"1 佐藤蓮\n2 鈴木葵\n3 {place}\n4 森結衣")
    assert roster.questions
