"""Requests reports, stores them, and deletes old ones with the files of their figures."""

import shutil
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Window
from django.db.models.functions import RowNumber

from judging.core.services import jobs
from judging.limits import KEPT_REPORTS
from judging.models import Actor, Job, JobKind, Report, ReportKind, Study
from judging.protocol.words import gettext_noop as _
from judging.understanding.reports.catalogue import FIGURES
from judging.understanding.selectors.reports import Version, last_job, report_key

ROWS_AT_ONCE = 100
PER_TOPIC = (ReportKind.DOCUMENTS, ReportKind.NORMALISED)
_TITLES: Final = {
    ReportKind.DOCUMENTS: _("every document"),
    ReportKind.GRADES: _("grades and agreement"),
    ReportKind.SCORES: _("scores of the runs"),
    ReportKind.SYSTEMS: _("systems and measures"),
    ReportKind.PLAN: _("plan"),
    ReportKind.WHOLE: _("all analyses"),
    ReportKind.ARMS: _("scales side by side"),
    ReportKind.JUDGES: _("judges beside people"),
}
ORPHANED: Final = timedelta(days=1)
"""A folder that no report names is an orphan after this time. Until then, a job may still write to it."""


class ComputedReport(NamedTuple):
    """A report that is computed but not stored yet. `folder` names the folder with the report's files."""

    kind: ReportKind
    parameters: Mapping[str, object]
    content: Mapping[str, object]
    folder: str = ""


def request_report(
    *,
    study: Study,
    kind: ReportKind,
    parameters: Mapping[str, Any],
    now: datetime,
    actor: Actor = None,
) -> Job:
    """Request a job that computes a report, and return the job.

    If such a job is already waiting or running, return that job. A request for the kind `documents` has no
    parameters, because one job computes the reports of all topics.
    """
    key = report_key(kind, parameters)
    earlier = last_job(study, key)
    if earlier is not None and earlier.live:
        return earlier
    figure = FIGURES[parameters["figure"]] if kind is ReportKind.FIGURE else None
    title = f"figure {figure.title}" if figure else _TITLES[kind]
    if "paper" in parameters:
        title = f"paper {parameters['paper']}"
    job_parameters = {"report": kind.value, "parameters": dict(parameters), "key": key, "title": title}
    return jobs.request(kind=JobKind.REPORT, study=study, parameters=job_parameters, actor=actor, now=now)


@transaction.atomic
def store_reports(
    *,
    reports: Iterable[ComputedReport],
    judgments: int,
    version: Version,
    made_at: datetime,
    job: Job,
    now: datetime,
) -> list[str]:
    """Store reports and replace earlier ones. Return the folders that no report names any longer.

    Reports of topics are replaced together, so that reports of deleted topics disappear. Raise JobLostError,
    and store nothing, if another worker process has taken over the job.
    """
    jobs.store_result(job=job, result=job.result, now=now)
    study = job.own_study
    by_key = {report_key(report.kind, report.parameters): report for report in reports}
    if any(report.kind in PER_TOPIC for report in by_key.values()):
        of_topics = Report.objects.filter(study=study, kind__in=[kind.value for kind in PER_TOPIC])
        of_topics.exclude(key__in=by_key).delete()
    earlier = Report.objects.filter(study=study, key__in=by_key).exclude(folder="")
    old = list(earlier.values_list("folder", flat=True))
    seen = {"seen_judgments": judgments, **version._asdict()}
    rows = [
        Report(
            study=study,
            kind=report.kind.value,
            key=key,
            parameters=dict(report.parameters),
            content=dict(report.content),
            folder=report.folder,
            made_at=made_at,
            **seen,
        )
        for key, report in by_key.items()
    ]
    # If two jobs compute the same report at the same time, neither fails, and the later report stays.
    Report.objects.bulk_create(
        rows,
        batch_size=ROWS_AT_ONCE,
        update_conflicts=True,
        unique_fields=["study", "key"],
        update_fields=["content", "folder", "made_at", *seen],
    )
    return [folder for folder in old if folder not in {report.folder for report in by_key.values()}]


@transaction.atomic
def forget_old_reports() -> int:
    """Delete old reports of scores and figures, and return the number deleted.

    For each study, keep the newest `KEPT_REPORTS` reports of scores and of each figure. Keep all
    reports of other kinds. They do not pile up, because each new report replaces an earlier one.
    `forget_orphans` later deletes the files of the deleted figures.
    """
    kinds = [ReportKind.SCORES.value, ReportKind.FIGURE.value]
    place = Window(
        RowNumber(), partition_by=["study", "kind", "parameters__figure"], order_by=["-made_at", "-pk"]
    )
    placed = Report.objects.filter(kind__in=kinds).annotate(place=place)
    old = list(placed.filter(place__gt=KEPT_REPORTS).order_by().values_list("pk", flat=True))
    Report.objects.filter(pk__in=old).delete()
    return len(old)


def forget_orphans(*, now: datetime) -> int:
    """Delete folders that belong to no report and are older than `ORPHANED`. Return the number deleted."""
    root, oldest = Path(settings.REPORTS_FOLDER), (now - ORPHANED).timestamp()
    if not root.is_dir():
        return 0
    old = {path.name: path for path in root.iterdir() if path.lstat().st_mtime <= oldest}
    named = set(Report.objects.filter(folder__in=old).values_list("folder", flat=True))
    orphans = [path for name, path in old.items() if name not in named]
    for path in orphans:
        shutil.rmtree(path, ignore_errors=True)
    return len(orphans)
