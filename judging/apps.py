"""The Django app of the site."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "judging"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the function that sends jobs to Celery.

        Services need that function, but must not import anything from `judging.jobs`.
        """
        from judging.core.services import jobs
        from judging.jobs.carrying import carry

        jobs.set_carrier(carry)
