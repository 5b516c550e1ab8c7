"""The session and the user of a request, which are read together, in one query.

The rules are Django's own: what a session must carry, when it ends and whose it is. The query is
prepared, because Django otherwise spends a tenth of a move on writing its SQL
(docs/decisions/tricks.md).
"""

from contextvars import ContextVar
from typing import Any, cast

from django.contrib.auth import SESSION_KEY, get_user
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends import db
from django.db.models import CharField, DateTimeField
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from puzzleclass.accounts.models import Session, User
from puzzleclass.database.prepared_queries import Prepared

_SESSION = Prepared(
    lambda key, now: Session.objects.select_related("user").filter(
        session_key=key, expire_date__gt=now
    ),
    CharField,
    DateTimeField,
)

_read: ContextVar[User | None] = ContextVar("read", default=None)
"""The user that came with the session while `get_user` asks the backend for the session's user."""


class SessionStore(db.SessionStore):
    """Django's sessions in the database, whose rows name their users."""

    user: User | None = None
    """The user that was read with the session, whether the session still lets him or her in or
    not."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """Return the row to store, with the user whom the session names."""
        session = cast(Session, super().create_model_instance(data))
        session.user_id = data.get(SESSION_KEY)
        return session

    def load(self) -> dict[str, Any]:
        """Return what is stored. One query."""
        session = next(_SESSION(self.session_key, timezone.now()), None)
        if session is None:
            # Django's own `load` also forgets the key of a session that does not exist.
            return super().load()
        self.user = session.user
        stored: dict[str, Any] = self.decode(session.session_data)
        return stored


class Backend(ModelBackend):
    """Django's sign-in with a password."""

    def get_user(self, user_id: int) -> User | None:
        """Return the user if they may be signed in, or None. No query for the user who was read
        with the session."""
        user = _read.get()
        if user is None or user.pk != user_id:
            user = User.objects.filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None


class UserMiddleware(AuthenticationMiddleware):
    """Django's `request.user`, which takes the user that was read with the session."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        request.user = cast(User, SimpleLazyObject(lambda: _user_of(request)))


def _user_of(request: HttpRequest) -> User | AnonymousUser:
    if SESSION_KEY not in request.session:
        return AnonymousUser()
    token = _read.set(cast(SessionStore, request.session).user)
    try:
        return get_user(request)
    finally:
        _read.reset(token)
