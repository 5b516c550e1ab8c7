"""Texts that no database can store are refused, however they arrive."""

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import CharField, TextField

from puzzleclass.database.texts import UnstorableText, cleaned, is_storable, refuse_unstorable_texts
from tests.fuzz_requests import addresses, names_of_fields


@pytest.mark.parametrize("text", ["", "4,2 4,3", "さとう 🀄", "\ue000\uffff"])
def test_texts_that_can_be_stored(text):
    assert is_storable(text)
    assert cleaned(text) == text


@pytest.mark.parametrize("text", ["\0", "a\0b", "さ\0とう", "\ud800", "さ\udfff"])
def test_texts_that_cannot_be_stored(text):
    assert not is_storable(text)
    assert is_storable(cleaned(text))


def test_cleaning_reaches_into_json():
    assert cleaned({"a\0": ["\ud800", 1, None, {"b": "c"}]}) == {
        "a\ufffd": ["\ufffd", 1, None, {"b": "c"}]
    }


def columns() -> list[tuple[type, str]]:
    return [
        (model, field.attname)
        for model in apps.get_models()
        for field in model._meta.local_concrete_fields
        if isinstance(field, CharField | TextField)
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_no_column_takes_them(text):
    assert len(columns()) > 50
    for model, name in columns():
        with pytest.raises(UnstorableText):
            model._base_manager.filter(pk=0).update(**{name: text})
        with pytest.raises(UnstorableText):
            model._base_manager.filter(**{name: text}).exists()


@pytest.mark.django_db
def test_rows_made_together_are_looked_at_one_by_one():
    with connection.cursor() as cursor, pytest.raises(UnstorableText):
        cursor.executemany("SELECT %s", iter([("a",), ("b\0",)]))


@pytest.mark.django_db
def test_a_connection_is_guarded_once():
    before = list(connection.execute_wrappers)
    refuse_unstorable_texts(connection)
    assert connection.execute_wrappers == before


@pytest.mark.parametrize("who", ["teacher", "student", None])
def test_every_field_of_every_page(client_of, request, who, assigned, tried, student, lines):
    """No form and no query causes a 500. The guard makes SQLite as strict as PostgreSQL."""
    tried(student, assigned, *lines.solution.split()[:2])
    client = client_of(who and request.getfixturevalue(who))
    fill = {"key": str(assigned.pk), "uuid": str(student.attempts.get().key), "slug": "goishi"}
    fields = dict.fromkeys(names_of_fields(), "a\x00b")
    for parts in addresses():
        path = "".join(fill.get(kind, "goishi") if kind != "text" else text for kind, text in parts)
        for method in (client.get, client.post):
            assert method(path, fields).status_code < 500, path


def test_a_text_from_a_query_is_told_with_its_field(client_of, teacher, classroom):
    for language, words in (("en", "The text in “q”"), ("ja", "「q」")):
        answer = client_of(teacher, language).get("/classes/", {"q": "a\0"})
        assert answer.status_code == 400
        assert words in answer.content.decode()


@pytest.mark.parametrize("charset", ["utf-7", "zlib_codec", "shift_jis"])
def test_a_form_in_another_encoding_is_refused(teacher_client, charset):
    body = b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n+2AA-\r\n--x--\r\n'
    kind = f"multipart/form-data; boundary=x; charset={charset}"
    assert teacher_client.generic("POST", "/classes/new/", body, kind).status_code == 400
