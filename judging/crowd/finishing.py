"""Request the reports and statistics of simulated studies, which the scheduler skips."""

from datetime import datetime

from judging.models import Study
from judging.understanding.services.wanted import request_reports_of
from judging.watching.services.requests import request_study_statistics


def finish_study(study: Study, *, now: datetime) -> int:
    """Request the reports that a study lacks, and return the number of requests.

    If there are any, also request the statistics of the study's workers.
    """
    requested = request_reports_of(study, now=now)
    if requested:
        request_study_statistics(study=study, now=now)
    return requested
