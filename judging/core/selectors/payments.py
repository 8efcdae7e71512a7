"""The payments of a study: completed units, compensated units and compensated screen-outs.

SQLite has no decimals and would add amounts as floats. So the database counts the payments of each
amount, and Python adds up the amounts as decimals.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.db.models import BooleanField, Count, ExpressionWrapper, F, Q, QuerySet

from judging.core.selectors.adaptive import adaptation_of
from judging.core.selectors.arms import arms_of
from judging.core.selectors.attempts import study_attempts
from judging.core.selectors.kinds import attempts_of, by_counted, kinds_with_pay, units_of, workers_of
from judging.models import (
    Assignment,
    Participation,
    Study,
    Topic,
)
from judging.models.fields import values
from judging.protocol.checks import anchors
from judging.protocol.estimates import fee_on
from judging.protocol.paying import PayDecision
from judging.protocol.states import COMPENSATED, LIVE, AssignmentState, ParticipationState, UnitState

COMPLETED: Final = AssignmentState.COMPLETED.value
SCREENED_OUT: Final = ParticipationState.SCREENED_OUT.value

DECIDED: Final = Q(state=COMPLETED) | Q(compensation__gt=0)
"""Selects the ends of units that the study pays for, whatever was decided about the payment."""
DUE: Final = Q(pay_decision=PayDecision.PAY.value)
"""Selects payments that are neither held nor refused. Other code never decides about a payment by itself."""
PAYABLE: Final = DECIDED & DUE
"""Selects assignments to pay for. A completed unit can be paid even if its judgments are excluded."""
HELD: Final = Q(pay_decision=PayDecision.HOLD.value)
NOT_REFUSED: Final = ~Q(pay_decision=PayDecision.REFUSE.value)
_IS_PAID: Final = ExpressionWrapper(Q(paid_at__isnull=False), output_field=BooleanField())


@dataclass(frozen=True)
class Sum:
    """The number of payments and their total amount."""

    count: int
    amount: Decimal


@dataclass(frozen=True)
class Totals:
    """The pay for a study, without the platform's fee. The fee is `per_cent` per cent of the pay.

    `paid` is for payments that are marked as paid, and `due` for payments that can be made. `held` is for
    payments that wait for a researcher, and `refused` for those that are not made. `committed` is for units
    in progress, and `open` for units that workers can still reserve. `further` is for the units that can
    follow in an adaptive study, besides those that are planned. `limit` is the study's spending limit, and
    `left` is what the study can still spend; both are None without a limit. `dearest_unit` is the most that a
    unit can cost.
    """

    paid: Sum
    due: Sum
    committed: Sum
    open: Sum
    per_cent: Decimal = Decimal(0)
    further: Sum = Sum(0, Decimal(0))
    held: Sum = Sum(0, Decimal(0))
    refused: Sum = Sum(0, Decimal(0))
    limit: Decimal | None = None
    left: Decimal | None = None
    dearest_unit: Decimal = Decimal(0)

    @property
    def fee(self) -> Decimal:
        """Return the platform's fee on the amount `at_most`."""
        return fee_on(self.at_most, self.per_cent)

    @property
    def with_fee(self) -> Decimal:
        """Return `at_most` plus the platform's fee."""
        return self.at_most + self.fee

    @property
    def spent(self) -> Decimal:
        """Return the pay for all work so far, both paid and due."""
        return self.paid.amount + self.due.amount

    @property
    def at_most(self) -> Decimal:
        """Return the pay if workers complete all remaining units and nobody else is screened out.

        For an adaptive study, this includes the pay for all further units that can still be planned.
        """
        return self.planned + self.further.amount

    @property
    def planned(self) -> Decimal:
        """Return the pay if workers complete all planned units and nobody else is screened out."""
        return self.spent + self.held.amount + self.committed.amount + self.open.amount

    @property
    def exceeds_limit(self) -> bool:
        """Return whether the study would need more money than its spending limit."""
        return self.limit is not None and self.at_most > self.limit

    @property
    def needs_attention(self) -> bool:
        """Return whether a researcher has to decide about a payment, or about the spending limit."""
        return self.held.count > 0 or self.blocks_work

    @property
    def blocks_work(self) -> bool:
        """Return whether open units cannot be reserved, because the study could exceed its spending limit."""
        return self.left is not None and self.open.count > 0 and self.left < self.dearest_unit


