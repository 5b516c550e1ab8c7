"""Access to the votes of a lesson."""

from django.http import Http404

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import assigned_to
from puzzleclass.lessons.models import Vote


def get_vote_for_student(student: User, pk: int) -> Vote:
    """Return a vote of an assignment that the student has, as long as the student is in the class.

    Raise Http404 otherwise.
    """
    votes = Vote.objects.select_related("puzzle__assignment", "assignment")
    own = assigned_to(student, "assignment")
    in_class = {
        "assignment__classroom__students": student,
        "assignment__classroom__archived_at": None,
    }
    vote = votes.filter(own, pk=pk, **in_class).first()
    if vote is None or not vote.assignment.is_shown:
        raise Http404
    return vote
