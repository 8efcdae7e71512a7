"""What can be exported of a study, and the exports themselves: the files of the command line, streamed."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework.exceptions import NotFound, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.serializers import CharField

from judging import access
from judging.api.base import StudyView
from judging.api.serializers import ExportSerializer
from judging.exports.catalogue import EXPORTS, export_lines, file_name
from judging.exports.formats import MEDIA_TYPES
from judging.selectors.clock import now
from judging.services.exporting import record_export

LINES_AT_ONCE: Final = 500
OFFERED: Final = {name: export for name, export in EXPORTS.items() if name not in access.PERSONAL_EXPORTS}
"""Who the workers are on their platform is never given away here."""


class Exports(StudyView):
    @extend_schema(
        tags=["exports"],
        summary="What can be exported, and where the files are",
        operation_id="studies_exports_list",
        responses=inline_serializer(
            "ExportList", {"next": CharField(allow_null=True), "results": ExportSerializer(many=True)}
        ),
    )
    def get(self, request: Request, slug: str) -> Response:
        study = self.study()
        rows = [
            {
                "name": export.name,
                "what": export.what,
                "files": [
                    {"format": form, "url": reverse("api:export", [slug, export.name, form], request=request)}
                    for form in export.formats
                ],
            }
            for export in OFFERED.values()
            if access.may_export(request.user, study, export.name)
        ]
        return Response({"next": None, "results": rows})


class OneExport(StudyView):
    def known_parameters(self) -> list[str]:
        return ["with_excluded"] if self.kwargs["what"] == "judgments" else []

    @extend_schema(
        tags=["exports"],
        summary="An export, as a file",
        operation_id="studies_exports_retrieve",
        parameters=[
            OpenApiParameter("what", str, "path", enum=list(OFFERED)),
            OpenApiParameter("form", str, "path", enum=list(MEDIA_TYPES)),
            OpenApiParameter(
                "with_excluded",
                bool,
                default=False,
                description="Of judgments alone: with those of excluded units, flagged.",
            ),
        ],
        responses={(200, media_type): OpenApiTypes.STR for media_type in MEDIA_TYPES.values()},
    )
    def get(self, request: Request, slug: str, what: str, form: str) -> StreamingHttpResponse:
        study = self.study()
        if what not in OFFERED or form not in OFFERED[what].formats:
            raise NotFound("There is no such export.")
        if not access.may_export(request.user, study, what):
            raise PermissionDenied("You may not take this data home.")
        with_excluded = _with_excluded(request)
        if request.method == "GET":
            record_export(study=study, what=what, form=form, now=now(), actor=request.user)
        lines = export_lines(study, what, form, with_excluded=with_excluded)
        name = content_disposition_header(as_attachment=True, filename=file_name(study, what, form))
        return StreamingHttpResponse(
            _chunks(lines),
            content_type=f"{MEDIA_TYPES[form]}; charset=utf-8",
            headers={"Content-Disposition": name},
        )


def _with_excluded(request: Request) -> bool:
    wanted = request.query_params.get("with_excluded", "false")
    if wanted not in ("true", "false"):
        raise ValidationError({"with_excluded": ["Give true or false."]})
    return wanted == "true"


def _chunks(lines: Iterable[str]) -> Iterator[str]:
    """Several lines at once: a line a write would keep the server busy with writing."""
    rest = iter(lines)
    while chunk := "".join(islice(rest, LINES_AT_ONCE)):
        yield chunk
