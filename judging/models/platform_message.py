"""The messages that platforms have sent about submissions."""

from django.db import models


class PlatformMessage(models.Model):
    """A message of a platform. It is stored so that a message sent twice changes nothing the second time."""

    platform = models.CharField(max_length=10)
    message_id = models.CharField(max_length=200)
    received_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["platform", "message_id"], name="platform_message_once"),
        ]

    def __str__(self) -> str:
        return f"{self.platform} {self.message_id}"
