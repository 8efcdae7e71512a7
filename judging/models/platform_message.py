"""The messages that platforms have sent about submissions."""

from django.db import models


class PlatformMessage(models.Model):
    """A message from a platform, or a link that was opened in the platform's frame.

    Plumbline stores its id, so that the same message or link takes effect only once.
    """

    platform = models.CharField(max_length=10)
    message_id = models.CharField(max_length=200)
    received_at = models.DateTimeField()
    form_key = models.CharField(
        max_length=26,
        blank=True,
        default="",
        db_default="",
        help_text="Of the consent form that used a link from a frame; empty for other messages.",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["platform", "message_id"], name="platform_message_once"),
        ]

    def __str__(self) -> str:
        return f"{self.platform} {self.message_id}"
