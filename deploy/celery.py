"""The Celery app, which sends the ids of jobs to job processes through the broker at REDIS_URL.

The database stores the jobs themselves. `manage.py run_jobs` starts a job process. Without REDIS_URL, the
site runs each job immediately, without Celery.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("plumbline")
app.config_from_object("django.conf:settings", namespace="CELERY")
