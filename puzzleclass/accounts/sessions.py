"""The session and the user of a request, which every request of a signed-in person reads.

Both are Django's own. Only their two queries are prepared, because Django otherwise spends a tenth
of a move on writing the SQL (docs/decisions/tricks.md).
"""

from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import BigIntegerField, CharField, DateTimeField
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.database.prepared_queries import Prepared

_SESSION = Prepared(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now),
    CharField,
    DateTimeField,
)
_USER = Prepared(lambda pk: User.objects.filter(pk=pk).order_by(), BigIntegerField)

_BACKEND_BEFORE = "django.contrib.auth.backends.ModelBackend"
"""The backend that the sessions of earlier versions name."""


class SessionStore(db.SessionStore):
    """Django's sessions in the database, read with a prepared query."""

    def load(self) -> dict[str, Any]:
        """Return what is stored. Nobody is signed out by an update that renamed the backend."""
        session = next(_SESSION(self.session_key, timezone.now()), None)
        # Django's own `load` also forgets the key of a session that does not exist.
        stored: dict[str, Any] = self.decode(session.session_data) if session else super().load()
        if stored.get(BACKEND_SESSION_KEY) == _BACKEND_BEFORE:
            stored[BACKEND_SESSION_KEY] = f"{Backend.__module__}.{Backend.__qualname__}"
        return stored


class Backend(ModelBackend):
    """Django's sign-in with a password. The signed-in user is read with a prepared query."""

    def get_user(self, user_id: int) -> User | None:
        """Return the user if they may be signed in, or None."""
        user = next(_USER(user_id), None)
        return user if user and self.user_can_authenticate(user) else None
