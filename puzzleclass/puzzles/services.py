"""What a teacher does to the library."""

from django.utils.translation import gettext

from puzzleclass.puzzles.models import Puzzle

TITLE_LENGTH = Puzzle._meta.get_field("title").max_length


def copy_puzzle(puzzle: Puzzle) -> Puzzle:
    """Return a new puzzle of the same owner, like this one but for the title."""
    room = TITLE_LENGTH - len(gettext("{title} (copy)").format(title=""))
    return Puzzle.objects.create(
        owner=puzzle.owner,
        kind_slug=puzzle.kind_slug,
        position=puzzle.position,
        title=gettext("{title} (copy)").format(title=puzzle.title[:room]),
        note=puzzle.note,
    )
