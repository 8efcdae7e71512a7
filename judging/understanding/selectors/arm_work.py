"""What an arm's work cost, how long it took, and what failed, for the comparison of arms."""

from collections.abc import Iterable
from statistics import median

from django.db.models import Count, Q

from evaluation.side_by_side import Work
from judging.core.selectors.attempts import counted_attempts, study_attempts
from judging.core.selectors.judgments import time_spent
from judging.core.selectors.payments import totals
from judging.models import Judgment, Study
from judging.models.fields import values
from judging.protocol.checks import unit_checks
from judging.protocol.estimates import fee_on
from judging.protocol.states import ENDS, AssignmentState


def work_of(study: Study) -> Work:
    """Return the work in an arm: of paid units, also those that do not count, and of all ended attempts.

    `paid` is what is paid or due, with the platform's fee. A payment that is held or refused is left out. A
    failure is an attempt that failed a check at least once, or that ended in another way than completed.
    """
    spent = totals(study).spent
    ended = study_attempts(study).filter(state__in=values(ENDS))
    completed = ended.filter(state=AssignmentState.COMPLETED.value)
    units = completed.values_list("open_seconds", flat=True)
    judged = Judgment.objects.filter(assignment__in=counted_attempts(study)).order_by()
    visible = judged.values_list("visible_seconds", flat=True)
    spent_times = time_spent(Q(assignment__in=counted_attempts(study)))
    return Work(
        paid=float(spent + fee_on(spent, study.platform_fee)),
        currency=study.currency,
        units=completed.count(),
        attempts=ended.count(),
        unit_seconds=_median(units),
        document_seconds=_median(time.seconds for time in spent_times.values()),
        visible_seconds=_median(visible),
        failures=_failures(study),
    )


def _failures(study: Study) -> dict[str, int]:
    """Return the number of attempts by what went wrong: `check c` and so on, or the state at the end."""
    ended = study_attempts(study).filter(state__in=values(ENDS))
    checks = {
        f"check {check.letter}": ended.filter(failed_checks__has_key=check.letter).count()
        for check in unit_checks()
    }
    counts = dict(ended.values_list("state").annotate(number=Count("pk")).values_list("state", "number"))
    others = (state for state in ENDS if state != AssignmentState.COMPLETED)
    return checks | {state.value: counts.get(state.value, 0) for state in others if state.value in counts}


def _median(numbers: Iterable[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return median(known) if known else None
