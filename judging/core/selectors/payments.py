"""The payments of a study: completed units, compensated units and compensated screen-outs.

SQLite has no decimals and would add amounts as floats. So the database counts the payments of each
amount, and Python adds up the amounts as decimals.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.db.models import BooleanField, Count, ExpressionWrapper, F, Q, QuerySet

from judging.core.selectors.adaptive import adaptation_of
from judging.core.selectors.attempts import study_attempts
from judging.core.statements import Prepared
from judging.models import (
    Assignment,
    Participation,
    PlatformSubmission,
    Study,
    Topic,
    Unit,
)
from judging.models.fields import values
from judging.protocol.checks import anchors
from judging.protocol.estimates import fee_on
from judging.protocol.states import COMPENSATED, LIVE, AssignmentState, ParticipationState, UnitState

COMPLETED: Final = AssignmentState.COMPLETED.value
SCREENED_OUT: Final = ParticipationState.SCREENED_OUT.value

PAYABLE: Final = Q(state=COMPLETED) | Q(compensation__gt=0)
"""Selects assignments to pay for. A completed unit is paid even if its judgments are deleted or excluded."""
_IS_PAID: Final = ExpressionWrapper(Q(paid_at__isnull=False), output_field=BooleanField())


@dataclass(frozen=True)
class Sum:
    """The number of payments and their total amount."""

    count: int
    amount: Decimal


@dataclass(frozen=True)
class Totals:
    """The pay for a study, without the platform's fee. The fee is `per_cent` per cent of the pay.

    `paid` is for payments that are marked as paid, and `due` for all other payments. `committed` is for units
    in progress, and `open` for units that workers can still reserve. `further` is for the units that can
    follow in an adaptive study, besides those that are planned.
    """

    paid: Sum
    due: Sum
    committed: Sum
    open: Sum
    per_cent: Decimal = Decimal(0)
    further: Sum = Sum(0, Decimal(0))

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
        return self.paid.amount + self.due.amount + self.committed.amount + self.open.amount


def payable(study: Study) -> QuerySet[Assignment]:
    """Return the assignments that workers are paid for."""
    return Assignment.objects.filter(PAYABLE, topic__study=study)


def lost_on(topic: Topic) -> QuerySet[Assignment]:
    """Return a topic's attempts that failed check (c), were not completed, and are not compensated in full.

    Full compensation is the pay for a completed unit. Leave out live attempts, attempts that were cancelled
    or are marked as paid, and attempts of blocked workers.
    """
    ended = values(state for state in COMPENSATED if state != AssignmentState.CANCELLED)
    lost = Assignment.objects.filter(
        topic=topic,
        state__in=ended,
        failed_checks__has_key=anchors.CHECK.letter,
        compensation__lt=F("pay"),
        paid_at__isnull=True,
        pay__gt=0,
    )
    return lost.exclude(participation__state=ParticipationState.BLOCKED.value).order_by("pk")


def compensated(study: Study) -> QuerySet[Participation]:
    """Return the participations of screened-out workers who are compensated."""
    return Participation.objects.filter(study=study, compensation__gt=0)


def totals(study: Study) -> Totals:
    """Return the totals of a study.

    This takes three queries, and at most six more for an adaptive study.
    """
    paid, due, committed = Counter[Decimal](), Counter[Decimal](), Counter[Decimal]()
    for _, state, pay, extra, number, handed_over in _amounts(study):
        if state in LIVE:
            committed[pay] += number
        elif state == COMPLETED or extra > 0:
            amount = pay if state == COMPLETED else extra
            paid[amount] += handed_over
            due[amount] += number - handed_over
    for amount, is_paid, number in (
        compensated(study)
        .order_by()
        .annotate(is_paid=_IS_PAID)
        .values_list("compensation", "is_paid")
        .annotate(number=Count("pk"))
    ):
        (paid if is_paid else due)[amount] += number
    open_units = Unit.objects.filter(topic__study=study, state=UnitState.OPEN).count()
    left = Sum(open_units, open_units * study.pay_per_unit)
    adaptation = adaptation_of(study)
    further = adaptation.further if adaptation else 0
    return Totals(
        _sum(paid),
        _sum(due),
        _sum(committed),
        left,
        study.platform_fee,
        Sum(further, further * study.pay_per_unit),
    )


def _amounts(study: Study) -> Iterable[tuple[int, str, Decimal, Decimal, int, int]]:
    """Return the numbers of attempts and of paid attempts, grouped by topic, state, pay and compensation.

    Count ended and live attempts separately, so that the database can group the ended attempts with an
    index, without sorting.
    """
    attempts = study_attempts(study).values_list("topic_id", "state", "pay", "compensation")
    counted = attempts.annotate(number=Count("pk"), handed_over=Count("paid_at"))
    return counted.filter(ended_at__isnull=False).union(counted.filter(state__in=values(LIVE)), all=True)


def assignment_by_code(code: str) -> QuerySet[Assignment]:
    """Return a query for the assignment that has this completion code.

    The query also loads the assignment's topic, study, unit and participation. The code must be normalised.
    """
    return Assignment.objects.filter(completion_code=code).select_related(
        "topic__study", "unit", "participation"
    )


_PAID_WORK: Final = Prepared(
    lambda worker: (
        Assignment.objects.filter(PAYABLE, participation_id=worker).select_related("topic").order_by("number")
    ),
    worker=int,
)
_LATEST_SUBMISSION: Final = Prepared(
    lambda worker: PlatformSubmission.objects.filter(identity__participation_id=worker).order_by(
        "-linked_at", "-pk"
    )[:1],
    worker=int,
)


def paid_work(participation: Participation) -> list[Assignment]:
    """Return the assignments that a worker is paid for, in the order of their numbers."""
    return _PAID_WORK.all(worker=participation.pk)


def latest_submission_id(participation: Participation) -> str:
    """Return the platform's id for the worker's latest submission, or ""."""
    submission = _LATEST_SUBMISSION.first(worker=participation.pk)
    return submission.submission_id if submission else ""


def _sum(amounts: Counter[Decimal]) -> Sum:
    total = sum((amount * number for amount, number in amounts.items()), start=Decimal("0.00"))
    return Sum(amounts.total(), total)
