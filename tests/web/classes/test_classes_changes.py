"""Moving students to other classes: some students, and whole classes at the start of a school
year."""

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes import class_changes
from puzzleclass.classes.class_changes import name_next_year, undo_change
from puzzleclass.classes.models import ClassChange, Classroom, Enrolment
from puzzleclass.play.models import Attempt

URL = "/classes/next-year/"


@pytest.fixture
def second(teacher, make_class) -> Classroom:
    return make_class(teacher, "4-3", "Mori Aoi", "Ono Mei")


@pytest.fixture
def change():
    """Return a function that previews a table as a dry run, applies it, and returns the dry run's
    plan."""

    def change(client, rooms, text, archive=True):
        fields = {"class": [room.pk for room in rooms], "students": text}
        fields |= {"archive": "on"} if archive else {}
        plan = client.post(URL, fields).context["plan"]
        if not plan.faulty and not plan.roster.fault:
            assert client.post(URL, fields | {"seen": plan.roster.fingerprint}).url == URL
        return plan

    return change


def lists() -> dict[str, list[str]]:
    return {room.name: [str(e) for e in room.enrolments.all()] for room in Classroom.objects.all()}


TABLE = """クラス,番号,氏名,新クラス,新番号
4-3,2,Ono Mei,5-1,2
4-2,1,Abe Haruto,5-2,1
4-3,1,Mori Aoi,5-2,2
4-2,3,Kato Ren,5-1,1
4-2,2,Ito Yui,,
"""


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_table_that_we_write_can_be_read_again(language, client_of, teacher, classroom):
    client, rooms = client_of(teacher, language), {"class": [classroom.pk]}
    table = client.post(URL, rooms | {"do": "table"}).content.decode()
    filled = [f"{row.removesuffix(',,')},5-{n % 2},{n}" for n, row in enumerate(table.splitlines())]
    filled[0] = table.splitlines()[0]
    plan = client.post(URL, rooms | {"students": "\n".join(filled)}).context["plan"]
    assert [(move.to, move.number) for move in plan.moves] == [("5-1", 1), ("5-0", 2), ("5-1", 3)]
    # Values typed into the page are read too.
    enrolments = list(classroom.enrolments.values_list("pk", flat=True))
    typed = {f"to-{pk}": "6-1" for pk in enrolments} | {f"number-{enrolments[0]}": "9"}
    plan = client.post(URL, rooms | typed).context["plan"]
    assert [move.to for move in plan.moves] == ["6-1"] * 3 and plan.moves[0].number == 9


def test_two_classes_become_two_others_in_disorder(teacher_client, classroom, second, change):
    before = lists()
    plan = change(teacher_client, [classroom, second], TABLE)
    assert plan.sizes == [("5-1", 2, True), ("5-2", 2, True)]
    assert plan.staying == 1
    assert lists() == before | {
        "5-1": ["1 Kato Ren", "2 Ono Mei"],
        "5-2": ["1 Abe Haruto", "2 Mori Aoi"],
    }
    # Last year's classes keep their lists and are only archived.
    archived = Classroom.objects.exclude(archived_at=None)
    assert set(archived) == {classroom, second}


@pytest.mark.parametrize(("grade", "following"), [(4, 5), (None, None), (12, None)])
def test_a_new_class_has_the_settings_of_its_students_class_and_is_a_year_above_it(
    teacher_client, classroom, second, change, grade, following
):
    settings = {"shows_names": True, "picture_pins": True, "idle_minutes": 7, "practice": False}
    Classroom.objects.filter(pk=second.pk).update(grade=grade, **settings)
    change(
        teacher_client,
        [classroom, second],
        "クラス,番号,氏名,新クラス\n4-3,1,,5-1\n4-3,2,,5-1\n4-2,1,,5-1\n4-2,2,,5-2\n",
    )
    new = Classroom.objects.get(name="5-1")
    assert new.grade == following
    assert {field: getattr(new, field) for field in settings} == settings
    assert not Classroom.objects.get(name="5-2").shows_names


def test_the_dry_run_stores_nothing(teacher_client, classroom, second):
    fields = {"class": [classroom.pk, second.pk], "students": TABLE}
    assert teacher_client.post(URL, fields).context["plan"].faulty == 0
    assert teacher_client.get(URL, {"class": classroom.pk}).status_code == 200
    assert Classroom.objects.count() == 2
    assert not ClassChange.objects.exists()


def test_a_change_is_undone_within_thirty_days(teacher_client, classroom, second, change):
    before = lists()
    change(teacher_client, [classroom, second], TABLE)
    done = ClassChange.objects.get()
    undo = f"{URL}{done.pk}/undo/"
    ClassChange.objects.update(made_at=timezone.now() - timedelta(days=30, seconds=1))
    teacher_client.post(undo)
    assert lists() != before
    ClassChange.objects.update(made_at=timezone.now() - timedelta(days=29))
    assert "Undo" in teacher_client.get(URL).content.decode()
    teacher_client.post(undo)
    assert lists() == before
    assert not Classroom.objects.exclude(archived_at=None).exists()
    teacher_client.post(undo)
    assert lists() == before


