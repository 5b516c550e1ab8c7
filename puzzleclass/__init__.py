"""The Django project: teachers, classes, puzzles, play, and the jobs that answer questions."""

from puzzleclass.celery import app as celery_app
from solvers import __version__

__all__ = ["__version__", "celery_app"]
