"""Celery: carries the ids of jobs to their workers, with REDIS_URL as broker. What lasts is in the database.

`manage.py run_jobs` starts a worker. Without REDIS_URL nothing of this listens: jobs are done at once.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("plumbline")
app.config_from_object("django.conf:settings", namespace="CELERY")
