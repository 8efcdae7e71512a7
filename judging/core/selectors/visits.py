"""The payments of each visit of a worker, divided into the platform's reward and a bonus.

A visit is one submission on the platform. A payment belongs to the visit in which its unit ended, or in which
the worker was screened out. `max_units_per_visit` follows the same rule. The platform's reward pays for the
first completed unit of a visit. If the platform has an end for screened-out workers, the reward pays for a
screen-out too. A bonus pays for everything else. A refused payment is never part of a visit's pay.

Links to a study contain the platform's ids, which anybody can type. A browser that comes with a worker's id,
but with nothing that proves it, gets a random key, its claim. The units that it reserves and the visits that
it begins carry this claim. Such a visit never pays for a unit that another browser reserved.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from judging.core.selectors.kinds import events_of
from judging.core.selectors.payments import COMPLETED, SCREENED_OUT, WorkerPayment, payments_of
from judging.models import EventKind, Participation, PlatformSubmission, Study
from judging.protocol.platforms import platform_of


@dataclass
class Visit:
    """A visit of a worker, counted from 1, and its payments in the order in which the units ended.

    `submission` is None if the platform has no id for the visit. Then all work of the worker is one visit.
    """

    number: int
    submission: PlatformSubmission | None
    payments: list[WorkerPayment] = field(default_factory=list)
    reward: WorkerPayment | None = None

    @property
    def completed(self) -> list[WorkerPayment]:
        """Return the payments for completed units, whatever was decided about them."""
        return [payment for payment in self.payments if payment.end == COMPLETED]

    @property
    def bonus(self) -> list[WorkerPayment]:
        """Return the payments that a bonus pays for."""
        return [payment for payment in self.payments if payment is not self.reward and not payment.is_refused]

    @property
    def bonus_amount(self) -> Decimal:
        return sum((payment.amount for payment in self.bonus), Decimal(0))

    @property
    def total(self) -> Decimal:
        """Return the reward plus the bonus."""
        return self.bonus_amount + (self.reward.amount if self.reward else Decimal(0))

    @property
    def is_held(self) -> bool:
        """Return whether a researcher still has to decide about one of the payments."""
        return any(payment.status == "held" for payment in self.payments)


def visits_of(participation: Participation, *, claim: str = "") -> list[Visit]:
    """Return the visits of a worker in the order in which they began. There is at least one.

    With a claim, return only the visits and the payments that belong to it.
    """
    found = PlatformSubmission.objects.filter(identity__participation=participation)
    rows = found.filter(claim=claim) if claim else found
    payments = [payment for payment in payments_of(participation) if claim in ("", _claim(payment))]
    screened_out = screen_out_times(participation.study, worker=participation)
    return divide(participation.study, rows, payments, screened_out.get(participation.pk))


def divide(
    study: Study,
    rows: Iterable[PlatformSubmission],
    payments: Iterable[WorkerPayment],
    screened_out: datetime | None,
) -> list[Visit]:
    """Return the visits of a worker with these submissions and payments, who was screened out then."""
    submissions: list[PlatformSubmission | None] = [*sorted(rows, key=beginning)] or [None]
    visits = [Visit(number, row) for number, row in enumerate(submissions, start=1)]
    for payment in payments:
        ended = payment.unit.ended_at if payment.unit else screened_out
        visit = visits[visit_at(submissions, ended, claim=_claim(payment))]
        visit.payments.append(payment)
        if visit.reward is None and not payment.is_refused and pays_by_reward(study, payment.end):
            visit.reward = payment
    return visits


def _claim(payment: WorkerPayment) -> str:
    return payment.unit.claim if payment.unit else ""


def pays_by_reward(study: Study, end: str) -> bool:
    """Return whether the platform's reward can pay for an end. It pays for only one end of a visit."""
    return end == COMPLETED or (end == SCREENED_OUT and bool(platform_of(study).screen_out_link(study)))


def screen_out_times(study: Study, *, worker: Participation | None = None) -> dict[int, datetime]:
    """Return when each worker of a study, or only this worker, was screened out."""
    events = events_of(study).filter(kind=EventKind.SCREENED_OUT)
    if worker is not None:
        events = events.filter(participation=worker)
    return dict(events.order_by("at").values_list("participation_id", "at"))


def beginning(row: PlatformSubmission) -> tuple[bool, float, int]:
    """Return a key that sorts visits by the time at which they began."""
    began = row.first_linked_at
    return began is not None, began.timestamp() if began else 0.0, row.pk


def visit_at(
    submissions: Sequence[PlatformSubmission | None], moment: datetime | None, *, claim: str = ""
) -> int:
    """Return the place of the latest visit that began at or before `moment`, or 0 if there is none.

    The submissions are sorted by `beginning`. `claim` belongs to the unit that ended at `moment`: only proven
    visits and visits with the same claim can be the visit of the unit.
    """
    place = 0
    for number, row in enumerate(submissions):
        began = row.first_linked_at if row and row.claim in ("", claim) else None
        if began is not None and moment is not None and began <= moment:
            place = number
    return place
