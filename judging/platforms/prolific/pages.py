"""The address to which Prolific sends its messages."""

import json
from datetime import UTC, datetime
from typing import Final, TypeGuard

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from judging.core.clock import now as clock
from judging.limits import LONGEST_PLATFORM_ID
from judging.platforms.prolific.messages import Message, id_of, is_genuine, take_message

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
    moment, timestamp = clock(), request.headers.get("X-Prolific-Request-Timestamp", "")
    genuine = is_genuine(
        secret=secret,
        timestamp=timestamp,
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
    message = _read(content, timestamp, request.body)
    if message is None:
        return _refuse("the message lacks a submission, a participant or a status", 400)
    return JsonResponse({"effect": take_message(message=message, now=moment)})


def _read(content: dict[str, object], timestamp: str, body: bytes) -> Message | None:
    submission, participant, status = (
        content.get(name) for name in ("resource_id", "participant_id", "status")
    )
    if not (_is_id(submission) and _is_id(participant) and _is_id(status)):
        return None
    sent_at = datetime.fromtimestamp(int(timestamp), UTC)
    return Message(id_of(timestamp, body), submission, participant, status, sent_at)


def _is_id(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_PLATFORM_ID and "\0" not in value


def _refuse(reason: str, status: int) -> JsonResponse:
    return JsonResponse({"error": f"Refused: {reason}."}, status=status)
