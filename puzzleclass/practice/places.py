"""Where a student is in the worlds: the stored places, and the paths that lead on from them."""

from collections.abc import Iterable

from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
from puzzleclass.play.path import Path, path_of
from puzzleclass.play.practised import results_of
from puzzleclass.practice.fitting import experience_of, fitting_levels, skills_of
from puzzleclass.practice.models import PathPlace
from puzzleclass.puzzles.worlds import PracticeBoard, find_board
from solvers.registry import AnyKind


def stand_at(student: User, board: PracticeBoard) -> None:
    """Store that the student has opened the board from a world."""
    PathPlace.objects.update_or_create(
        student=student,
        kind_slug=board.kind_slug,
        defaults={"position": board.position, "at": timezone.now()},
    )


def note_asked(student: User, kind: AnyKind, level: int) -> None:
    """Store that the student has seen the invitation to a world, and answered it.

    Somebody without a place at the kind has not been invited.
    """
    for place in PathPlace.objects.filter(student=student, kind_slug=kind.slug):
        if level not in place.asked:
            place.asked = sorted([*place.asked, level])
            place.save(update_fields=["asked"])


def paths_for(student: User, classroom: Classroom, kinds: Iterable[AnyKind]) -> list[Path]:
    """Return the student's path through each of the kinds, the one played last first.

    Five queries.
    """
    results, experience, skills = results_of(student), experience_of(classroom), skills_of(student)
    places = {each.kind_slug: each for each in PathPlace.objects.filter(student=student)}
    latest = sorted(places.values(), key=lambda place: place.at, reverse=True)
    order = [place.kind_slug for place in latest]
    paths = []
    for kind in kinds:
        place = places.get(kind.slug)
        here = find_board(kind, place.position) if place else None
        asked = place.asked if place else ()
        fitting = fitting_levels(kind, skills, experience)
        paths.append(path_of(kind, results, here, fitting, asked))
    return sorted(
        paths, key=lambda path: order.index(path.kind.slug) if path.kind.slug in order else 99
    )
