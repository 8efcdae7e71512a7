"""What the people of a study are told of by e-mail, and a webhook with them, each thing once."""

from enum import StrEnum

from django.db import models

from judging.models.job import Job


class NoticeAbout(StrEnum):
    """What is told: the value goes into the job's parameters."""

    COLLECTED = "all units are done"
    CLOSED = "a forced closing cancelled units"
    FAILED = "a job failed"
    THRESHOLD = "a threshold was reached"


class Notice(models.Model):
    key = models.CharField(
        max_length=60, unique=True, help_text="The same whenever the same thing is found again."
    )
    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="notice")

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.key
