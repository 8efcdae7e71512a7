"""The payments for each visit from a platform, divided into the platform's reward and a bonus."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from judging.core.selectors.judgments import unit_id
from judging.core.selectors.payments import WorkerPayment, payments_by_worker
from judging.core.selectors.visits import Visit, beginning, divide, screen_out_times
from judging.models import PlatformSubmission, Study
from judging.payments.services.payments import ExportedPayment


@dataclass
class PaidVisit:
    """A visit from a platform, and the visit's payments that are not marked as paid.

    `reward` is the payment that the platform makes when it accepts the submission. It is None if that payment
    is marked as paid, or if there is no such payment. `bonus` holds the other payments, which the worker gets
    as one bonus.
    """

    submission: PlatformSubmission
    worker: str
    reward: ExportedPayment | None
    bonus: list[ExportedPayment]

    @property
    def due(self) -> list[ExportedPayment]:
        """Return all payments of the visit that are not marked as paid."""
        return [self.reward, *self.bonus] if self.reward else self.bonus

    @property
    def bonus_amount(self) -> Decimal:
        """Return the total of the payments in `bonus`, in the study's currency."""
        return sum((payment.amount for payment in self.bonus), Decimal(0))


def paid_visits(study: Study) -> list[PaidVisit]:
    """Return the visits of all workers whose platform ids are stored, in the order in which the visits began.

    `judging.core.selectors.visits` has the rules. While the payment for the first completed unit is held, the
    visit has no reward, so that its submission is not accepted.
    """
    rows = defaultdict[int, list[PlatformSubmission]](list)
    found = PlatformSubmission.objects.filter(identity__study=study).select_related("identity__participation")
    for row in found:
        rows[row.identity.participation_id].append(row)
    payments, screened_out = payments_by_worker(study), screen_out_times(study)
    visits = [
        _paid_visit(visit, visit.submission)
        for worker, theirs in rows.items()
        for visit in divide(study, theirs, payments.get(worker, []), screened_out.get(worker))
        if visit.submission
    ]
    return sorted(visits, key=lambda visit: beginning(visit.submission))


def visits_by_ids(study: Study) -> dict[tuple[str, str], PaidVisit]:
    """Return a dict from each pair (visit, worker) of platform ids to the stored visit.

    Both ids come from a link that a worker can change. So pay for a visit only if the platform lists the same
    pair of ids.
    """
    return {
        (visit.submission.submission_id, visit.submission.identity.platform_id): visit
        for visit in paid_visits(study)
    }


def platform_studies(study: Study) -> list[str]:
    """Return the sorted ids of the platform's own studies from which workers came to this study."""
    rows = PlatformSubmission.objects.filter(identity__study=study).exclude(platform_study="")
    return sorted(set(rows.values_list("platform_study", flat=True)))


def _paid_visit(visit: Visit, submission: PlatformSubmission) -> PaidVisit:
    worker = submission.identity.participation.pseudonym
    rewards = _due([visit.reward] if visit.reward else [], worker)
    return PaidVisit(submission, worker, next(rewards, None), list(_due(visit.bonus, worker)))


def _due(payments: list[WorkerPayment], worker: str) -> Iterator[ExportedPayment]:
    for row in payments:
        if row.status == "due":
            name = unit_id(row.unit.topic.number, row.unit.unit.number) if row.unit else ""
            yield ExportedPayment(name or worker, row.end, worker, name, row.amount)
