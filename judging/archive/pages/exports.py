"""Downloads: the same exports as on the command line, each from one snapshot of the database."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from judging.archive.catalogue import audited_chunks, is_offered, manifest_of
from judging.core import access
from judging.core.clock import now
from judging.core.formats.texts import file_name
from judging.core.pages.attachment import attachment
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.pages.turns import one_at_a_time
from judging.models import Study


@require_safe
@console_page
def download(request: HttpRequest, slug: str, what: str, form: str) -> HttpResponseBase:
    study = _find_study_to_export(request, slug, what, form)
    if not access.may_export(request.user, study, what):
        return refuse(
            request, _("You do not have permission to download this data. Ask an owner of the study.")
        )
    chunks = audited_chunks(
        study,
        what,
        form,
        now=now(),
        actor=access.account_of(request.user),
        with_excluded=_with_excluded(request, what),
    )
    return attachment(chunks, file_name(study, what, form), form)


@require_safe
@console_page
def export_manifest(request: HttpRequest, slug: str, what: str, form: str) -> HttpResponseBase:
    """Return the manifest of an export, computed from the current data."""
    study = _find_study_to_export(request, slug, what, form)
    if not access.may_export(request.user, study, what):
        return refuse(
            request, _("You do not have permission to download this data. Ask an owner of the study.")
        )
    with one_at_a_time():
        text = manifest_of(study, what, form, now=now(), with_excluded=_with_excluded(request, what))
    name = f"{file_name(study, what, form)}.manifest.json"
    disposition = content_disposition_header(as_attachment=True, filename=name)
    return HttpResponse(
        text, content_type="application/json", headers={"Content-Disposition": disposition or ""}
    )


def _find_study_to_export(request: HttpRequest, slug: str, what: str, form: str) -> Study:
    """Return the study. Raise Http404 if the export does not exist."""
    study = find_study(request, slug)
    if not is_offered(what, form):
        raise Http404
    return study


def _with_excluded(request: HttpRequest, what: str) -> bool:
    return what == "judgments" and "with_excluded" in request.GET
