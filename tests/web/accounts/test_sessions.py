"""The session and the user of a request are Django's, read with prepared queries."""

from datetime import timedelta

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY, get_user_model
from django.contrib.sessions.models import Session
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sessions import Backend, SessionStore


@pytest.fixture
def page(teacher_client):
    """Return a function that tells the status of a page for teachers."""
    return lambda: teacher_client.get(reverse("classroom_list")).status_code


def test_whoever_signed_in_before_the_backend_was_renamed_stays_signed_in(page):
    session = SessionStore(Session.objects.get().session_key)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session.save()
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


def test_a_user_is_the_one_that_django_finds(teacher, django_assert_num_queries):
    with django_assert_num_queries(1):
        found = Backend().get_user(teacher.pk)
    assert vars(found).keys() == vars(get_user_model().objects.get(pk=teacher.pk)).keys()
    assert found == teacher
    assert Backend().get_user(teacher.pk + 1) is None
