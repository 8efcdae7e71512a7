"""What machine judges did: their calls, faults and checks, and whether their answers follow the order shown.

All judges of a study are read at once, so the number of queries does not grow with the number of judges.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from decimal import Decimal
from operator import attrgetter
from typing import Any, Final

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from evaluation.report.machines import Machine
from judging.core.selectors.attempts import failures
from judging.core.selectors.machine import units_left_of
from judging.models import (
    Assignment,
    Judgment,
    MachineCall,
    MachineJudge,
    MachineUnit,
    PracticeAttempt,
    Study,
)
from judging.models.machine import Outcome, Purpose
from judging.protocol.checks import anchors
from judging.protocol.states import AssignmentState, ParticipationState

Counts = Mapping[int, Mapping[str, Any]]
"""Maps the key of the first sitting of each judge to its numbers, by name."""
_FAULTS: Final = tuple(outcome for outcome in Outcome if outcome != Outcome.ANSWERED)


def machines_of(study: Study) -> list[Machine]:
    """Return what the machine judges of a study did so far, sorted by name."""
    return _read(MachineJudge.objects.filter(participation__study=study, first=None))


def summarise(judge: MachineJudge) -> Machine:
    """Return what a machine judge did so far, in all its sittings."""
    (machine,) = _read(MachineJudge.objects.filter(pk=judge.root.pk))
    return machine


def _read(judges: QuerySet[MachineJudge]) -> list[Machine]:
    roots = sorted(judges.order_by(), key=attrgetter("name"))  # by code point, as everywhere
    keys = [root.pk for root in roots]
    if not keys:
        return []
    sittings, work, calls = _sittings(keys), _work(keys), _calls(keys)
    practice, documents, orders = _practice(keys), _documents(keys), _orders(keys)
    planned = _counted(MachineUnit.objects.filter(judge__in=keys), F("judge"), number=Count("pk"))
    left = _counted(units_left_of(keys), F("judge"), number=Count("pk"))
    return [
        Machine(
            name=root.name,
            model=root.model,
            prompt=root.prompt_name,
            version=root.prompt_version,
            prompt_sha256=root.prompt_sha256,
            temperature=root.temperature,
            seed=root.seed,
            first_call=f"{root.asked_at:%Y-%m-%d}",
            units_planned=planned[root.pk]["number"],
            units=work[root.pk]["completed"],
            units_left=left[root.pk]["number"],
            sittings=sittings[root.pk]["number"],
            screened_out=sittings[root.pk]["screened_out"],
            documents=documents[root.pk]["number"],
            checks={
                "practice": (practice[root.pk]["passed_"], practice[root.pk]["failed"]),
                "question": (work[root.pk]["answered"], work[root.pk]["lost"]),
                "anchors": (work[root.pk]["completed"], work[root.pk]["failed"]),
            },
            faults={fault.value: calls[root.pk][fault.value] for fault in _FAULTS},
            calls=calls[root.pk]["number"],
            input_tokens=calls[root.pk]["input"],
            output_tokens=calls[root.pk]["output"],
            money=Decimal(str(calls[root.pk]["money"])),
            seconds=float(calls[root.pk]["seconds"]),
            order=orders.get(root.pk),
        )
        for root in roots
    ]


def _root(path: str) -> Coalesce:
    """Return the key of the first sitting of the machine judge at a path."""
    return Coalesce(F(f"{path}first"), F(f"{path}pk"))


def _counted(rows: QuerySet[Any], root: Any, **numbers: Any) -> Counts:
    """Return the numbers of each judge. All are 0 for a judge without rows."""
    grouped = rows.order_by().annotate(root=root).values("root").annotate(**numbers)
    empty = dict.fromkeys(numbers, 0)
    return defaultdict(lambda: empty, {row["root"]: row for row in grouped})


def _of(path: str, keys: list[int]) -> Q:
    return Q(**{f"{path}pk__in": keys}) | Q(**{f"{path}first__in": keys})


def _sittings(keys: list[int]) -> Counts:
    screened_out = Q(participation__state=ParticipationState.SCREENED_OUT.value)
    rows = MachineJudge.objects.filter(_of("", keys))
    return _counted(rows, _root(""), number=Count("pk"), screened_out=Count("pk", filter=screened_out))


def _work(keys: list[int]) -> Counts:
    path = "participation__machine__"
    rows = Assignment.objects.filter(_of(path, keys)).annotate(anchor_failures=failures(anchors.CHECK.letter))
    lost = Q(state=AssignmentState.COMPREHENSION_FAILED.value)
    return _counted(
        rows,
        _root(path),
        completed=Count("pk", filter=Q(state=AssignmentState.COMPLETED.value)),
        answered=Count("pk", filter=Q(serial__gt=0)),
        lost=Count("pk", filter=lost),
        failed=Coalesce(Sum("anchor_failures"), 0),
    )


def _practice(keys: list[int]) -> Counts:
    path = "participation__machine__"
    return _counted(
        PracticeAttempt.objects.filter(_of(path, keys)),
        _root(path),
        passed_=Count("pk", filter=Q(passed=True)),
        failed=Count("pk", filter=Q(passed=False)),
    )


def _documents(keys: list[int]) -> Counts:
    path = "assignment__participation__machine__"
    judged = Judgment.objects.filter(
        _of(path, keys), assignment__state=AssignmentState.COMPLETED.value, pool_document__anchor=""
    )
    return _counted(judged, _root(path), number=Count("pool_document", distinct=True))


def _calls(keys: list[int]) -> Counts:
    faults = {fault.value: Count("pk", filter=Q(outcome=fault.value)) for fault in _FAULTS}
    return _counted(
        MachineCall.objects.filter(_of("judge__", keys)),
        _root("judge__"),
        number=Count("pk"),
        input=Sum("input_tokens", default=0),
        output=Sum("output_tokens", default=0),
        money=Sum("money", default=Decimal(0)),
        seconds=Sum("seconds", default=0.0),
        **faults,
    )


def _orders(keys: list[int]) -> dict[int, tuple[int, int, int]]:
    """Return how often each judge that compared pairs followed the order of the documents."""
    calls = MachineCall.objects.filter(
        _of("judge__", keys),
        other__isnull=False,
        purpose=Purpose.DOCUMENT.value,
        outcome=Outcome.ANSWERED.value,
        number__isnull=False,
    ).annotate(root=_root("judge__"))
    answers: dict[int, dict[tuple[int, ...], float]] = defaultdict(dict)
    columns = ("root", "judge_id", "attempt", "document_id", "other_id", "number")
    for root, sitting, attempt, first, second, number in calls.order_by().values_list(*columns).iterator():
        answers[root][sitting, attempt, first, second] = number
    return {root: _order(of_judge) for root, of_judge in answers.items()}


def _order(answers: Mapping[tuple[int, ...], float]) -> tuple[int, int, int]:
    pairs = Counter(
        (number, answers[sitting, attempt, second, first])
        for (sitting, attempt, first, second), number in answers.items()
        if first < second and (sitting, attempt, second, first) in answers
    )
    return pairs.total(), pairs[1.0, 1.0], pairs[0.0, 0.0]
