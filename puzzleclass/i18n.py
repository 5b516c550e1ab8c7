"""Puts the solvers' messages into the reader's language."""

from django.utils.translation import gettext

from solvers.message import Message


def say(message: Message) -> str:
    """Return the message in the active language, its fields filled."""
    values = {
        name: say(value) if isinstance(value, Message) else value
        for name, value in message.values.items()
    }
    return gettext(message.text).format_map(values)
