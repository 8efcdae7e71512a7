"""Request the reports and statistics of simulated studies. The scheduler does this only for real studies."""

from datetime import datetime

from judging.models import Study
from judging.understanding.services.wanted import request_reports_of
from judging.watching.services.requests import request_study_statistics


def finish_study(study: Study, *, now: datetime) -> int:
    """Request the reports and worker statistics of a study. Return the number of reports requested."""
    requested = request_reports_of(study, now=now)
    if requested:
        request_study_statistics(study=study, now=now)
    return requested
