"""Request the reports and statistics of simulated studies, which the scheduler skips."""

from datetime import datetime

from judging.core.selectors.arms import arms_of
from judging.models import Study
from judging.understanding.services.wanted import request_reports_of
from judging.watching.services.requests import request_study_statistics


def finish_study(study: Study, *, now: datetime) -> int:
    """Request the reports that a study and its arms lack, and return the number of requests.

    If an arm lacks any, also request the statistics of its workers.
    """
    return sum(_finish(arm, now) for arm in arms_of(study))


def _finish(study: Study, now: datetime) -> int:
    requested = request_reports_of(study, now=now)
    if requested:
        request_study_statistics(study=study, now=now)
    return requested
