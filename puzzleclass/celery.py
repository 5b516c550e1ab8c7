"""The Celery application. Its settings are those in `settings.py` that begin with `CELERY_`.

Its tasks are in `jobs.delivery`, `operations.pruning`, `home.daily_mail`, `rosters`, `lti`, `stats`
and `practice`. Django loads them with the apps.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "puzzleclass.settings")

app = Celery("puzzleclass")
app.config_from_object("django.conf:settings", namespace="CELERY")