def decided(study: Study) -> QuerySet[Assignment]:
    """Return the ends of units that the study pays for, including held and refused payments."""
    return attempts_of(study, kinds_with_pay(study)).filter(DECIDED)


def payable(study: Study) -> QuerySet[Assignment]:
    """Return the assignments that workers are paid for. Leave out held and refused payments."""
    return decided(study).filter(DUE)


def lost_on(topic: Topic) -> QuerySet[Assignment]:
    """Return a topic's attempts that failed check (c), were not completed, and are not compensated in full.

    Full compensation is the pay for a completed unit. Leave out live attempts, attempts that were cancelled
    or are marked as paid, and attempts of blocked workers.
    """
    ended = values(state for state in COMPENSATED if state != AssignmentState.CANCELLED)
    lost = Assignment.objects.filter(
        by_counted(topic.study, kinds=kinds_with_pay(topic.study)),
        topic=topic,
        state__in=ended,
        failed_checks__has_key=anchors.CHECK.letter,
        compensation__lt=F("pay"),
        paid_at__isnull=True,
        pay__gt=0,
    )
    return lost.exclude(participation__state=ParticipationState.BLOCKED.value).order_by("pk")


def decided_screen_outs(study: Study) -> QuerySet[Participation]:
    """Return the screened-out workers whom the study pays, including held and refused payments."""
    return workers_of(study, kinds_with_pay(study)).filter(compensation__gt=0)


def compensated(study: Study) -> QuerySet[Participation]:
    """Return the screened-out workers who are compensated. Leave out held and refused payments."""
    return decided_screen_outs(study).filter(DUE)


def totals(study: Study) -> Totals:
    """Return the totals of a study.

    This takes three queries, and at most six more for an adaptive study.
    """
    ended, committed = _ended_and_committed(study)
    open_units = units_of(study, kinds_with_pay(study)).filter(state=UnitState.OPEN).count()
    left = Sum(open_units, open_units * study.pay_per_unit)
    adaptation = adaptation_of(study)
    further = adaptation.further if adaptation else 0
    return Totals(
        _sum(ended["paid"]),
        _sum(ended["due"]),
        _sum(committed),
        left,
        study.platform_fee,
        Sum(further, further * study.pay_per_unit),
        _sum(ended["held"]),
        _sum(ended["refused"]),
        study.spending_limit,
        _left(study, ended, committed),
        most_of_a_unit(study),
    )


_STATUS: Final = {
    PayDecision.PAY.value: "due",
    PayDecision.HOLD.value: "held",
    PayDecision.REFUSE.value: "refused",
}
_Amounts = dict[str, Counter[Decimal]]


def _ended_and_committed(study: Study) -> tuple[_Amounts, Counter[Decimal]]:
    """Count the payments of each amount, by status, and the live units. This takes two queries."""
    ended: _Amounts = {status: Counter() for status in ("paid", *_STATUS.values())}
    committed = Counter[Decimal]()
    for _, state, pay, extra, decision, number, handed_over in _amounts(study):
        if state in LIVE:
            committed[pay] += number
        elif state == COMPLETED or extra > 0:
            amount = pay if state == COMPLETED else extra
            ended["paid"][amount] += handed_over
            ended[_STATUS[decision]][amount] += number - handed_over
    screen_outs = decided_screen_outs(study).order_by().annotate(is_paid=_IS_PAID)
    groups = screen_outs.values_list("compensation", "pay_decision", "is_paid")
    for amount, decision, is_paid, number in groups.annotate(number=Count("pk")):
        ended["paid" if is_paid else _STATUS[decision]][amount] += number
    return ended, committed


def most_of_a_unit(study: Study, pay: Decimal | None = None) -> Decimal:
    """Return the most that a unit can cost, however it ends. `pay` is the pay for completing it."""
    return max(study.pay_per_unit if pay is None else pay, study.pay_checks_failed, study.pay_cancelled)


