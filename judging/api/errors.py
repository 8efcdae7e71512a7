"""One shape for whatever goes wrong: `{"error": {"code", "message", "fields"?}}`."""

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.signals import got_request_exception
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import exception_handler

log = logging.getLogger("django.request")


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to an exception that a view let through; None leaves it to Django's page for developers."""
    known = _translated(error)
    answer = exception_handler(known, context)
    if answer is None:
        return None if settings.DEBUG else _unexpected(context)
    # The framework has made Http404 and PermissionDenied its own by now, but only inside that call.
    detail = answer.data.get("detail") if isinstance(answer.data, dict) else None
    if isinstance(known, exceptions.ValidationError):
        answer.data = _invalid(answer.data)
    else:
        answer.data = shape(getattr(detail, "code", "error"), str(detail))
    return answer


def shape(code: str, message: str, fields: dict[str, list[str]] | None = None) -> dict[str, object]:
    """What every error looks like; `fields` only where one can say which were wrong."""
    return {"error": {"code": code, "message": message} | ({"fields": fields} if fields else {})}


def _translated(error: Exception) -> Exception:
    if isinstance(error, DjangoValidationError):
        named = hasattr(error, "error_dict")
        return exceptions.ValidationError(error.message_dict if named else error.messages)
    if isinstance(error, SuspiciousOperation):
        return exceptions.ParseError("The request could not be read.")
    return error


def _invalid(data: Any) -> dict[str, object]:
    """Sentences about the whole request make the message; those about a field stand under its name too."""
    if isinstance(data, list):
        return shape("invalid", " ".join(map(str, data)))
    named = {name: [str(text) for text in texts] for name, texts in data.items()}
    general = named.pop(api_settings.NON_FIELD_ERRORS_KEY, [])
    sentences = [*general, *(f"{name}: {text}" for name, texts in named.items() for text in texts)]
    return shape("invalid", " ".join(sentences), named)


def _unexpected(context: dict[str, Any]) -> Response:
    """Told to the log as Django would have told it."""
    request = context["request"]
    got_request_exception.send(sender=handle, request=request)
    log.exception("Internal Server Error: %s", request.path, extra={"request": request, "status_code": 500})
    message = "Something went wrong in the server. It has been written to the log."
    return Response(shape("error", message), status=status.HTTP_500_INTERNAL_SERVER_ERROR)