def test_undone_classes_with_work_stay(teacher_client, classroom, second, change, puzzle, assign):
    change(teacher_client, [classroom, second], TABLE)
    assign(Classroom.objects.get(name="5-1"), puzzle)
    teacher_client.post(f"{URL}{ClassChange.objects.get().pk}/undo/")
    assert set(lists()) == {"4-2", "4-3", "5-1"}


@pytest.mark.parametrize(
    ("row", "english", "japanese"),
    [
        ("4-2,9,,5-1,1", "There is no such student", "このような生徒はいません"),
        ("4-2,1,Ito Yui,5-1,1", "is Abe Haruto.", "Abe Haruto"),
        ("4-2,1,,5-1,1\n4-2,1,,5-2,1", "more than one row", "2行以上"),
        ("4-2,1,,5-1,1\n4-2,2,,5-1,1", "Number 1 is taken in the new class.", "1番は"),
        ("4-2,1,,5-1,\n4-2,2,,5-1,1", "The new number is missing.", "新しい番号がありません"),
        ("4-2,1,,5-1,x", "“x” is not a number.", "「x」は番号では"),
        ("4-2,1,,,", "contains no new class", "新しいクラスが"),
    ],
)
def test_faults_stand_in_their_row(client_of, teacher, classroom, row, english, japanese):
    text = f"クラス,番号,氏名,新クラス,新番号\n{row}"
    for language, said in (("en", english), ("ja", japanese)):
        client = client_of(teacher, language)
        answer = client.post(URL, {"class": classroom.pk, "students": text})
        assert said in answer.content.decode()
        plan = answer.context["plan"]
        seen = {"class": classroom.pk, "students": text, "seen": plan.roster.fingerprint}
        client.post(URL, seen)
    assert not ClassChange.objects.exists()


def test_a_student_is_named_by_the_only_same_name(teacher_client, classroom):
    second_ito = User.objects.create_student("Ito Yui", "1234")
    classroom.enrolments.filter(number=3).update(student=second_ito)
    sent = {"class": classroom.pk, "students": "氏名,新クラス\nAbe Haruto,5-1\nIto Yui,5-1"}
    abe, ito = teacher_client.post(URL, sent).context["plan"].moves
    assert (abe.enrolment, abe.faults) == (classroom.enrolments.get(number=1), [])
    assert ito.faults == ["There is no such student in these classes."]


def test_two_classes_of_one_name_are_told_apart_first(teacher, teacher_client, make_class):
    rooms = [make_class(teacher, "4-1", "Mori Aoi"), make_class(teacher, "4-1", "Ono Mei")]
    sent = {"class": [room.pk for room in rooms], "students": "class,number,new class\n4-1,1,5-1"}
    [move] = teacher_client.post(URL, sent).context["plan"].moves
    assert move.faults == ["Two of the classes have this name. Rename one first."]


def test_a_class_takes_no_more_newcomers_than_it_holds(
    teacher_client, classroom, second, monkeypatch
):
    monkeypatch.setattr(class_changes, "MAX_STUDENTS", 3)
    sent = {"class": classroom.pk, "students": "class,number,new class\n4-2,1,4-3\n4-2,2,4-3"}
    plan = teacher_client.post(URL, sent).context["plan"]
    assert plan.roster.fault == "A class holds at most 3 students."


def test_newcomers_after_the_highest_number_are_refused(teacher_client, classroom, second):
    second.enrolments.filter(number=2).update(number=9998)
    sent = {"class": classroom.pk, "students": "class,number,new class\n4-2,1,4-3\n4-2,2,4-3"}
    faults = [move.faults for move in teacher_client.post(URL, sent).context["plan"].moves]
    assert faults == [[], ["The number is too high."]]


def test_new_classes_are_typed_into_the_table_too(teacher_client, classroom):
    first, second = classroom.enrolments.all()[:2]
    fields = {"class": classroom.pk, f"to-{first.pk}": "5-1", f"to-{second.pk}": "5-1"}
    plan = teacher_client.post(URL, fields).context["plan"]
    assert [(move.to, move.number) for move in plan.going] == [("5-1", 1), ("5-1", 2)]
    table = teacher_client.post(URL, {"class": classroom.pk, "do": "table"})
    assert "Abe Haruto" in table.content.decode("utf-8-sig")


