from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "judging"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tell the services, which know of no worker, how word of a job gets to one."""
        from judging.core.services import jobs
        from judging.jobs.carrying import carry

        jobs.carry_by(carry)
