"""Limits how many of a study's units can be held at once from one network address."""

from datetime import datetime

from django.db import connection
from django.utils.crypto import salted_hmac

from judging.models import Assignment, Study
from judging.models.fields import values
from judging.protocol.states import LIVE


class AddressFullError(Exception):
    """The workers at this address already hold the maximum number of units.

    `free_at` is the time when the first of these units lapses.
    """

    def __init__(self, free_at: datetime) -> None:
        super().__init__(f"no more units for this address before {free_at}")
        self.free_at = free_at


def claim_place(*, study: Study, address: str, now: datetime) -> str:
    """Check that the address can hold another unit. Return `Assignment.held_from` for the new reservation.

    Other reservations from this address in this study wait until the transaction ends, so that units reserved
    at the same time do not exceed the limit. An empty address, as in simulations, has no limit. Raise
    AddressFullError if the limit is reached.
    """
    if not address:
        return ""
    held_from = salted_hmac("plumbline.held_from", f"{study.pk}/{address}", algorithm="sha256").hexdigest()[
        :32
    ]
    if connection.vendor == "postgresql":  # SQLite has one writer at a time anyway
        key = int.from_bytes(bytes.fromhex(held_from)[:8], signed=True)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])
    held = Assignment.objects.filter(held_from=held_from, state__in=values(LIVE), lapses_at__gt=now)
    lapses = list(held.order_by("lapses_at").values_list("lapses_at", flat=True))
    if len(lapses) >= study.reservations_per_address:
        raise AddressFullError(lapses[0])
    return held_from
