"""Reports: asked for, kept when they are made, and forgotten with the files of their figures."""

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
from judging.understanding.reports.catalogue import FIGURES
from judging.understanding.selectors.reports import Version, last_job, report_key

ROWS_AT_ONCE = 100
PER_TOPIC = (ReportKind.DOCUMENTS, ReportKind.NORMALISED)
_TITLES: Final = {
    ReportKind.DOCUMENTS: "every document",
    ReportKind.GRADES: "grades and agreement",
    ReportKind.SCORES: "scores of the runs",
}
ORPHANED: Final = timedelta(days=1)
"""A younger folder may be that of a report which is being made."""


class Made(NamedTuple):
    """A report as an analysis hands it over; `folder` is that of a figure's files."""

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
    """Ask for a report to be made, or made anew; a job that is about to make it already is returned.

    `documents` is asked for without parameters: it makes the reports of all topics.
    """
    key = report_key(kind, parameters)
    waiting = last_job(study, key)
    if waiting is not None and waiting.live:
        return waiting
    figure = FIGURES[parameters["figure"]] if kind is ReportKind.FIGURE else None
    title = f"figure {figure.title}" if figure else _TITLES[kind]
    told = {"report": kind.value, "parameters": dict(parameters), "key": key, "title": title}
    return jobs.request(kind=JobKind.REPORT, study=study, parameters=told, actor=actor, now=now)


@transaction.atomic
def keep_reports(
    *,
    reports: Iterable[Made],
    judgments: int,
    version: Version,
    made_at: datetime,
    job: Job,
    now: datetime,
) -> list[str]:
    """Put reports in the place of earlier ones; returns the folders of files that nothing names any more.

    Reports of topics are replaced all together: those of topics that are gone go. Raises
    JobLostError, and keeps nothing, where the job is not its worker's any more.
    """
    jobs.note(job=job, result=job.result, now=now)
    study = job.own_study
    by_key = {report_key(made.kind, made.parameters): made for made in reports}
    if any(made.kind in PER_TOPIC for made in by_key.values()):
        of_topics = Report.objects.filter(study=study, kind__in=[kind.value for kind in PER_TOPIC])
        of_topics.exclude(key__in=by_key).delete()
    earlier = Report.objects.filter(study=study, key__in=by_key).exclude(folder="")
    old = list(earlier.values_list("folder", flat=True))
    seen = {"seen_judgments": judgments, **version._asdict()}
    rows = [
        Report(
            study=study,
            kind=made.kind.value,
            key=key,
            parameters=dict(made.parameters),
            content=dict(made.content),
            folder=made.folder,
            made_at=made_at,
            **seen,
        )
        for key, made in by_key.items()
    ]
    # Two workers that make the same at once do not meet in an error: the later one's stays.
    Report.objects.bulk_create(
        rows,
        batch_size=ROWS_AT_ONCE,
        update_conflicts=True,
        unique_fields=["study", "key"],
        update_fields=["content", "folder", "made_at", *seen],
    )
    return [folder for folder in old if folder not in {made.folder for made in by_key.values()}]


@transaction.atomic
def forget_old_reports() -> int:
    """Delete reports that have `KEPT_REPORTS` newer ones of their kind in their study; return how many.

    A figure's kind includes its name.

    Only scores and figures can be asked for by ever new measures. The files of a figure go with the orphans.
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
    """Delete folders of figures that no report names and that are a day old; returns how many."""
    root, oldest = Path(settings.REPORTS_FOLDER), (now - ORPHANED).timestamp()
    if not root.is_dir():
        return 0
    old = {path.name: path for path in root.iterdir() if path.lstat().st_mtime <= oldest}
    named = set(Report.objects.filter(folder__in=old).values_list("folder", flat=True))
    orphans = [path for name, path in old.items() if name not in named]
    for path in orphans:
        shutil.rmtree(path, ignore_errors=True)
    return len(orphans)
