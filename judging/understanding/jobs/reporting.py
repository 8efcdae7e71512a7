"""The job `report`, which computes reports of a study and stores them, so that pages can show them."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings

from judging.core.clock import now
from judging.core.formats.snapshot import one_snapshot
from judging.core.formats.writing import CannotWriteError
from judging.core.services.jobs import Progress
from judging.models import Job, ReportKind, Result
from judging.understanding.reports.catalogue import PARTS_OF, WHOLE_ZIP
from judging.understanding.reports.document_reports import document_reports
from judging.understanding.reports.plans import plan_content
from judging.understanding.reports.study_data import StudyData, read_study
from judging.understanding.selectors.reports import judgments_version
from judging.understanding.services.reports import ComputedReport, store_reports


def make_reports(job: Job, progress: Progress) -> Result:
    """Compute the reports that a job requests, and return `{"reports": number}`.

    The reports come from one snapshot of the study. Running the job twice stores the same reports. Raise
    InputError if the study lacks data for the reports. Raise CannotWriteError if files of a report cannot
    be written.
    """
    if job.parameters["report"] == ReportKind.ARMS:
        return _compare_arms(job, progress)
    made_at = now()
    with one_snapshot():
        data = read_study(job.own_study, ReportKind(job.parameters["report"]))
    progress(0)
    folder = f"{job.pk}-{job.attempts}"
    reports = list(_compute(job, data, folder, progress))
    old = store_reports(
        reports=reports,
        judgments=len(data.pks),
        version=data.version,
        made_at=made_at,
        job=job,
        now=now(),
    )
    for name in old:
        shutil.rmtree(Path(settings.REPORTS_FOLDER) / name, ignore_errors=True)
    return {"reports": len(reports)}


def _compare_arms(job: Job, progress: Progress) -> Result:
    """Compare the arms of a study, and store the report with the front."""
    # This module loads scipy, which only this job needs.
    from judging.understanding.reports.side_by_side import arms_content, read_arms

    made_at = now()
    with one_snapshot():
        arms = read_arms(job.own_study)
        version = judgments_version(job.own_study, ReportKind.ARMS)
    progress(0)
    report = ComputedReport(ReportKind.ARMS, {}, arms_content(arms))
    judgments = sum(len(arm.data.pks) for arm in arms)
    store_reports(reports=[report], judgments=judgments, version=version, made_at=made_at, job=job, now=now())
    return {"reports": 1}


def _compute(job: Job, data: StudyData, folder: str, progress: Progress) -> Iterator[ComputedReport]:
    kind, parameters = ReportKind(job.parameters["report"]), job.parameters["parameters"]
    if kind is ReportKind.DOCUMENTS:
        yield from document_reports(data)
    elif kind in PARTS_OF:
        yield ComputedReport(kind, parameters, _compute_parts(data, kind, parameters, progress))
    elif kind is ReportKind.PLAN:
        yield ComputedReport(kind, parameters, plan_content(data, progress))
    elif kind is ReportKind.WHOLE:
        content = _write_whole(data, folder, progress, parameters.get("paper", ""))
        yield ComputedReport(kind, parameters, content, folder)
    else:
        yield ComputedReport(kind, parameters, _draw(data, parameters, folder), folder)


def _compute_parts(
    data: StudyData, kind: ReportKind, parameters: Mapping[str, Any], progress: Progress
) -> dict[str, object]:
    # These modules load matplotlib, as those below do. Only this job needs it.
    from judging.understanding.reports.parts import parts_content
    from judging.understanding.reports.whole import analysis_data, with_judges

    of_study = analysis_data(data, parameters.get("measures", ()))
    if kind is ReportKind.JUDGES:
        of_study = with_judges(of_study, data.study)
    content = parts_content(of_study, PARTS_OF[kind], progress)
    return {**content, "measures": list(of_study.parameters.measures)}


def _write_whole(data: StudyData, folder: str, progress: Progress, paper: str) -> dict[str, object]:
    from judging.understanding.reports.whole import report_data, write_whole, zip_report

    path = Path(settings.REPORTS_FOLDER) / folder
    with _writing(path), TemporaryDirectory(dir=path) as unpacked:
        files, missing = write_whole(report_data(data), Path(unpacked), progress, paper)
        zip_report(Path(unpacked), files, path / WHOLE_ZIP)
    return {"files": len(files), "missing": missing}


def _draw(data: StudyData, parameters: Mapping[str, Any], folder: str) -> dict[str, object]:
    from judging.understanding.reports.drawing import draw
    from judging.understanding.reports.whole import analysis_data

    path = Path(settings.REPORTS_FOLDER) / folder
    with _writing(path):
        of_study = analysis_data(data, parameters.get("measures", ()))
        return draw(of_study, parameters["figure"], path, parameters.get("grades", ""))


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Create a folder to write to. Raise CannotWriteError if the folder or a file in it cannot be written."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise CannotWriteError(
            f"Cannot write to the folder {path}: {error.strerror}. "
            "Check its permissions and the space on its disk."
        ) from None
