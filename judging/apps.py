"""The Django app of the site."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "judging"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Give the services, which must not import the job workers, the function that sends a job to one."""
        from judging.core.services import jobs
        from judging.jobs.carrying import carry

        jobs.carry_by(carry)
