import pytest
from django.db import DatabaseError

from puzzleclass import health


@pytest.mark.django_db
def test_healthy(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    response = client.get("/healthz", headers={"Host": "10.0.0.7:8000"})
    assert (response.status_code, response.content) == (200, b"ok\n")


def test_without_a_database(client, monkeypatch):
    class Away:
        def cursor(self):
            raise DatabaseError

    monkeypatch.setattr(health, "connection", Away())
    assert client.get("/healthz").status_code == 503
