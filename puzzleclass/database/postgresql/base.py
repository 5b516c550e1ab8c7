"""The engine's connection. Django looks for the class `DatabaseWrapper` in a module of this name.

Before the first query of a request, Django asks the server whether a kept connection still works
(`CONN_HEALTH_CHECKS`). That is one of nine questions of a move, and the server never says no: it
closes the connection. The operating system knows that without a question.
"""

from selectors import EVENT_READ, DefaultSelector

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is usable as long as the server has said nothing by itself."""

    def is_usable(self) -> bool:
        """Return whether queries can be sent over the connection.

        If there is something to read, it is the end of the connection or a notice, and Django asks
        the server.
        """
        if self.connection is None or self.connection.closed:
            return False
        with DefaultSelector() as selector:
            selector.register(self.connection.fileno(), EVENT_READ)
            is_silent = not selector.select(0)
        return is_silent or super().is_usable()