def money_left(study: Study) -> Decimal | None:
    """Return what the study can still spend, or None if it has no spending limit.

    Held payments and the most that live units can cost count as spent. The arms of a study share its limit.
    This takes two queries for each arm with a limit.
    """
    if study.spending_limit is None:
        return None
    return _left(study, *_ended_and_committed(study))


def _left(study: Study, ended: _Amounts, committed: Counter[Decimal]) -> Decimal | None:
    if study.spending_limit is None:
        return None
    others = (arm for arm in arms_of(study) if arm.pk != study.pk)
    used = sum((_used(arm, *_ended_and_committed(arm)) for arm in others), _used(study, ended, committed))
    return study.spending_limit - used


def _used(study: Study, ended: _Amounts, committed: Counter[Decimal]) -> Decimal:
    """Return what a study has spent, what it holds, and the most that its live units can cost."""
    live = sum((most_of_a_unit(study, pay) * number for pay, number in committed.items()), Decimal(0))
    return sum((_sum(ended[name]).amount for name in ("paid", "due", "held")), live)


def has_money_for_a_unit(study: Study) -> bool:
    """Return whether the spending limit allows another reservation."""
    left = money_left(study)
    return left is None or most_of_a_unit(study) <= left


def compensations_of(participation: Participation) -> int:
    """Return how often the worker gets or may get pay without a completed unit."""
    unfinished = participation.assignments.filter(compensation__gt=0)
    return unfinished.filter(NOT_REFUSED).count()


def _amounts(study: Study) -> Iterable[tuple[int, str, Decimal, Decimal, str, int, int]]:
    """Return the numbers of attempts and of paid attempts, grouped by topic, state, pay and decision.

    Count ended and live attempts separately, so that the database can group the ended attempts with an
    index, without sorting.
    """
    attempts = study_attempts(study).values_list("topic_id", "state", "pay", "compensation", "pay_decision")
    counted = attempts.annotate(number=Count("pk"), handed_over=Count("paid_at"))
    return counted.filter(ended_at__isnull=False).union(counted.filter(state__in=values(LIVE)), all=True)


def assignment_by_code(code: str) -> QuerySet[Assignment]:
    """Return a query for the assignment that has this completion code.

    The query also loads the assignment's topic, study, unit and participation. The code must be normalised.
    """
    return Assignment.objects.filter(completion_code=code).select_related(
        "topic__study", "unit", "participation"
    )


@dataclass(frozen=True)
class WorkerPayment:
    """What a worker gets for one end, and where it stands.

    `status` is "paid", "due", "held" or "refused". `reason` is a `PayReason` or empty, and `note` is what the
    researcher who refused the payment tells the worker. `unit` is None for a screen-out.
    """

    end: str
    amount: Decimal
    status: str
    reason: str
    note: str
    unit: Assignment | None

    @property
    def is_refused(self) -> bool:
        return self.status == "refused"


def payments_of(participation: Participation) -> list[WorkerPayment]:
    """Return all payments of a worker, including held and refused ones, in the order of the units."""
    units = participation.assignments.filter(DECIDED).select_related("topic").order_by("number")
    payments = [_worker_payment(unit.state, unit, unit) for unit in units]
    if participation.compensation > 0:
        payments.append(_worker_payment(SCREENED_OUT, participation, None))
    return payments


def payments_by_worker(study: Study) -> dict[int, list[WorkerPayment]]:
    """Return the payments of all workers of a study, by the keys of their participations."""
    payments = defaultdict[int, list[WorkerPayment]](list)
    units = decided(study).select_related("participation", "topic", "unit")
    for unit in units.order_by("participation", "number").iterator():
        payments[unit.participation_id].append(_worker_payment(unit.state, unit, unit))
    for worker in decided_screen_outs(study):
        payments[worker.pk].append(_worker_payment(SCREENED_OUT, worker, None))
    return payments


def _worker_payment(end: str, row: Assignment | Participation, unit: Assignment | None) -> WorkerPayment:
    status = "paid" if row.paid_at else _STATUS[row.pay_decision]
    return WorkerPayment(end, row.amount, status, row.pay_reason, row.pay_note, unit)


def _sum(amounts: Counter[Decimal]) -> Sum:
    total = sum((amount * number for amount, number in amounts.items()), start=Decimal("0.00"))
    return Sum(amounts.total(), total)
