"""The votes and rounds of earlier releases are questions today."""

from django.utils import timezone

from puzzleclass.lessons.models import Answer, Question
from tests.jobs.test_migrations import migrate, migrate_to_today, tables

__all__ = ["tables"]


def test_votes_and_rounds_become_questions(tables, teacher, student, assigned):
    old = migrate([("lessons", "0006_screens_and_seats")])
    vote, ballot, played = (old.get_model("lessons", name) for name in ("Vote", "Ballot", "Round"))
    where = {"assignment_id": assigned.assignment_id, "puzzle_id": assigned.pk}
    once = vote.objects.create(**where, question="move", stage="over")
    twice = vote.objects.create(**where, question="count", stage="over")
    running = vote.objects.create(**where, question="solvable", stage="talk", line="1,1")
    for each, number, answer in ((once, 1, "1,1"), (twice, 1, "3"), (twice, 2, "5")):
        ballot.objects.create(vote=each, student_id=student.pk, round=number, answer=answer)
    now = timezone.now()
    played.objects.create(**where, starts_at=now, ended_at=now, is_over=True, pauses=[[1, 2]])
    migrate_to_today()
    found = {each.pk: each for each in Question.objects.all()}
    # The addresses of votes lead to the questions with the same keys.
    assert (found[once.pk].sort, found[once.pk].stage, found[once.pk].round) == ("move", "over", 1)
    assert (found[twice.pk].round, found[twice.pk].twice) == (2, True)
    assert (found[running.pk].stage, found[running.pk].line) == ("closed", "1,1")
    solved = Question.objects.get(sort="solve")
    assert (solved.starts_at, solved.closes_at, solved.pauses) == (now, now, [[1, 2]])
    answers = Answer.objects.order_by("pk").values_list("question", "round", "answer")
    assert list(answers) == [(once.pk, 1, "1,1"), (twice.pk, 1, "3"), (twice.pk, 2, "5")]
