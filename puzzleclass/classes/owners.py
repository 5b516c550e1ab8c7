"""The part of an address that names a school or a board of education, such as `boards/3`."""

from typing import NamedTuple

from django.urls import register_converter

from puzzleclass.classes.school_models import Board, Owner, School
from puzzleclass.http import KeyConverter


class OwnerKey(NamedTuple):
    """The owner that an address names. It may not exist."""

    model: type[Owner]
    pk: int


class OwnerConverter:
    """A school or a board in an address. In `reverse`, a number is the key of a school."""

    regex = "(?:schools|boards)/[0-9]+"

    def to_python(self, value: str) -> OwnerKey:
        folder, key = value.split("/")
        model = Board if folder == Board.FOLDER else School
        return OwnerKey(model, KeyConverter().to_python(key))

    def to_url(self, value: Owner | int) -> str:
        return (
            f"{School.FOLDER}/{value}" if isinstance(value, int) else f"{value.FOLDER}/{value.pk}"
        )


register_converter(OwnerConverter, "owner")