@pytest.mark.parametrize(
    ("name", "grade", "following"),
    [
        ("5年1組", None, "6年1組"),
        ("５年１組", 5, "６年１組"),
        ("5-1", None, "6-1"),
        ("Class 4A", None, "Class 5A"),
        ("9年1組", 8, "10年1組"),
        # The students of these classes graduate.
        ("6年1組", None, ""),
        ("3年1組", 9, ""),
        # The number is not a school year.
        ("2組", None, ""),
        ("Go club 2026", None, ""),
    ],
)
def test_a_class_name_for_the_next_year_is_proposed(name, grade, following):
    assert name_next_year(Classroom(name=name, grade=grade)) == following


def test_a_whole_class_moves_with_its_numbers(teacher_client, teacher, classroom, make_class):
    leaving = make_class(teacher, "6-1", "Sato Go")
    classroom.enrolments.filter(number=3).update(number=7)
    first, second, third = classroom.enrolments.all()
    rooms = {"class": [classroom.pk, leaving.pk]}
    page = teacher_client.get(URL, rooms)
    proposed = {f"class-{room.pk}": name for room, name, _size in page.context["following"]}
    assert proposed == {f"class-{classroom.pk}": "5-2", f"class-{leaving.pk}": ""}
    plan = teacher_client.post(URL, rooms | proposed).context["plan"]
    assert (plan.sizes, plan.staying, plan.faulty) == ([("5-2", 3, True)], 1, 0)
    assert [move.number for move in plan.going] == [1, 2, 7]
    # What is entered for a single student takes precedence.
    single = {f"leaves-{first.pk}": "on", f"to-{second.pk}": "5-1", f"number-{third.pk}": "8"}
    plan = teacher_client.post(URL, rooms | proposed | single).context["plan"]
    goes = [(move.enrolment, move.to, move.number) for move in plan.going]
    assert goes == [(second, "5-1", 1), (third, "5-2", 8)]


def test_whole_classes_move_by_one_press_and_come_back_by_another(
    teacher_client, teacher, classroom, make_class
):
    other = make_class(teacher, "4-3", "Sato Go")
    page = teacher_client.get(URL).content.decode()
    assert f'value="{classroom.pk}" checked' not in page
    before = lists()
    fields = {"class": [classroom.pk], f"class-{classroom.pk}": "5-2", "archive": "on"}
    assert teacher_client.post(URL, fields | {"do": "move"}).url == URL
    assert lists() == before | {"5-2": before["4-2"]}
    classroom.refresh_from_db()
    other.refresh_from_db()
    assert classroom.archived_at and not other.archived_at
    teacher_client.post(f"{URL}{ClassChange.objects.get().pk}/undo/")
    assert lists() == before


def test_the_only_class_is_selected(teacher_client, classroom):
    assert f'value="{classroom.pk}" checked' in teacher_client.get(URL).content.decode()


def test_what_was_typed_stays_when_no_class_is_selected_or_single_students_change(
    teacher_client, classroom, second
):
    typed = {f"class-{classroom.pk}": "Five", f"class-{second.pk}": ""}
    for fields in ({"do": "move"}, {"do": "single", "class": [classroom.pk]}):
        page = teacher_client.post(URL, typed | fields).content.decode()
        assert 'value="Five"' in page
        assert 'name="archive" checked' not in " ".join(page.split())
        assert ("Select the classes that move" in page) is ("class" not in fields)
    assert not ClassChange.objects.exists()


def test_a_table_and_a_fault_are_shown_before_anything_moves(teacher_client, classroom, second):
    fields = {"class": [classroom.pk], f"class-{classroom.pk}": "4-3", "do": "move"}
    plan = teacher_client.post(URL, fields).context["plan"]
    assert plan.faulty == 2  # The numbers 1 and 2 are taken in 4-3.
    fields |= {f"class-{classroom.pk}": "5-2", "students": TABLE}
    assert teacher_client.post(URL, fields).context["plan"].going
    assert not ClassChange.objects.exists()


def test_three_hundred_students_in_total_disorder(
    teacher_client, teacher, make_class, change, django_assert_max_num_queries
):
    rooms = [make_class(teacher, f"4-{c}", *(f"S{c}-{n}" for n in range(30))) for c in range(10)]
    rows = [
        f"{room.name}\t{enrolment.number}\t5-{random.Random(enrolment.pk).randrange(10)}"
        for room in rooms
        for enrolment in room.enrolments.all()
    ]
    random.Random(1).shuffle(rows)
    text = "\n".join(["class\tnumber\tnew class", *rows])
    fields = {"class": [room.pk for room in rooms], "students": text}
    with django_assert_max_num_queries(25):
        plan = teacher_client.post(URL, fields).context["plan"]
    assert (len(plan.going), plan.faulty) == (300, 0)
    before = lists()
    change(teacher_client, rooms, text)
    assert sum(len(room) for name, room in lists().items() if name.startswith("5-")) == 300
    teacher_client.post(f"{URL}{ClassChange.objects.get().pk}/undo/")
    assert lists() == before


