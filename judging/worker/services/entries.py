"""Use the links from a platform's frame, each once."""

from datetime import datetime

from django.db import transaction

from judging.models import PlatformMessage


@transaction.atomic
def claim_entry(*, platform: str, entry: str, now: datetime, form_key: str = "") -> bool:
    """Use a link from a frame; return whether it was unused.

    The same consent form, sent twice, can use it twice: `form_key` identifies the form.
    """
    row, is_new = PlatformMessage.objects.get_or_create(
        platform=platform, message_id=entry, defaults={"received_at": now, "form_key": form_key}
    )
    return is_new or (form_key != "" and row.form_key == form_key)
