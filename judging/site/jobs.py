"""Files and scores made behind the page: asking for one, watching it, taking its outcome home."""

from typing import Final

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from judging.archive.catalogue import OFFERED, BundleExport
from judging.archive.export_files import manifest_path_of, path_of
from judging.core import access
from judging.core.clock import now
from judging.core.formats.texts import MEDIA_TYPES, file_name
from judging.core.intake.columns import MAGNITUDES
from judging.core.pages.filtering import ChosenField, FilterForm
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.pages.tables import Column, Table, link
from judging.core.published.base import AnyPublished
from judging.core.services.errors import RefusedError
from judging.core.services.events import record_export
from judging.core.services.jobs import request as request_job
from judging.limits import KEPT_EXPORTS
from judging.models import Job, JobKind, JobState, Study
from judging.models.fields import choices
from judging.site.job_list import jobs_of, jobs_page
from judging.understanding.pages.job_scores import score_table
from judging.understanding.pages.state import address_of

MEASURES: Final = 'nDCG@10\nERR(gmax="topic")@10'
MOST_MEASURES: Final = 20
LONGEST_MEASURES: Final = 500
_LISTED: Final = tuple(kind.value for kind in JobKind if kind not in (JobKind.EXPIRE, JobKind.STATISTICS))


class JobForm(FilterForm):
    """What is looked for among the jobs of a study."""

    kind = ChosenField(
        "What", [choice for choice in choices(JobKind) if choice[0] in _LISTED], anything="anything"
    )
    state = ChosenField("State", choices(JobState))


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def jobs(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if request.method != "POST":
        return _show(request, study)
    try:
        kind, parameters = _asked_for(request, study)
    except RefusedError as refusal:
        field = "measures" if request.POST.get("kind") == JobKind.SCORE else "what"
        messages.error(request, str(refusal), extra_tags=field)
        return _show(request, study, status=400)
    job = request_job(
        kind=kind, study=study, parameters=parameters, actor=access.account_of(request.user), now=now()
    )
    return redirect("console:job", slug=study.slug, pk=job.pk)


def _show(request: HttpRequest, study: Study, *, status: int = 200) -> HttpResponseBase:
    form = JobForm(request)
    table = Table(
        request,
        _columns(study),
        heading="made",
        of="files and scores",
        sort="-asked",
        form=form,
        css="",
        note="Times in UTC",
    ).read(
        lambda: jobs_of(study, **form.cleaned_data).count(),
        lambda order, places: jobs_page(
            jobs_of(study, **form.cleaned_data),
            places.start,
            places.stop,
            sort=order.key,
            descending=order.descending,
        ),
    )
    context = {
        "study": study,
        "jobs": table,
        "form": form,
        "exports": _offered(request, study),
        "gains": _gains(study),
        "measures": request.POST.get("measures", MEASURES),
        "by": request.POST.get("gains", ""),
    }
    return render(request, "site/jobs.html", context, status=max(table.status, status))


def _columns(study: Study) -> list[Column[Job]]:
    return [
        Column(
            "what", "What", lambda job: link(reverse("console:job", args=[study.slug, job.pk]), job.title)
        ),
        Column("state", "State", lambda job: job.get_state_display()),
        Column("-asked", "Asked for", lambda job: job.created_at),
        Column("by", "By", lambda job: job.requested_by or ""),
    ]


@require_safe
@console_page
def job(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    study = find_study(request, slug)
    found = get_object_or_404(Job.objects.select_related("requested_by"), study=study, pk=pk)
    kept = found.kind == JobKind.EXPORT and found.state == JobState.DONE and path_of(found).is_file()
    context: dict[str, object] = {
        "study": study,
        "job": found,
        "kept": kept,
        "kept_days": KEPT_EXPORTS.days,
        "report": address_of(study, found),
    }
    if found.kind != JobKind.SCORE or found.state != JobState.DONE:
        return render(request, "site/job.html", context)
    scores = score_table(request, found)
    return render(request, "site/job.html", context | {"scores": scores}, status=scores.status)


@require_safe
@console_page
def import_job(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The page of a job that makes a study, and has none before; Http404 for who may not see it."""
    found = get_object_or_404(
        Job.objects.select_related("requested_by", "study"),
        pk=pk,
        kind__in=(JobKind.IMPORT.value, JobKind.REHEARSE.value),
    )
    if not access.may_see_job(request.user, found):
        raise Http404
    return render(request, "site/job.html", {"study": found.study, "job": found})


@require_safe
@console_page
def job_file(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """The file of an export that is done; whether one may have it is asked again."""
    study = find_study(request, slug)
    found = get_object_or_404(Job, study=study, pk=pk, kind=JobKind.EXPORT.value, state=JobState.DONE.value)
    what, form = found.parameters["what"], found.parameters["format"]
    if not access.may_export(request.user, study, what):
        return refuse(request, "You may not take this data home.")
    try:
        file = path_of(found).open("rb")
    except FileNotFoundError:
        raise Http404("The file is not kept any more.") from None
    if request.method == "GET":
        record_export(
            study=study, what=what, form=form, now=now(), actor=access.account_of(request.user), job=found.pk
        )
    return FileResponse(
        file,
        as_attachment=True,
        filename=file_name(study, what, form),
        content_type=MEDIA_TYPES[form],
    )


@require_safe
@console_page
def job_manifest(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """The manifest beside the file of an export that is done; nobody's data is in it."""
    study = find_study(request, slug)
    found = get_object_or_404(Job, study=study, pk=pk, kind=JobKind.EXPORT.value, state=JobState.DONE.value)
    what, form = found.parameters["what"], found.parameters["format"]
    try:
        file = manifest_path_of(found).open("rb")
    except FileNotFoundError:
        raise Http404("The manifest is not kept any more.") from None
    name = f"{file_name(study, what, form)}.manifest.json"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/json")


def _offered(request: HttpRequest, study: Study) -> list[AnyPublished | BundleExport]:
    """The exports that a job may write to a file for this person: none that says who the workers are."""
    return [export for export in OFFERED.values() if access.may_export(request.user, study, export.name)]


def _gains(study: Study) -> list[str]:
    return [MAGNITUDES, *study.grade_sets.order_by("place").values_list("name", flat=True)]


def _asked_for(request: HttpRequest, study: Study) -> tuple[JobKind, dict[str, object]]:
    """What the form asks for. Raises RefusedError where no form of ours asks for such a thing."""
    if request.POST.get("kind") == JobKind.EXPORT:
        what, _, form = request.POST.get("what", "").partition(".")
        export = next((one for one in _offered(request, study) if one.name == what), None)
        if export is None or form not in export.formats:
            raise RefusedError("Nothing was begun: choose one of the files in the list.")
        return JobKind.EXPORT, {"what": what, "format": form}
    if request.POST.get("kind") == JobKind.SCORE:
        gains, text = request.POST.get("gains", ""), request.POST.get("measures", "")
        if gains not in _gains(study):
            raise RefusedError("Nothing was begun: choose one of the gains in the list.")
        return JobKind.SCORE, {"gains": gains, "measures": _measures(text)}
    raise RefusedError("Nothing was begun: use one of the buttons.")


def _measures(text: str) -> list[str]:
    """One measure a line, each once. Whether they are known, the job says."""
    measures = list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))
    if not measures or len(measures) > MOST_MEASURES or len(text) > LONGEST_MEASURES:
        raise RefusedError(
            f"Nothing was begun: write 1 to {MOST_MEASURES} measures, one a line, such as nDCG@10."
        )
    return measures
