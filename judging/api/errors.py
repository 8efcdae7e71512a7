"""The shape of all errors: `{"error": {"code", "message", "fields"?}}`."""

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

from judging.core.pages.turns import WAIT, NotYourTurnError

log = logging.getLogger("django.request")


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the response for an exception that a view raised.

    If `DEBUG` is on and the exception is unexpected, return None, so that Django shows its debug page.
    """
    translated = _translated(error)
    response = exception_handler(translated, context)
    if response is None:
        return None if settings.DEBUG else _unexpected(context)
    # exception_handler converts Http404 and PermissionDenied, so only its response contains their codes.
    detail = response.data.get("detail") if isinstance(response.data, dict) else None
    if isinstance(translated, exceptions.ValidationError):
        response.data = _invalid(response.data)
    else:
        response.data = shape(getattr(detail, "code", "error"), str(detail))
    return response


def shape(code: str, message: str, fields: dict[str, list[str]] | None = None) -> dict[str, object]:
    """Return the body of an error. `fields` maps the names of invalid fields to their errors."""
    return {"error": {"code": code, "message": message} | ({"fields": fields} if fields else {})}


def _translated(error: Exception) -> Exception:
    if isinstance(error, DjangoValidationError):
        has_fields = hasattr(error, "error_dict")
        return exceptions.ValidationError(error.message_dict if has_fields else error.messages)
    if isinstance(error, NotYourTurnError):
        return exceptions.Throttled(WAIT, "Another file is being computed.")
    if isinstance(error, SuspiciousOperation):
        return exceptions.ParseError("The request is not valid. Check its headers and its body.")
    return error


def _invalid(data: Any) -> dict[str, object]:
    """Return the body of a validation error.

    `message` joins all errors. `fields` omits errors that do not belong to a field.
    """
    if isinstance(data, list):
        return shape("invalid", " ".join(map(str, data)))
    by_field = {name: [str(text) for text in texts] for name, texts in data.items()}
    general = by_field.pop(api_settings.NON_FIELD_ERRORS_KEY, [])
    sentences = [*general, *(f"{name}: {text}" for name, texts in by_field.items() for text in texts)]
    return shape("invalid", " ".join(sentences), by_field)


def _unexpected(context: dict[str, Any]) -> Response:
    """Log the exception as Django does, and return a response that does not reveal its details."""
    request = context["request"]
    got_request_exception.send(sender=handle, request=request)
    log.exception("Internal Server Error: %s", request.path, extra={"request": request, "status_code": 500})
    message = "An unexpected error occurred. The server's log has the details. Try again later."
    return Response(shape("error", message), status=status.HTTP_500_INTERNAL_SERVER_ERROR)
