"""The boards whose answers are kept because the studies' pages ask about them."""

from collections.abc import Iterator

from solvers.registry import get_kind


def asked_boards() -> Iterator[tuple[str, str]]:
    """Yield the kind and the start of every board that a reader of a study can ask about."""
    # Imported here, because these modules take half a second to load.
    from puzzleclass.studies import maxstrings_questions, tonari_methods
    from solvers.maxstrings.maximum import LARGEST

    for n in range(1, LARGEST + 1):
        yield maxstrings_questions.KIND, _canonical(maxstrings_questions.KIND, f"{n}x{n}")
    for method in tonari_methods.METHODS:
        for side in method.sides:
            yield (
                tonari_methods.SLUG,
                _canonical(tonari_methods.SLUG, tonari_methods.position_text(side)),
            )


def _canonical(slug: str, position: str) -> str:
    kind = get_kind(slug)
    return kind.write(kind.read(position))
