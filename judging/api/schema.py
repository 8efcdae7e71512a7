"""The OpenAPI document."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from drf_spectacular.renderers import OpenApiJsonRenderer2
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base_views import TEXT, ApiView
from judging.api.paging import KeyPages

_TEXTS: Final = {"type": "array", "items": {"type": "string"}}
_ERROR: Final = {
    "type": "object",
    "required": ["error"],
    "additionalProperties": False,
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message"],
            "additionalProperties": False,
            "properties": {
                "code": {"type": "string", "description": "A stable code, for programs."},
                "message": {"type": "string", "description": "A sentence in English, for people."},
                "fields": {
                    "type": "object",
                    "additionalProperties": _TEXTS,
                    "description": "For each wrong parameter or field, what is wrong with it.",
                },
            },
        }
    },
}


class Schema(ApiView, SpectacularAPIView):
    """Serves the OpenAPI document to everybody, because it contains no data."""

    permission_classes = (AllowAny,)
    renderer_classes = [OpenApiJsonRenderer2]
    schema = None

    def _get_schema_response(self, request: Request) -> Response:
        """Return the document. It depends on the program alone, so a process computes it only once."""
        name = self._get_filename(request, None)  # type: ignore[no-untyped-call]
        return Response(_document(), headers={"Content-Disposition": f'inline; filename="{name}"'})


@cache
def _document() -> dict[str, Any]:
    generator: Any = Schema.generator_class()
    document: dict[str, Any] = generator.get_schema(request=None, public=True)
    return document


def markdown() -> Iterator[str]:
    """Yield the lines of Markdown that document what can be read, with the filters of each address."""
    yield "| `GET` | returns | filters |\n|---|---|---|\n"
    for address, operations in _document()["paths"].items():
        if read := operations.get("get"):
            names = [item["name"] for item in read.get("parameters", ()) if item["in"] == "query"]
            filters = ", ".join(f"`{name}`" for name in names if name not in KeyPages.parameters)
            written = address.replace("{slug}", "SLUG").replace("{what}", "WHAT").replace("{form}", "FORMAT")
            summary = read["summary"]
            yield f"| `{written}` | {summary[:1].lower()}{summary[1:]} | {filters} |\n"


def complete(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Add the parts of the OpenAPI document that no view declares.

    These are the errors, the columns of grade sets, and the patterns of query parameters.
    """
    schemas = result["components"]["schemas"]
    schemas["Error"] = _ERROR
    schemas["Judgment"]["additionalProperties"] = {
        "type": "string",
        "description": "A column for each further set of known grades, with its name.",
    }
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for operations in result["paths"].values():
        for operation in operations.values():
            operation["responses"]["default"] = {"description": "An error.", "content": error}
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "query" and parameter["schema"] == {"type": "string"}:
                    parameter["schema"]["pattern"] = TEXT
    return result
