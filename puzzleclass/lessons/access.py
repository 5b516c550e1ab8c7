"""Access to the questions of a lesson."""

from django.http import Http404

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import assigned_to
from puzzleclass.lessons.models import Question


def get_question_for_student(student: User, pk: int) -> Question:
    """Return a question of an assignment that the student has, as long as the student is in the
    class.

    Raise Http404 otherwise.
    """
    own = assigned_to(student, "assignment")
    in_class = {
        "assignment__classroom__students": student,
        "assignment__classroom__archived_at": None,
    }
    questions = Question.objects.select_related("assignment", "puzzle", "other_puzzle")
    question = questions.filter(own, pk=pk, **in_class).first()
    if question is None or not question.assignment.is_shown:
        raise Http404
    for board in (question.puzzle, question.other_puzzle):
        if board:
            board.assignment = question.assignment
    return question
