"""Limits how many of a study's units can be held at once from one network address."""

from datetime import datetime
from hashlib import sha256
from typing import Final

from django.db import connection
from django.utils.crypto import salted_hmac

from judging.core.observing.address import networks_of
from judging.models import Assignment, Study
from judging.models.fields import values
from judging.protocol.states import LIVE

_DIGITS: Final = 10
"""The hexadecimal digits for each network. `held_from` has room for the three networks of an IPv6 address."""


class AddressFullError(Exception):
    """The workers at this address already hold the maximum number of units.

    `free_at` is the time when the first of these units lapses.
    """

    def __init__(self, free_at: datetime) -> None:
        super().__init__(f"no more units for this address before {free_at}")
        self.free_at = free_at


def claim_place(*, study: Study, address: str, now: datetime) -> str:
    """Check that the address can hold another unit. Return `Assignment.held_from` for the new reservation.

    The arms of a study share the limit. Larger limits apply to the networks around an IPv6 address. Other
    reservations from the same networks in this study wait until the transaction ends, so that units reserved
    at the same time do not exceed the limits. An empty address, as in simulations, has no limit. Raise
    AddressFullError if a limit is reached.
    """
    if not address:
        return ""
    held_from = ""
    for network in reversed(networks_of(address)):
        held_from += _hash(study, network.name)
        if connection.vendor == "postgresql":  # SQLite has one writer at a time anyway
            key = int.from_bytes(sha256(held_from.encode()).digest()[:8], signed=True)
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])
        held = Assignment.objects.filter(
            held_from__startswith=held_from, state__in=values(LIVE), lapses_at__gt=now
        )
        lapses = list(held.order_by("lapses_at").values_list("lapses_at", flat=True))
        if len(lapses) >= study.reservations_per_address * network.factor:
            raise AddressFullError(lapses[0])
    return held_from


def _hash(study: Study, network: str) -> str:
    """Return a part of `held_from`, which has a part for each network, the widest first."""
    text = f"{study.front_id or study.pk}/{network}"
    return salted_hmac("plumbline.held_from", text, algorithm="sha256").hexdigest()[:_DIGITS]
