"""What a machine judge did: its calls, faults and checks, and whether its answers follow the order shown."""

from collections import Counter

from django.db.models import Q

from evaluation.report.machines import Machine
from judging.core.selectors.attempts import failures
from judging.core.selectors.machine import calls_of, sittings_of, units_for, used_by
from judging.models import Assignment, Judgment, MachineJudge, PracticeAttempt, Study
from judging.models.machine import Outcome, Purpose
from judging.protocol.checks import anchors
from judging.protocol.states import AssignmentState, ParticipationState


def machines_of(study: Study) -> list[Machine]:
    """Return what the machine judges of a study did so far, sorted by name."""
    judges = MachineJudge.objects.filter(participation__study=study, first=None).order_by("name")
    return [summarise(judge) for judge in judges.select_related("participation__study")]


def summarise(judge: MachineJudge) -> Machine:
    """Return what a machine judge did so far, in all its sittings."""
    root = judge.root
    sittings = sittings_of(root)
    used = used_by(root)
    outcomes = Counter(calls_of(root).order_by().values_list("outcome", flat=True))
    work = Assignment.objects.filter(participation__machine__in=sittings.order_by())
    practice = PracticeAttempt.objects.filter(participation__machine__in=sittings.order_by())
    completed = work.filter(state=AssignmentState.COMPLETED)
    judged = Judgment.objects.filter(assignment__in=completed.order_by(), pool_document__anchor="")
    units = completed.count()
    return Machine(
        name=root.name,
        model=root.model,
        prompt=root.prompt_name,
        version=root.prompt_version,
        prompt_sha256=root.prompt_sha256,
        temperature=root.temperature,
        seed=root.seed,
        first_call=f"{root.asked_at:%Y-%m-%d}",
        units_planned=root.units.count(),
        units=units,
        units_left=units_for(root).count(),
        sittings=sittings.count(),
        screened_out=sittings.filter(participation__state=ParticipationState.SCREENED_OUT).count(),
        documents=judged.order_by().values("pool_document").distinct().count(),
        checks={
            "practice": (practice.filter(passed=True).count(), practice.filter(passed=False).count()),
            "question": (
                work.filter(serial__gt=0).count(),
                work.filter(state=AssignmentState.COMPREHENSION_FAILED).count(),
            ),
            "anchors": (
                units,
                sum(
                    count or 0
                    for count in work.annotate(failed=failures(anchors.CHECK.letter)).values_list(
                        "failed", flat=True
                    )
                ),
            ),
        },
        faults={kind.value: outcomes[kind.value] for kind in Outcome if kind != Outcome.ANSWERED},
        calls=used.calls,
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        money=used.money,
        seconds=used.seconds,
        order=_order_of(root),
    )


def _order_of(judge: MachineJudge) -> tuple[int, int, int] | None:
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
    return len(pairs), counts[1.0, 1.0], counts[0.0, 0.0]
