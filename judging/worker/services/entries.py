"""Makes sure that each link that opens Plumbline from a platform's frame is used only once."""

from datetime import datetime

from django.db import transaction

from judging.models import PlatformMessage


def is_used(*, platform: str, entry: str) -> bool:
    """Return whether somebody has used a link from a frame."""
    return PlatformMessage.objects.filter(platform=platform, message_id=entry).exists()


@transaction.atomic
def claim_entry(*, platform: str, entry: str, now: datetime, form_key: str = "") -> bool:
    """Mark a link from a frame as used, and return whether this visitor can use the link.

    A link can be used only once, unless the same consent form is sent twice. `form_key` identifies the form.
    """
    row, is_new = PlatformMessage.objects.get_or_create(
        platform=platform, message_id=entry, defaults={"received_at": now, "form_key": form_key}
    )
    return is_new or (form_key != "" and row.form_key == form_key)
