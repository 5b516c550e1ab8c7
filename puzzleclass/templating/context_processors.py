"""What all templates know."""

from django.http import HttpRequest

from puzzleclass.language import furigana, languages
from puzzleclass.language.reader import SIGNS, WORDS
from puzzleclass.language.reader import reader as current_reader


def reader(request: HttpRequest) -> dict[str, object]:
    """Return the reader and the choices that a reader has."""
    return {
        "reader": current_reader(),
        "signs": SIGNS,
        "words": WORDS,
        "has_readings": bool(languages.traits().readings),
        "furigana": furigana.is_on(),
    }
