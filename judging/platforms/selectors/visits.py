"""The payments for each visit from a platform, divided into the platform's reward and a bonus."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from judging.core.selectors.judgments import unit_id
from judging.core.selectors.payments import COMPLETED, SCREENED_OUT, decided, decided_screen_outs
from judging.models import Assignment, Participation, PlatformSubmission, Study
from judging.models.payable import Payable
from judging.payments.services.payments import ExportedPayment
from judging.protocol.paying import PayDecision


@dataclass
class PaidVisit:
    """A visit from a platform, and the visit's payments that are not marked as paid.

    `reward` is the payment that the platform makes when it accepts the submission. It is None if that payment
    is marked as paid, or if there is no such payment. `bonus` holds the other payments, which the worker gets
    as one bonus.
    """

    submission: PlatformSubmission
    worker: str
    reward: ExportedPayment | None = None
    bonus: list[ExportedPayment] = field(default_factory=list)
    has_reward: bool = False

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

    A unit belongs to the visit in which it ended. `max_units_per_visit` follows the same rule. The platform's
    reward pays for the first completed unit of a visit, or for a screen-out if the study has a screen-out
    code. A bonus pays for everything else. Held and refused payments are never part of a visit. While the
    payment for the first completed unit is held, the visit has no reward, so that its submission is not
    accepted.
    """
    visits: dict[int, list[PaidVisit]] = defaultdict(list)
    rows = PlatformSubmission.objects.filter(identity__study=study).select_related("identity__participation")
    for row in sorted(rows, key=_beginning):
        worker = row.identity.participation
        visits[worker.pk].append(PaidVisit(row, worker.pseudonym))
    for unit in _ended_units(study):
        if theirs := visits.get(unit.participation_id):
            visit = _visit_at(theirs, unit.ended_at)
            _add(visit, _payment(unit), unit, by_reward=unit.state == COMPLETED)
    for worker in decided_screen_outs(study).order_by("pk"):
        if theirs := visits.get(worker.pk):
            _add(theirs[0], _screen_out(worker), worker, by_reward=bool(study.screen_out_code))
    return sorted(
        (visit for theirs in visits.values() for visit in theirs),
        key=lambda visit: _beginning(visit.submission),
    )


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


def _beginning(row: PlatformSubmission) -> tuple[bool, float, int]:
    began = row.first_linked_at
    return began is not None, began.timestamp() if began else 0.0, row.pk


def _visit_at(visits: Sequence[PaidVisit], moment: datetime | None) -> PaidVisit:
    """Return the latest visit that began at or before `moment`, or the first visit if there is none."""
    latest = visits[0]
    for visit in visits:
        began = visit.submission.first_linked_at
        if began is not None and moment is not None and began <= moment:
            latest = visit
    return latest


def _add(visit: PaidVisit, payment: ExportedPayment, row: Payable, *, by_reward: bool) -> None:
    if row.pay_decision == PayDecision.REFUSE:
        return
    can_be_made = row.pay_decision == PayDecision.PAY and row.paid_at is None
    if by_reward and not visit.has_reward:
        visit.has_reward = True
        visit.reward = payment if can_be_made else None
    elif can_be_made:
        visit.bonus.append(payment)


def _ended_units(study: Study) -> Iterator[Assignment]:
    units = decided(study).select_related("participation", "topic", "unit")
    return units.order_by("participation", "number").iterator()


def _payment(unit: Assignment) -> ExportedPayment:
    name = unit_id(unit.topic.number, unit.unit.number)
    return ExportedPayment(name, unit.state, unit.participation.pseudonym, name, unit.amount)


def _screen_out(worker: Participation) -> ExportedPayment:
    return ExportedPayment(worker.pseudonym, SCREENED_OUT, worker.pseudonym, "", worker.compensation)
