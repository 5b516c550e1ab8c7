"""Messages on their way through a JSON column."""

from typing import Any

from solvers.message import Message


def message_to_json(message: Message | None) -> dict[str, Any] | None:
    """Return the message as JSON values; messages inside it likewise."""
    if message is None:
        return None
    values = {
        name: message_to_json(value) if isinstance(value, Message) else value
        for name, value in message.values.items()
    }
    return {"text": message.text, "values": values}


def message_from_json(stored: dict[str, Any] | None) -> Message | None:
    """Return the message that `message_to_json` stored."""
    if stored is None:
        return None
    values = {
        name: message_from_json(value) if isinstance(value, dict) else value
        for name, value in stored["values"].items()
    }
    return Message(stored["text"], values)
