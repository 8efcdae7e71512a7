"""Cursor pagination. Each page starts after the last row of the previous page, even if rows were added."""

import re
from typing import Any, Protocol, runtime_checkable

from django.db.models import Model, Q, QuerySet
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from judging.limits import API_MOST_ROWS, API_ROWS

Key = tuple[int, ...]


@runtime_checkable
class HasKeys(Protocol):
    """A view that names the columns that its rows are sorted by."""

    keys: tuple[str, ...]


class KeyPages(BasePagination):
    """Splits rows into pages, sorted by the columns `view.keys`.

    The values of these columns never change, and no two rows have the same values. A row appears on exactly
    one page if it exists from the first request to the last. Later pages are as fast as the first, because
    the database does not read the rows before a page.
    """

    parameters = ("cursor", "page_size")
    next: str | None

    def paginate_queryset(  # type: ignore[override]  # the keys of rows, which the view then reads
        self, queryset: QuerySet[Model], request: Request, view: APIView | None = None
    ) -> list[Key]:
        """Return the keys of the rows on the requested page."""
        assert isinstance(view, HasKeys)
        size = _size(request.query_params.get("page_size"))
        rows = queryset.order_by(*view.keys)
        cursor = request.query_params.get("cursor")
        if cursor is not None:
            rows = rows.filter(_after(view.keys, _key(cursor, len(view.keys))))
        keys = list(rows.values_list(*view.keys)[: size + 1])
        self.next = None
        if len(keys) > size:
            address = request.build_absolute_uri()
            self.next = replace_query_param(address, "cursor", _cursor(keys[size - 1]))
        return keys[:size]

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"next": self.next, "results": data})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        address = {
            "type": ["string", "null"],
            "format": "uri",
            "description": "The address of the next page; null on the last page.",
        }
        return {
            "type": "object",
            "required": ["next", "results"],
            "properties": {"next": address, "results": schema},
            "additionalProperties": False,
        }

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        assert isinstance(view, HasKeys)
        size = {"type": "integer", "minimum": 1, "maximum": API_MOST_ROWS, "default": API_ROWS}
        cursor = {"type": "string", "pattern": _pattern(len(view.keys))}
        return [
            _parameter("cursor", cursor, "The start of the page, from `next` of the previous page."),
            _parameter("page_size", size, "The number of rows on a page."),
        ]


def _parameter(name: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": description}


def _size(text: str | None) -> int:
    if text is None:
        return API_ROWS
    if text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= API_MOST_ROWS:
        return int(text)
    raise ValidationError({"page_size": [f"This is not a whole number from 1 to {API_MOST_ROWS}. Use one."]})


def _pattern(parts: int) -> str:
    """Return the pattern of a cursor. A cursor has the keys of a page's last row, separated by dots."""
    return r"^[0-9]{1,18}" + r"\.[0-9]{1,18}" * (parts - 1) + "$"


def _cursor(key: Key) -> str:
    return ".".join(map(str, key))


def _key(cursor: str, parts: int) -> Key:
    if re.fullmatch(_pattern(parts), cursor):
        return tuple(map(int, cursor.split(".")))
    raise ValidationError({"cursor": ["Invalid cursor. Start again from the first page."]})


def _after(fields: tuple[str, ...], key: Key) -> Q:
    """Return a condition that selects the rows after `key`. Keys are compared field by field."""
    first, value = fields[0], key[0]
    if len(fields) == 1:
        return Q(**{f"{first}__gt": value})
    # `later` implies the first condition, but the database needs that condition to start inside an index.
    later = Q(**{f"{first}__gt": value}) | (Q(**{first: value}) & _after(fields[1:], key[1:]))
    return Q(**{f"{first}__gte": value}) & later
