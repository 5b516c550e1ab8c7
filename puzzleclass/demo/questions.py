"""What the demo's teacher has asked before anybody looks: the worker answers after the start."""

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services as jobs
from puzzleclass.learn import kikazu, maxstrings, tonari_runs
from puzzleclass.puzzles.answers import COUNT, RATE, ask_about, can_ask
from puzzleclass.puzzles.generator import SURVEY
from puzzleclass.puzzles.models import Puzzle
from solvers.registry import kinds

SURVEYS = ({"size": "4x4", "stones": "2..12"}, {"size": "5x5", "stones": "2..14"})
"""Options of the surveys that differ from the question's own."""


def ask_in_advance(teacher: User) -> None:
    """Ask about the library, about random boards, and for the tables of the studies' pages.

    All of it is a minute's work. What takes a second or more comes last, so that a visitor's
    own question hardly waits for it.
    """
    for puzzle in Puzzle.objects.filter(owner=teacher):
        for question in (COUNT, RATE):
            if can_ask(puzzle, question):
                ask_about(teacher, puzzle, question)
    for kind in kinds().values():
        if survey := kind.questions.get(SURVEY):
            for wishes in SURVEYS:
                options = {
                    name: option.read(wishes.get(name, option.default))
                    for name, option in survey.options.items()
                }
                jobs.ask(teacher, kind.slug, SURVEY, survey.position, options)
    for key in maxstrings.QUESTIONS:
        maxstrings.ask_about_square(teacher, maxstrings.SHOWN, key)
    for hand, _name in kikazu.SETS:
        kikazu.ask_about_set(teacher, hand)
    runs = [tonari_runs.look_up(method, side) for method, side in tonari_runs.RUNS.values()]
    for run in sorted(runs, key=lambda run: run.method in tonari_runs.PRUNINGS):
        if not run.is_quick:
            tonari_runs.ask(teacher, run)
