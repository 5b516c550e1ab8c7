"""The session and the user of a request come together, and Django's rules decide whom they let
in."""

from datetime import timedelta

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts.models import Session, User
from puzzleclass.accounts.sessions import Backend, SessionStore


@pytest.fixture
def page(teacher_client):
    """Return a function that tells the status of a page for teachers."""
    return lambda: teacher_client.get(reverse("classroom_list")).status_code


def test_the_session_and_the_user_take_one_query(
    teacher, teacher_client, django_assert_num_queries
):
    teacher_client.get(reverse("account"))
    with django_assert_num_queries(1) as asked:
        teacher_client.get(reverse("confirm"))
    assert teacher._meta.db_table in asked[0]["sql"]


def test_a_visitors_session_has_no_user_and_signing_in_gives_it_one(client, teacher):
    session = SessionStore()
    session["class_code"] = "abc"
    session.save()
    assert Session.objects.get().user is None
    client.cookies["sessionid"] = session.session_key
    client.force_login(teacher)
    assert Session.objects.get().user == teacher
    client.post(reverse("sign_out"))
    assert not Session.objects.filter(user=teacher).exists()


def test_the_session_and_not_its_column_says_who_is_signed_in(page, teacher, student):
    Session.objects.update(user=student)
    assert page() == 200
    Session.objects.update(user=None)
    assert page() == 200


def test_another_backend_signs_nobody_in(page):
    session = SessionStore(Session.objects.get().session_key)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.AllowAllUsersModelBackend"
    session.save()
    assert page() == 302


def test_a_session_that_has_ended_opens_nothing(page):
    assert page() == 200
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert page() == 302


def test_a_closed_account_is_signed_out(page, teacher):
    User.objects.filter(pk=teacher.pk).update(is_active=False)
    assert page() == 302


def test_a_deleted_account_is_signed_out(page, teacher):
    User.objects.filter(pk=teacher.pk).delete()
    assert page() == 302


def test_a_new_password_ends_the_session(page, teacher):
    assert page() == 200
    teacher.change_password("another password of ours")
    assert page() == 302


def test_a_session_outlives_a_new_secret_key(page, settings):
    with override_settings(SECRET_KEY="new", SECRET_KEY_FALLBACKS=[settings.SECRET_KEY]):
        assert page() == 200


def test_a_user_is_the_one_that_django_finds(teacher, django_assert_num_queries):
    with django_assert_num_queries(1):
        found = Backend().get_user(teacher.pk)
    assert vars(found).keys() == vars(User.objects.get(pk=teacher.pk)).keys()
    assert found == teacher
    assert Backend().get_user(teacher.pk + 1) is None
