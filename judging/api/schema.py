"""The OpenAPI document."""

from typing import Any, Final

from drf_spectacular.renderers import OpenApiJsonRenderer2
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import AllowAny

from judging.api.base import TEXT, ApiView

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
                "code": {"type": "string", "description": "For programs."},
                "message": {"type": "string", "description": "For people."},
                "fields": {
                    "type": "object",
                    "additionalProperties": _TEXTS,
                    "description": "Parameter or field → what is wrong with it.",
                },
            },
        }
    },
}


class Schema(ApiView, SpectacularAPIView):
    """For everybody: it says nothing that the source code does not say."""

    permission_classes = (AllowAny,)
    renderer_classes = [OpenApiJsonRenderer2]
    schema = None


def complete(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """What the views cannot say: the shape of errors, and the columns that a study's grade sets add."""
    schemas = result["components"]["schemas"]
    schemas["Error"] = _ERROR
    schemas["Judgment"]["additionalProperties"] = {
        "type": "string",
        "description": "One for each further set of known grades, under its name.",
    }
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for operations in result["paths"].values():
        for operation in operations.values():
            operation["responses"]["default"] = {"description": "What went wrong.", "content": error}
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "query" and parameter["schema"] == {"type": "string"}:
                    parameter["schema"]["pattern"] = TEXT
    return result
