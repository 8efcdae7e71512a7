"""Queries about machine judges: their sittings, the units that are left for them, and what they have used."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from judging.core.selectors.arms import arm_keys
from judging.models import Assignment, Judgment, MachineCall, MachineJudge, MachineUnit, Study, Unit
from judging.models.fields import values
from judging.protocol.states import AssignmentState, UnitState

_OVER = values(
    (
        AssignmentState.COMPREHENSION_FAILED,
        AssignmentState.CHECKS_FAILED,
        AssignmentState.RETURNED,
        AssignmentState.REPORTED,
    )
)
"""The ends after which a machine judge does not get the same unit again."""

_STORED: Final = Decimal("0.00000001")
"""The smallest amount of money that a call can store."""


class Used(NamedTuple):
    """What the calls of a machine judge have used."""

    calls: int
    input_tokens: int
    output_tokens: int
    money: Decimal
    seconds: float

    @property
    def tokens(self) -> int:
        """Return the tokens that the model read and wrote."""
        return self.input_tokens + self.output_tokens


def judge_named(study: Study, name: str) -> MachineJudge | None:
    """Return the first sitting of the machine judge with a name in a study, or None."""
    judges = MachineJudge.objects.select_related("participation__study")
    return judges.filter(participation__study=study, name=name, first=None).order_by("pk").first()


def sittings_of(judge: MachineJudge) -> QuerySet[MachineJudge]:
    """Return all sittings of a machine judge, in order."""
    root = judge.root.pk
    return MachineJudge.objects.filter(Q(pk=root) | Q(first=root)).order_by("sitting")


def calls_of(judge: MachineJudge) -> QuerySet[MachineCall]:
    """Return the calls in all sittings of a machine judge, in order."""
    return MachineCall.objects.filter(judge__in=sittings_of(judge).order_by()).order_by("pk")


def units_for(judge: MachineJudge) -> QuerySet[Unit]:
    """Return the open units that are planned for a machine judge and that it has not tried and lost."""
    return Unit.objects.filter(pk__in=units_left_of([judge.root.pk]).values("unit"))


def units_left_of(roots: Sequence[int]) -> QuerySet[MachineUnit]:
    """Return the open units that are planned for machine judges and that they have not tried and lost.

    `roots` are the keys of their first sittings. Nobody else can take a unit that is planned for a judge.
    """
    tried = Assignment.objects.filter(unit=OuterRef("unit"), state__in=_OVER)
    planned = MachineUnit.objects.filter(
        judge__in=roots, unit__state=UnitState.OPEN.value, unit__topic__retired_at__isnull=True
    )
    return planned.exclude(Exists(tried)).order_by()


def used_by(judge: MachineJudge, *, besides: MachineCall | None = None) -> Used:
    """Return what all sittings of a machine judge have used so far, if asked besides one call."""
    sums = _besides(besides, calls_of(judge)).aggregate(
        calls=Count("pk"),
        input=Sum("input_tokens", default=0),
        output=Sum("output_tokens", default=0),
        money=Sum("money", default=Decimal(0)),
        seconds=Sum("seconds", default=0.0),
    )
    return Used(
        sums["calls"], sums["input"], sums["output"], Decimal(str(sums["money"])), float(sums["seconds"])
    )


def spent_by_machines(study: Study, *, besides: MachineCall | None = None) -> Decimal:
    """Return what all machine judges of a study have cost so far, if asked besides one call.

    The arms of a study share its budget, so their judges count, too.
    """
    calls = MachineCall.objects.filter(judge__participation__study__in=arm_keys(study)).order_by()
    total = _besides(besides, calls).aggregate(money=Sum("money", default=Decimal(0)))
    return Decimal(str(total["money"]))


def machine_budget_left(study: Study) -> Decimal | None:
    """Return what the machine judges of a study can still cost, or None if they have no common budget.

    It is negative if the budget is now smaller than what they have cost.
    """
    budget = study.entrance.machine_budget
    return None if budget is None else budget - spent_by_machines(study)


def _besides(call: MachineCall | None, calls: QuerySet[MachineCall]) -> QuerySet[MachineCall]:
    return calls if call is None or call.pk is None else calls.exclude(pk=call.pk)


def cost_per_document(study: Study) -> Decimal | None:
    """Return the money that the finished machine judges of a study cost together for each document.

    It has at most 8 decimals. Return None if no judge is finished. A judge is finished if none of its units
    is left. Anchors do not count as documents, so the money for them is part of the cost of the others.
    """
    reserved = MachineUnit.objects.filter(unit__state=UnitState.RESERVED.value).order_by().values("judge")
    roots = MachineJudge.objects.filter(participation__study=study, first=None).exclude(pk__in=reserved)
    left = units_left_of(list(roots.order_by().values_list("pk", flat=True))).values("judge")
    finished = roots.exclude(pk__in=left).order_by().values("pk")
    sittings = MachineJudge.objects.filter(Q(pk__in=finished) | Q(first__in=finished)).order_by()
    judgments = Judgment.objects.filter(
        assignment__participation__machine__in=sittings,
        assignment__state=AssignmentState.COMPLETED,
        pool_document__anchor="",
    )
    documents = judgments.aggregate(number=Count("pool_document", distinct=True))["number"]
    if not documents:
        return None
    calls = MachineCall.objects.filter(judge__in=sittings)
    money = calls.aggregate(money=Sum("money", default=Decimal(0)))["money"]
    cost: Decimal = (Decimal(str(money)) / documents).quantize(_STORED)
    return cost
