"""`report`: what an analysis of a study comes to, kept for pages to read."""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from judging.core.clock import now
from judging.core.formats.snapshot import one_snapshot
from judging.core.formats.writing import CannotWriteError
from judging.core.services.jobs import Progress
from judging.models import Job, ReportKind, Result
from judging.understanding.reports.distributions import grades_content
from judging.understanding.reports.documents import document_reports
from judging.understanding.reports.given import Given, read_study
from judging.understanding.reports.systems import scores_content
from judging.understanding.services.reports import Made, keep_reports


def make_reports(job: Job, progress: Progress) -> Result:
    """Make the reports that a job asks for; returns `{"reports": how many}`.

    All is read from one state of the study; done twice, the same is kept again. Raises InputError for what
    the study has not the data for, and CannotWriteError where a figure's files cannot be written.
    """
    moment = now()
    with one_snapshot():
        given = read_study(job.own_study)
    progress(0)
    folder = f"{job.pk}-{job.attempts}"
    made = list(_made(job, given, folder, progress))
    old = keep_reports(
        reports=made,
        judgments=len(given.pks),
        version=given.version,
        made_at=moment,
        job=job,
        now=now(),
    )
    for name in old:
        shutil.rmtree(Path(settings.REPORTS_FOLDER) / name, ignore_errors=True)
    return {"reports": len(made)}


def _made(job: Job, given: Given, folder: str, progress: Progress) -> Iterator[Made]:
    kind, parameters = ReportKind(job.parameters["report"]), job.parameters["parameters"]
    if kind is ReportKind.DOCUMENTS:
        yield from document_reports(given)
    elif kind is ReportKind.GRADES:
        yield Made(kind, parameters, grades_content(given, progress))
    elif kind is ReportKind.SCORES:
        yield Made(kind, parameters, scores_content(given, parameters["measures"], progress))
    else:
        yield Made(kind, parameters, _drawn(given, parameters, folder, progress), folder)


def _drawn(given: Given, parameters: Mapping[str, Any], folder: str, progress: Progress) -> dict[str, object]:
    from judging.understanding.reports.drawing import draw  # brings matplotlib along, for figures alone

    place = Path(settings.REPORTS_FOLDER) / folder
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        measures, grades = parameters.get("measures", []), parameters.get("grades", "")
        return draw(given, parameters["figure"], measures, place, progress, grades)
    except OSError as error:
        raise CannotWriteError(f"{place}: cannot be written: {error.strerror}.") from None
