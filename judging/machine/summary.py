"""What a machine judge did: its calls, faults and checks, and whether its answers follow the order shown."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q

from judging.core.selectors.attempts import failures
from judging.core.selectors.machine import Used, calls_of, sittings_of, units_for, used_by
from judging.models import Assignment, MachineJudge, PracticeAttempt
from judging.models.machine import Outcome, Purpose
from judging.protocol.checks import anchors
from judging.protocol.states import AssignmentState, ParticipationState


@dataclass(frozen=True)
class OrderBias:
    """How often the answers about a pair followed the place, when both orders were asked.

    `pairs` counts the pairs with both answers. `first` counts those in which the judge chose the first
    document both times, and `second` those in which it chose the second one both times.
    """

    pairs: int
    first: int
    second: int

    @property
    def share(self) -> float | None:
        """Return the share of pairs in which the answer followed the place, or None without pairs."""
        return (self.first + self.second) / self.pairs if self.pairs else None


@dataclass(frozen=True)
class Passed:
    """How often a check was passed and failed."""

    passed: int
    failed: int


@dataclass(frozen=True)
class Summary:
    """The work of a machine judge in all its sittings.

    `faults` maps each kind of fault to the number of calls. `anchors` counts finishes of units.
    """

    judge: MachineJudge
    sittings: int
    screened_out: int
    used: Used
    faults: dict[str, int]
    practice: Passed
    question: Passed
    anchors: Passed
    units_done: int
    units_left: int
    order_bias: OrderBias | None


def summarise(judge: MachineJudge) -> Summary:
    """Return what a machine judge did so far."""
    root = judge.root
    sittings = sittings_of(root)
    outcomes = Counter(calls_of(root).order_by().values_list("outcome", flat=True))
    work = Assignment.objects.filter(participation__machine__in=sittings.order_by())
    practice = PracticeAttempt.objects.filter(participation__machine__in=sittings.order_by())
    done = work.filter(state=AssignmentState.COMPLETED).count()
    lost = work.filter(state=AssignmentState.COMPREHENSION_FAILED).count()
    failed = sum(
        count or 0
        for count in work.annotate(failed=failures(anchors.CHECK.letter)).values_list("failed", flat=True)
    )
    return Summary(
        judge=root,
        sittings=sittings.count(),
        screened_out=sittings.filter(participation__state=ParticipationState.SCREENED_OUT).count(),
        used=used_by(root),
        faults={kind.value: outcomes[kind.value] for kind in Outcome if kind != Outcome.ANSWERED},
        practice=Passed(practice.filter(passed=True).count(), practice.filter(passed=False).count()),
        question=Passed(work.filter(serial__gt=0).count(), lost),
        anchors=Passed(done, failed),
        units_done=done,
        units_left=units_for(root).count(),
        order_bias=order_bias_of(root),
    )


def order_bias_of(judge: MachineJudge) -> OrderBias | None:
    """Return how often a judge followed the order of the documents, or None if it compared no pairs."""
    calls = calls_of(judge).filter(
        Q(other__isnull=False), purpose=Purpose.DOCUMENT, outcome=Outcome.ANSWERED, number__isnull=False
    )
    answers = {
        (sitting, attempt, first, second): number
        for sitting, attempt, first, second, number in calls.values_list(
            "judge_id", "attempt", "document_id", "other_id", "number"
        )
    }
    if not answers:
        return None
    pairs = [
        (number, answers[sitting, attempt, second, first])
        for (sitting, attempt, first, second), number in answers.items()
        if first < second and (sitting, attempt, second, first) in answers
    ]
    counts = Counter(pairs)
    return OrderBias(len(pairs), first=counts[1.0, 1.0], second=counts[0.0, 0.0])


def lines_of(summary: Summary) -> Iterator[str]:
    """Yield the lines in which the command tells a summary."""
    judge, used = summary.judge, summary.used
    yield (
        f"Machine judge {judge.name}: model {judge.model}, prompt {judge.prompt_name} version"
        f" {judge.prompt_version} (SHA-256 {judge.prompt_sha256})."
    )
    yield (
        f"Calls: {used.calls:,}; tokens: {used.input_tokens:,} read, {used.output_tokens:,} written; money:"
        f" {used.money.normalize():f}; seconds: {used.seconds:,.1f}."
    )
    faults = ", ".join(f"{number:,} {kind}" for kind, number in summary.faults.items())
    yield f"Faults of the judge: {faults}."
    for name, check in (
        ("practice", summary.practice),
        ("question", summary.question),
        ("anchors", summary.anchors),
    ):
        yield f"Check of the {name}: {check.passed:,} passed, {check.failed:,} failed."
    yield (
        f"Units: {summary.units_done:,} done, {summary.units_left:,} left, in {summary.sittings:,} sittings,"
        f" of which {summary.screened_out:,} ended because the judge was screened out."
    )
    if (bias := summary.order_bias) and bias.share is not None:
        yield (
            f"Order: of {bias.pairs:,} pairs, the answer followed the place in {bias.first + bias.second:,}"
            f" ({bias.share:.1%}): {bias.first:,} times the first place, {bias.second:,} times the second."
        )
