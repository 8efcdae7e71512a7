"""The payments for each visit from a platform, divided into the platform's reward and a bonus."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from judging.core.selectors.judgments import unit_id
from judging.core.selectors.payments import SCREENED_OUT, decided, decided_screen_outs
from judging.core.selectors.visits import beginning, pays_by_reward, screen_out_times, visit_at
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

    `judging.core.selectors.visits` has the rules. Here, held and refused payments are not part of a visit
    either. While the payment for the first completed unit is held, the visit has no reward, so that its
    submission is not accepted.
    """
    visits: dict[int, list[PaidVisit]] = defaultdict(list)
    found = PlatformSubmission.objects.filter(identity__study=study).select_related("identity__participation")
    for row in sorted(found, key=beginning):
        worker = row.identity.participation
        visits[worker.pk].append(PaidVisit(row, worker.pseudonym))
    for unit in _ended_units(study):
        if theirs := visits.get(unit.participation_id):
            rows = [visit.submission for visit in theirs]
            visit = theirs[visit_at(rows, unit.ended_at, claim=unit.claim)]
            _add(visit, _payment(unit), unit, by_reward=pays_by_reward(study, unit.state))
    screened_out = screen_out_times(study)
    for worker in decided_screen_outs(study).order_by("pk"):
        if theirs := visits.get(worker.pk):
            visit = theirs[visit_at([visit.submission for visit in theirs], screened_out.get(worker.pk))]
            _add(visit, _screen_out(worker), worker, by_reward=pays_by_reward(study, SCREENED_OUT))
    return sorted(
        (visit for theirs in visits.values() for visit in theirs),
        key=lambda visit: beginning(visit.submission),
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
