"""A study that is being set up in the console: its study file; the files that it names lie in its folder."""

from django.conf import settings
from django.db import models

from judging.models.job import Job
from judging.models.study import Study


class Draft(models.Model):
    """The study file is the whole of it: the forms of the console change this text and nothing else.

    It may have faults. `serial` counts its changes, so that a check can be told from one of an earlier state.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="drafts"
    )
    text = models.TextField(help_text="The study file, as TOML.")
    serial = models.PositiveIntegerField(default=0)
    study = models.OneToOneField(
        Study,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="setup",
        help_text="The study made of it; empty until then.",
    )
    job = models.ForeignKey(
        Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", help_text="Its last check."
    )
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"draft {self.pk}"
