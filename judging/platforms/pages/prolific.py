"""The address to which Prolific sends its messages."""

import json
from datetime import UTC, datetime
from typing import Final, TypeGuard

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.utils.dateparse import parse_datetime
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from judging.core.clock import now as clock
from judging.limits import LONGEST_PLATFORM_ID
from judging.platforms.services.prolific_messages import Message, is_genuine, take_message

EVENT: Final = "submission.status.change"
_LONGEST_BODY: Final = 65_536


@csrf_exempt  # the signature proves where the request comes from
@require_POST
def messages(request: HttpRequest) -> JsonResponse:
    """Process a message from Prolific.

    A repeated message also gets status 200, so that Prolific stops sending it.
    """
    secret = settings.PROLIFIC_HOOK_SECRET
    if not secret:
        return _refuse("set PLUMBLINE_PROLIFIC_HOOK_SECRET to receive messages", 404)
    if int(request.headers.get("Content-Length") or 0) > _LONGEST_BODY:
        return _refuse("the message is too long", 413)
    moment = clock()
    genuine = is_genuine(
        secret=secret,
        timestamp=request.headers.get("X-Prolific-Request-Timestamp", ""),
        body=request.body,
        signed=request.headers.get("X-Prolific-Request-Signature", ""),
        now=moment,
    )
    if not genuine:
        return _refuse("the signature or its time is not valid", 403)
    try:
        content = json.loads(request.body)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        return _refuse("the message is not a JSON object", 400)
    if content.get("event_type") != EVENT:
        return JsonResponse({"effect": "ignored"})
    message = _read(request, content)
    if message is None:
        return _refuse("the message lacks an id, a submission, a participant, a status or a time", 400)
    return JsonResponse({"effect": take_message(message=message, now=moment)})


def _read(request: HttpRequest, content: dict[str, object]) -> Message | None:
    sent_at = _moment(
        request.headers.get("X-Timestamp") or request.headers.get("X-Prolific-Request-Timestamp", "")
    )
    message_id = request.headers.get("X-Event-ID", "")
    submission, participant, status = (
        content.get(name) for name in ("resource_id", "participant_id", "status")
    )
    if sent_at and _is_id(message_id) and _is_id(submission) and _is_id(participant) and _is_id(status):
        return Message(message_id, submission, participant, status, sent_at)
    return None


def _is_id(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_PLATFORM_ID and "\0" not in value


def _moment(text: str) -> datetime | None:
    """Return the time in a header: seconds since 1970, or ISO 8601 with an offset."""
    try:
        if text.isascii() and text.replace(".", "", 1).isdigit():
            return datetime.fromtimestamp(float(text), UTC)
        moment = parse_datetime(text)
    except (ValueError, OverflowError, OSError):
        return None
    return moment if moment is not None and moment.tzinfo is not None else None


def _refuse(reason: str, status: int) -> JsonResponse:
    return JsonResponse({"error": f"Refused: {reason}."}, status=status)
