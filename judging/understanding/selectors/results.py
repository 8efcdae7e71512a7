"""Reads the result of a study: which run is best. Every page and the API read it here."""

from typing import NamedTuple

from judging.core.published.gains import MAGNITUDES
from judging.models import Report, ReportKind, Study
from judging.understanding.reports.catalogue import measures_of
from judging.understanding.reports.stored_result import StoredResult, results_in
from judging.understanding.selectors.reports import find_report


class FoundResult(NamedTuple):
    """A result, and the report that stores it."""

    report: Report
    result: StoredResult


def find_result(study: Study) -> FoundResult | None:
    """Return the result by the study's own measure and its judgments, or None if it is not computed yet."""
    report = find_report(study, ReportKind.SCORES, {"measures": measures_of(study)})
    if report is None:
        return None
    result = result_about(report, MAGNITUDES, study.ranked_by)
    return None if result is None else FoundResult(report, result)


def result_about(report: Report, gains: str, measure: str) -> StoredResult | None:
    """Return the result in a report for the gains with this name and a measure, or None."""
    about = [gains, measure]
    return next((result for result in results_in(report.content) if result["about"] == about), None)
