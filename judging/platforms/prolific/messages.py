"""Process the messages that Prolific sends about submissions.

Source: https://docs.prolific.com/api-reference/webhooks, read on 2026-11-25. A message can come twice, and
messages can come in any order. The signature covers only the time of the request and the body. So the other
headers, such as the id of the event, decide nothing.
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from judging.models import PlatformMessage
from judging.platforms.services.submissions import Effect, note_status
from judging.protocol.platforms.prolific import PLATFORM

OLDEST: Final = timedelta(minutes=5)
"""Requests older than this are refused, so that nobody can record a signed request and resend it later."""
FREEING: Final = ("RETURNED", "TIMED-OUT")
"""The statuses after which the participant can no longer submit."""


@dataclass(frozen=True)
class Message:
    """A message about the new status of a submission.

    `id` is a hash of what was signed. `sent_at` is the signed time of the request, so it shows which message
    is the latest.
    """

    id: str
    submission: str
    participant: str
    status: str
    sent_at: datetime


def id_of(timestamp: str, body: bytes) -> str:
    """Return a hash of what a request's signature covers: the same request sent again has the same id."""
    return hashlib.sha256(timestamp.encode() + b"\n" + body).hexdigest()


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Return the signature of a request: base64 of HMAC-SHA256 over the timestamp and the raw body."""
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


def is_genuine(*, secret: str, timestamp: str, body: bytes, signed: str, now: datetime) -> bool:
    """Return whether the signature is Prolific's and the timestamp is at most `OLDEST` away from `now`."""
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 12):
        return False
    age = abs(now.timestamp() - int(timestamp))
    expected = signature(secret, timestamp, body)
    return age <= OLDEST.total_seconds() and hmac.compare_digest(expected.encode(), signed.encode())


@transaction.atomic
def take_message(*, message: Message, now: datetime) -> Effect:
    """Record the status of a submission. If the participant has given up, free the participant's unit."""
    _, is_new = PlatformMessage.objects.get_or_create(
        platform=PLATFORM.name, message_id=message.id, defaults={"received_at": now}
    )
    if not is_new:
        return Effect.REPEATED
    return note_status(
        platform=PLATFORM.name,
        submission=message.submission,
        worker=message.participant,
        status=message.status,
        sent_at=message.sent_at,
        freeing=FREEING,
        now=now,
    )
