"""Puts the solvers' messages into the reader's language and words."""

from django.utils.translation import gettext

from puzzleclass.reader import reader
from solvers.message import Message


def say(message: Message) -> str:
    """Return the message in the active language and the reader's words, its fields filled."""
    values = {
        name: say(value) if isinstance(value, Message) else value
        for name, value in message.values.items()
    }
    return gettext(reader().wording(message.text)).format_map(values)
