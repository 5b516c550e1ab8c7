"""The Django project: teachers, classes, puzzles, play, and the jobs that answer questions."""

from puzzleclass.celery import app as celery_app

__all__ = ["celery_app"]
__version__ = "0.1"
