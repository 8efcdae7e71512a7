"""List the exports of a study, and stream the files that the `export` command writes."""

from collections.abc import Callable
from typing import Final, TypeVar

from django.db.models import prefetch_related_objects
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework.exceptions import NotFound, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.serializers import CharField

from judging.api.base_views import StudyView
from judging.api.serializers import ExportSerializer, ManifestSerializer
from judging.archive.catalogue import EXPORTS, OFFERED, audited_chunks, is_offered, manifest_of
from judging.core import access
from judging.core.clock import now
from judging.core.formats.texts import MEDIA_TYPES, file_name
from judging.core.pages.attachment import attachment
from judging.core.pages.turns import one_at_a_time
from judging.core.published.table import Column, as_objects
from judging.models import Study

_FORM: Final = OpenApiParameter("form", str, "path", enum=list(MEDIA_TYPES))
_PARAMETERS: Final = [
    OpenApiParameter("what", str, "path", enum=[name for name in OFFERED if name != "judgments"]),
    _FORM,
]
_OF_JUDGMENTS: Final = [
    _FORM,
    OpenApiParameter(
        "with_excluded",
        bool,
        default=False,
        description="Whether to include the judgments of excluded units, which are flagged.",
    ),
]
_TYPES: Final = [media_type.partition(";")[0] for media_type in MEDIA_TYPES.values()]


def _columns(what: str) -> list[Column]:
    """Return the columns that an export has in every study, or an empty list for the bundle."""
    return [column for column in EXPORTS[what].columns() if column.name] if what in EXPORTS else []


F = TypeVar("F", bound=Callable[..., HttpResponseBase])


class Exports(StudyView):
    """List the exports, each with its columns and the addresses of its files and manifests."""

    @extend_schema(
        tags=["exports"],
        summary="The exports, with the addresses of their files",
        operation_id="studies_exports_list",
        responses=inline_serializer(
            "ExportList", {"next": CharField(allow_null=True), "results": ExportSerializer(many=True)}
        ),
    )
    def get(self, request: Request, slug: str) -> Response:
        study = self.study()
        prefetch_related_objects([study.entrance], "memberships")  # each export asks for the user's role
        rows = [
            {
                "name": export.name,
                "what": export.what,
                "columns": as_objects(_columns(export.name)),
                "files": [
                    {
                        "format": form,
                        "url": reverse("api:export", [slug, export.name, form], request=request),
                        "manifest": reverse("api:manifest", [slug, export.name, form], request=request),
                    }
                    for form in export.formats
                ],
            }
            for export in OFFERED.values()
            if access.may_export(request.user, study, export.name)
        ]
        return Response({"next": None, "results": rows})


class ExportView(StudyView):
    """The base class of views whose address names an export."""

    def exported(self) -> Study:
        """Return the study whose export is requested.

        Raise NotFound if there is no such export, or PermissionDenied if the account cannot download it.
        """
        study, what = self.study(), self.kwargs["what"]
        if not is_offered(what, self.kwargs["form"]):
            raise NotFound("There is no such export. See the list of exports for their names and formats.")
        if not access.may_export(self.request.user, study, what):
            raise PermissionDenied("You cannot download this data. Ask an owner of the study.")
        return study


def _described(operation: str) -> Callable[[F], F]:
    """Return a decorator that describes a download in the OpenAPI document.

    `operation` is the last part of the operation's id.
    """
    return extend_schema(
        tags=["exports"],
        summary="An export, as a file" if operation == "retrieve" else "The exported judgments, as a file",
        operation_id=f"studies_exports_{operation}",
        parameters=_PARAMETERS if operation == "retrieve" else _OF_JUDGMENTS,
        responses={(200, media_type): OpenApiTypes.BINARY for media_type in _TYPES},
    )


def _described_manifest(operation: str) -> Callable[[F], F]:
    what = "an export" if operation == "manifest" else "the exported judgments"
    return extend_schema(
        tags=["exports"],
        summary=f"The manifest of {what}: versions, seed, counts, columns and the checksum of the file",
        description="The server computes the whole export for this. If the study is still running, the"
        " manifest describes the current data, and not a file that was downloaded earlier.",
        operation_id=f"studies_exports_{operation}",
        parameters=_PARAMETERS if operation == "manifest" else _OF_JUDGMENTS,
        responses=ManifestSerializer,
    )


class OneExport(ExportView):
    """Download an export. The audit log records the download."""

    @_described("retrieve")
    def get(self, request: Request, **address: str) -> StreamingHttpResponse:
        study, what, form = self.exported(), self.kwargs["what"], self.kwargs["form"]
        excluded = _with_excluded(request)
        chunks = audited_chunks(
            study, what, form, now=now(), actor=access.account_of(request.user), with_excluded=excluded
        )
        return attachment(chunks, file_name(study, what, form), form)


class Manifest(ExportView):
    @_described_manifest("manifest")
    def get(self, request: Request, **address: str) -> HttpResponse:
        study, excluded = self.exported(), _with_excluded(request)
        what, form = self.kwargs["what"], self.kwargs["form"]
        with one_at_a_time():
            text = manifest_of(study, what, form, now=now(), with_excluded=excluded)
        return HttpResponse(text, content_type="application/json")


class JudgmentsExport(OneExport):
    """Download the judgments. The audit log records the download."""

    parameters = ("with_excluded",)

    @_described("judgments_retrieve")
    def get(self, request: Request, **address: str) -> StreamingHttpResponse:
        return super().get(request, **address)


class JudgmentsManifest(Manifest):
    parameters = ("with_excluded",)

    @_described_manifest("judgments_manifest")
    def get(self, request: Request, **address: str) -> HttpResponse:
        return super().get(request, **address)


def _with_excluded(request: Request) -> bool:
    value = request.query_params.get("with_excluded", "false")
    if value not in ("true", "false"):
        raise ValidationError({"with_excluded": ["Use true or false."]})
    return value == "true"