def test_other_teachers_classes_are_no_sources(other_client, substitute_client, classroom, change):
    for client in (other_client, substitute_client):
        answer = client.post(URL, {"class": classroom.pk, "students": TABLE})
        assert answer.context["sources"] == []
    assert not ClassChange.objects.exists()


# Some students


def test_students_are_moved_with_all_work(
    teacher_client, classroom, second, student, assigned, tried
):
    tried(student, assigned, "1,1")
    moved = classroom.enrolments.exclude(number=2)
    url, fields = f"/classes/{classroom.pk}/students/move/", {"only": [each.pk for each in moved]}
    page = teacher_client.get(url, fields).content.decode()
    panel = page.partition('id="panel"')[2].partition("</section>")[0]
    assert "Abe Haruto" in panel and "Kato Ren" in panel and "Ito Yui" not in panel
    answer = teacher_client.post(url, fields | {"to": second.pk})
    assert answer.url == f"/classes/{second.pk}/students/"
    assert lists()["4-2"] == ["2 Ito Yui"]
    assert lists()["4-3"][2:] == ["3 Abe Haruto", "4 Kato Ren"]
    assert Attempt.objects.filter(student=student).count() == 1
    page = teacher_client.get(f"/students/{student.pk}/")
    assert page.context["sheet"].all.begun == 1
    teacher_client.post(f"{URL}{ClassChange.objects.get().pk}/undo/")
    assert student.enrolments.get().classroom == classroom


@pytest.fixture
def moved(teacher_client, classroom, second) -> ClassChange:
    """Return the change that moves all students of the class into the second one."""
    everybody = list(classroom.enrolments.values_list("pk", flat=True))
    url = f"/classes/{classroom.pk}/students/move/"
    teacher_client.post(url, {"only": everybody, "to": second.pk})
    assert lists()["4-2"] == []
    return ClassChange.objects.get()


def test_undoing_a_move_keeps_what_has_happened_since(classroom, student, classmate, moved):
    """One student has been put back by hand, one was deleted, and the third's number is taken."""
    classroom.enrolments.create(student=student, number=5)
    classmate.delete()
    ueda = User.objects.create_student("Ueda Go", "1234")
    classroom.enrolments.create(student=ueda, number=3)
    undo_change(moved)
    assert lists() == {
        "4-2": ["3 Ueda Go", "5 Abe Haruto", "6 Kato Ren"],
        "4-3": ["1 Mori Aoi", "2 Ono Mei"],
    }
    before = lists()
    Enrolment.objects.filter(student=student).delete()
    undo_change(moved)  # in another window, which has not seen that it is undone
    assert lists() == before | {"4-2": ["3 Ueda Go", "6 Kato Ren"]}


def test_a_move_out_of_a_class_that_is_gone_is_undone(moved, classroom):
    classroom.delete()
    undo_change(moved)
    assert lists() == {"4-3": ["1 Mori Aoi", "2 Ono Mei"]}


def test_nobody_is_moved_into_a_strangers_class(teacher_client, classroom, student, other_student):
    strange = other_student.student_classrooms.get()
    url, only = f"/classes/{classroom.pk}/students/move/", student.enrolments.get().pk
    for to in (strange.pk, classroom.pk, "x", ""):
        assert teacher_client.post(url, {"only": only, "to": to}).status_code == 422
    assert student.enrolments.get().classroom == classroom


def test_nobody_is_moved_out_of_another_class(teacher_client, classroom, second):
    url, strange = f"/classes/{classroom.pk}/students/move/", second.enrolments.first()
    for only in ("", "x", strange.pk):
        assert teacher_client.get(url, {"only": only}).url == f"/classes/{classroom.pk}/students/"
        fields = {"only": only, "to": second.pk}
        assert teacher_client.post(url, fields).url == f"/classes/{classroom.pk}/students/"
    assert not ClassChange.objects.exists()


def test_a_student_of_both_classes_is_named_and_nobody_is_moved(
    teacher_client, classroom, second, student
):
    Enrolment.objects.create(classroom=second, student=student, number=9)
    url = f"/classes/{classroom.pk}/students/move/"
    only = list(classroom.enrolments.values_list("pk", flat=True))
    answer = teacher_client.post(url, {"only": only, "to": second.pk})
    assert answer.status_code == 422
    assert answer.context["faults"] == ["Abe Haruto: This student is already in the class."]
    assert classroom.enrolments.count() == 3


def test_old_changes_are_forgotten(teacher):
    done = {"made": [], "archived": [], "entered": [], "left": []}
    ClassChange.objects.create(teacher=teacher, done=done)
    old = timezone.now() - timedelta(days=31)
    ClassChange.objects.create(teacher=teacher, done=done, made_at=old)
    assert ClassChange.expired().get().made_at == old
