"""What the settings name: read by the framework before its own views exist, so none is imported."""

from collections.abc import Sequence
from typing import Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from judging import access


class FirstRenderer(BaseContentNegotiation):
    """There is one form of each answer; what else a client would accept does not matter."""

    def select_parser(self, request: Request, parsers: Sequence[Any]) -> Any:
        content_type = request.content_type.partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == content_type), None)

    def select_renderer(
        self, request: Request, renderers: Sequence[Any], format_suffix: str | None = None
    ) -> tuple[Any, str]:
        return renderers[0], renderers[0].media_type


class MayUseConsole(BasePermission):
    """The API shows what the console shows, to the same people."""

    message = "This account may not use the API. Ask an administrator of the site."

    def has_permission(self, request: Request, view: Any) -> bool:
        return access.may_use_console(request.user)
