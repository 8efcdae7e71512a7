"""Notices: e-mails and webhook messages about events. Plumbline requests each notice only once."""

from enum import StrEnum

from django.db import models

from judging.models.job import Job
from judging.protocol.words import gettext_noop as _


class NoticeAbout(StrEnum):
    """The events that cause a notice. The job of the notice stores the event in its parameters."""

    COLLECTED = _("all units are done")
    CLOSED = _("units were cancelled when the study was closed")
    FAILED = _("a job failed")
    THRESHOLD = _("a threshold was reached")


class Notice(models.Model):
    key = models.CharField(
        max_length=60, unique=True, help_text="The same whenever the same thing is found again."
    )
    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="notice")

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.key
