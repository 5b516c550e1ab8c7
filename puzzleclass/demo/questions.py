"""What the demo's teacher has asked before anybody looks: the worker answers after the start."""

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services as jobs
from puzzleclass.learn import maxstrings
from puzzleclass.making import explore
from puzzleclass.puzzles import counts, difficulty
from puzzleclass.puzzles.asking import ask_about, can_ask
from puzzleclass.puzzles.models import Puzzle
from solvers.registry import kinds

SURVEYS = ({"size": "4x4", "stones": "2..12"}, {"size": "5x5", "stones": "2..14"})
"""Options of the surveys that differ from the question's own."""


def ask_in_advance(teacher: User) -> None:
    """Ask about the library, about random boards, and about the board that a study's page shows."""
    for puzzle in Puzzle.objects.filter(owner=teacher):
        for question in (counts.QUESTION, difficulty.QUESTION):
            if can_ask(puzzle, question):
                ask_about(teacher, puzzle, question)
    for kind in kinds().values():
        if survey := kind.questions.get(explore.QUESTION):
            for wishes in SURVEYS:
                options = {
                    name: option.read(wishes.get(name, option.default))
                    for name, option in survey.options.items()
                }
                jobs.ask(teacher, kind.slug, explore.QUESTION, survey.position, options)
    for key in maxstrings.QUESTIONS:
        maxstrings.ask_about_square(teacher, maxstrings.SHOWN, key)
