"""The pages of background jobs: request a file or scores, watch the job, and download its result."""

from typing import Final

from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from judging.archive.catalogue import OFFERED, BundleExport
from judging.archive.export_files import manifest_path_of, path_of
from judging.core import access
from judging.core.clock import now
from judging.core.formats.texts import MEDIA_TYPES, file_name
from judging.core.pages.filtering import ChosenField, FilterForm
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.pages.page_table import Column, Table, link
from judging.core.published.gains import MAGNITUDES
from judging.core.published.table import AnyPublished
from judging.core.services.errors import RefusedError
from judging.core.services.events import record_export
from judging.core.services.jobs import STALE, reap
from judging.core.services.jobs import request as request_job
from judging.limits import KEPT_EXPORTS
from judging.models import Job, JobKind, JobState, Study
from judging.models.fields import choices
from judging.site.job_list import jobs_of, jobs_page
from judging.understanding.pages.allocating import outcome_of
from judging.understanding.pages.job_scores import score_table
from judging.understanding.pages.state import address_of
from judging.understanding.reports.catalogue import measures_of

MOST_MEASURES: Final = 20
LONGEST_MEASURES: Final = 500
_LISTED: Final = tuple(kind.value for kind in JobKind if kind not in (JobKind.EXPIRE, JobKind.STATISTICS))


class JobForm(FilterForm):
    """Filters the jobs of a study."""

    kind = ChosenField(gettext_lazy("Job"), [choice for choice in choices(JobKind) if choice[0] in _LISTED])
    state = ChosenField(gettext_lazy("State"), choices(JobState))


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def jobs(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if request.method != "POST":
        return _show(request, study)
    try:
        kind, parameters = _requested_job(request, study)
    except RefusedError as refusal:
        field = "measures" if request.POST.get("kind") == JobKind.SCORE else ""
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
        of=_("jobs"),
        sort="-asked",
        form=form,
        css="",
        note=_("Times are in UTC"),
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
        "has_job_processes": bool(settings.REDIS_URL),
        "gains": _gains(study),
        "measures": request.POST.get("measures", "\n".join(measures_of(study))),
        "by": request.POST.get("gains", ""),
    }
    return render(request, "site/jobs.html", context, status=max(table.status, status))


def _columns(study: Study) -> list[Column[Job]]:
    return [
        Column(
            "what", _("Job"), lambda job: link(reverse("console:job", args=[study.slug, job.pk]), job.title)
        ),
        Column("state", _("State"), lambda job: gettext(job.get_state_display())),
        Column("-asked", _("Requested"), lambda job: job.created_at),
        Column("by", _("Requested by"), lambda job: job.requested_by or ""),
    ]


@require_safe
@console_page
def job(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    study = find_study(request, slug)
    job = get_object_or_404(Job.objects.select_related("requested_by"), study=study, pk=pk)
    if job.live and job.heartbeat_at <= now() - STALE:
        reap(now=now())  # without a broker, nothing else may notice that the job's process was killed
        job.refresh_from_db()
    has_file = job.kind == JobKind.EXPORT and job.state == JobState.DONE and path_of(job).is_file()
    context: dict[str, object] = {
        "study": study,
        "job": job,
        "has_file": has_file,
        "kept_days": KEPT_EXPORTS.days,
        "report": address_of(study, job),
        "outcome": outcome_of(job) if job.kind == JobKind.ALLOCATE and job.state == JobState.DONE else "",
    }
    if job.kind != JobKind.SCORE or job.state != JobState.DONE:
        return render(request, "site/job.html", context)
    scores = score_table(request, job)
    return render(request, "site/job.html", context | {"scores": scores}, status=scores.status)


@require_safe
@console_page
def import_job(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Show the page of a job that creates a study. Raise Http404 if the visitor cannot see the job."""
    job = get_object_or_404(
        Job.objects.select_related("requested_by", "study"),
        pk=pk,
        kind__in=(JobKind.IMPORT.value, JobKind.REHEARSE.value),
    )
    if not access.may_see_job(request.user, job):
        raise Http404
    return render(request, "site/job.html", {"study": job.study, "job": job})


@require_safe
@console_page
def job_file(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """Send the file of a finished export, after checking the visitor's permission again."""
    study = find_study(request, slug)
    job = get_object_or_404(Job, study=study, pk=pk, kind=JobKind.EXPORT.value, state=JobState.DONE.value)
    what, form = job.parameters["what"], job.parameters["format"]
    if not access.may_export(request.user, study, what):
        return refuse(
            request, _("You do not have permission to download this data. Ask an owner of the study.")
        )
    try:
        file = path_of(job).open("rb")
    except FileNotFoundError:
        raise Http404(_("The file was deleted because it was too old. Create it again.")) from None
    if request.method == "GET":
        record_export(
            study=study, what=what, form=form, now=now(), actor=access.account_of(request.user), job=job.pk
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
    """Send the manifest of a finished export. The manifest contains no personal data."""
    study = find_study(request, slug)
    job = get_object_or_404(Job, study=study, pk=pk, kind=JobKind.EXPORT.value, state=JobState.DONE.value)
    what, form = job.parameters["what"], job.parameters["format"]
    try:
        file = manifest_path_of(job).open("rb")
    except FileNotFoundError:
        raise Http404(_("The manifest was deleted because it was too old. Create the file again.")) from None
    name = f"{file_name(study, what, form)}.manifest.json"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/json")


def _offered(request: HttpRequest, study: Study) -> list[AnyPublished | BundleExport]:
    """Return the exports that this person is allowed to download."""
    return [export for export in OFFERED.values() if access.may_export(request.user, study, export.name)]


def _gains(study: Study) -> list[str]:
    return [MAGNITUDES, *study.grade_sets.order_by("place").values_list("name", flat=True)]


def _requested_job(request: HttpRequest, study: Study) -> tuple[JobKind, dict[str, object]]:
    """Return the kind and parameters of the requested job. Raise RefusedError if the form is invalid."""
    if request.POST.get("kind") == JobKind.EXPORT:
        what, _dot, form = request.POST.get("what", "").partition(".")
        export = next((export for export in _offered(request, study) if export.name == what), None)
        if export is None or form not in export.formats:
            raise RefusedError(_("The file is invalid. Choose a file from the list."))
        return JobKind.EXPORT, {"what": what, "format": form}
    if request.POST.get("kind") == JobKind.SCORE:
        gains, text = request.POST.get("gains", ""), request.POST.get("measures", "")
        if gains not in _gains(study):
            raise RefusedError(_("The gains are invalid. Choose gains from the list."))
        return JobKind.SCORE, {"gains": gains, "measures": _measures(text)}
    raise RefusedError(_("No job has been started. Use a button on this page."))


def _measures(typed: str) -> list[str]:
    """Return the measures in `typed`, without repetitions. The job checks their names.

    `typed` has one measure per line. Raise RefusedError if it has no measures, or too many.
    """
    measures = list(dict.fromkeys(line.strip() for line in typed.splitlines() if line.strip()))
    if not measures or len(measures) > MOST_MEASURES or len(typed) > LONGEST_MEASURES:
        text = _("Enter 1 to {number} measures, one per line, such as nDCG@10.")
        raise RefusedError(text.format(number=MOST_MEASURES))
    return measures
