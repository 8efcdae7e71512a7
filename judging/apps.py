from django.apps import AppConfig


class JudgingConfig(AppConfig):
    name = "judging"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tell the services, which know of no worker, how word of a job gets to one."""
        from judging.jobs.carrying import carry
        from judging.services import jobs

        jobs.carry_by(carry)
