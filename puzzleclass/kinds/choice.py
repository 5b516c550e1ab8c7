"""Which kinds a reader sees: those of the classes, and those that people there have made."""

from collections.abc import Iterator

from django.db.models import F, Q
from django.http import HttpRequest, HttpResponse

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import CLASS_CODE
from puzzleclass.classes.access import Right, in_class_of
from puzzleclass.classes.kind_choice import chosen_kinds
from puzzleclass.classes.models import Classroom
from puzzleclass.http import Middleware
from puzzleclass.kinds.models import Invention, KindVersion
from puzzleclass.kinds.stored import find_kind
from puzzleclass.seen_kinds import Kinds, seeing
from solvers.registry import AnyKind, kinds

MAX_MADE = 100
"""The most kinds made by teachers in a menu, the latest first."""


def kinds_for(user: User, code: str | None = None) -> Kinds:
    """Return the kinds that a user sees: slug -> kind.

    A student sees those of the class of the sign-in, or else of the first class. A teacher sees
    those of all classes. Each sees what teachers of these classes have made, too. Two queries, and
    one a minute for each kind that is made.
    """
    classes = Classroom.objects.filter(archived_at=None).select_related("school")
    if user.is_student:
        own = list(classes.filter(students=user))
        own = [each for each in own if each.code == code] or own[:1]
    else:
        own = list(classes.filter(in_class_of(user)))
    roles = sorted(Right.TEACH.value)
    makers = (
        Q(owner=user)
        | Q(owner__teachings__classroom__in=own, owner__teachings__role__in=roles)
        | Q(
            classroom__in=[each for each in own if each.invents],
            owner__enrolments__classroom=F("classroom"),
        )
    )
    seen: dict[str, AnyKind] = {}
    for classroom in own:
        seen |= chosen_kinds((classroom.school or classroom).kinds)
    return (seen or dict(kinds())) | {kind.slug: kind for kind in _made_by(makers)}


def _made_by(makers: Q) -> Iterator[AnyKind]:
    """Yield the latest version of each kind that somebody has made."""
    versions = KindVersion.objects.filter(invention__in=Invention.objects.filter(makers))
    latest = versions.order_by("-invention", "-number")
    slugs: dict[int, str] = {}
    for invention, slug in latest.values_list("invention", "stored"):
        slugs.setdefault(invention, slug)
    yield from filter(None, map(find_kind, [*slugs.values()][:MAX_MADE]))


class SeenKindsMiddleware(Middleware):
    """Middleware that shows each reader the kinds of his or her classes. It asks only for pages
    that show kinds."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        known: list[Kinds] = []

        def seen() -> Kinds:
            if not known:
                known.append(_seen_by(request))
            return known[0]

        with seeing(seen):
            return self.get_response(request)


def _seen_by(request: HttpRequest) -> Kinds:
    if not request.user.is_authenticated:
        return kinds()
    return kinds_for(request.user, request.session.get(CLASS_CODE))
