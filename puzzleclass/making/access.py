"""Which kinds a page is there for: those that know its question."""

from django.http import Http404

from solvers.kind import Question
from solvers.registry import AnyKind, UnknownKind, get_kind


def get_kind_that_knows(kind_slug: str, question: str) -> tuple[AnyKind, Question]:
    """Return the kind and its question; any other kind answers as a missing page (404)."""
    try:
        kind = get_kind(kind_slug)
        return kind, kind.questions[question]
    except (UnknownKind, KeyError):
        raise Http404 from None
