"""Decide about further units of an adaptive study, store the decisions, and repeat them to check them."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, Max, QuerySet
from django.utils.translation import gettext as _

from evaluation.allocation import Decision, Settings, decide
from evaluation.allocation.records import differences, to_record
from judging.core.formats.snapshot import one_snapshot
from judging.core.selectors.plans import planned_units
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.locking import lock_study
from judging.models import Actor, AllocationDecision, PoolDocument, Reason, Study, Topic, Unit, UnitDocument
from judging.protocol.planning import units_needed
from judging.protocol.states import StudyState, UnitState
from judging.understanding.reports.study_data import read_study

BATCHES: Final = 10
"""A batch has a tenth of the units that the largest possible study would have."""
_BATCH: Final = 1000


def is_due(study: Study) -> bool:
    """Return whether an adaptive study needs a decision now.

    It does if it is open, all of its units are done, and no decision has stopped it. A decision that there is
    no room for further units stops it until `most_judgments` is raised.
    """
    if not study.is_adaptive or study.state != StudyState.OPEN:
        return False
    units = planned_units(list(_topics(study)))
    if units.exclude(state=UnitState.DONE).exists() or not units.exists():
        return False
    last = study.decisions.order_by("-number").first()
    if last is not None and last.reason == Reason.NO_ROOM:
        return bool((_settings(study).most_units or 0) > last.record["settings"]["most_units"])
    return last is None or last.reason == Reason.UNSETTLED


def plan_next_batch(*, study: Study, now: datetime, actor: Actor = None) -> AllocationDecision:
    """Decide about further units, store the decision, and plan the units. Audit the decision.

    The decision depends only on the judgments, the runs, the settings and the seed of the study, and on its
    number. The units are added to the plan, and workers get them like all others: in random order, with the
    anchors, and never two units of a topic. Raise RefusedError if no decision is due. Raise InputError if the
    data does not allow a decision.
    """
    if not is_due(study):
        raise RefusedError(
            _(
                "Study {study} needs no further units now. It must be adaptive and open, its units must be "
                "done, and no earlier decision may have stopped it."
            ).format(study=study.slug)
        )
    number = study.decisions.count() + 1
    with one_snapshot():
        data = read_study(study)
    decision = decide(data.judgments, data.runs, _settings(study), seed=study.seed, batch=number)
    record = to_record(decision, data.judgments, data.runs)
    return _store(study, decision, record, number, now, actor)


@transaction.atomic
def _store(
    study: Study, decision: Decision, record: dict[str, Any], number: int, now: datetime, actor: Actor
) -> AllocationDecision:
    study = lock_study(study)
    # A topic that is retired meanwhile makes the settings differ.
    if _settings(study) != decision.settings or not is_due(study) or study.decisions.count() + 1 != number:
        raise RefusedError(_("Study {study} has changed meanwhile. Try again.").format(study=study.slug))
    stored = AllocationDecision.objects.create(
        study=study,
        number=number,
        at=now,
        reason=decision.reason,
        record=record,
        unit_numbers=_add_units(study, decision),
    )
    audit(
        "allocated",
        study=study,
        actor=actor,
        now=now,
        decision=number,
        reason=decision.reason,
        tau=round(decision.evidence.tau, 3),
        overlap=round(decision.evidence.overlap, 3),
        units_planned=len(decision.units),
    )
    return stored


def _add_units(study: Study, decision: Decision) -> list[int]:
    """Plan the units of a decision, and return their numbers in their topics."""
    topics = {topic.number: topic for topic in _topics(study).select_for_update(no_key=True)}
    last = {topic.pk: topic.last or 0 for topic in _topics(study).annotate(last=Max("units__number"))}
    pool = PoolDocument.objects.filter(topic__in=last, anchor="").order_by()
    keys = {
        (topic, document): key
        for topic, document, key in pool.values_list("topic__number", "document__document_id", "pk")
    }
    units = []
    for number, _documents in decision.units:
        topic = topics[number]
        last[topic.pk] += 1
        units.append(Unit(topic=topic, number=last[topic.pk]))
    Unit.objects.bulk_create(units, batch_size=_BATCH)
    UnitDocument.objects.bulk_create(
        (
            UnitDocument(unit=unit, pool_document_id=keys[topic, document])
            for unit, (topic, documents) in zip(units, decision.units, strict=True)
            for document in documents
        ),
        batch_size=_BATCH,
    )
    return [unit.number for unit in units]


def check_decisions(study: Study) -> Iterator[tuple[int, list[str]]]:
    """Repeat each decision from the study's present judgments and runs.

    Yield its number, and the entries of its record that differ. Raise InputError if the study has no
    judgments.
    """
    decisions = list(study.decisions.order_by("number"))
    if not decisions:
        return
    with one_snapshot():
        data = read_study(study)
    for decision in decisions:
        yield decision.number, differences(decision.record, data.judgments, data.runs)


def _topics(study: Study) -> QuerySet[Topic]:
    return Topic.objects.filter(study=study, retired_at__isnull=True).order_by("place")


def _settings(study: Study) -> Settings:
    pools = PoolDocument.objects.filter(topic__in=_topics(study), anchor="").order_by()
    sizes = pools.values("topic").annotate(size=Count("pk")).values_list("size", flat=True)
    retired = Topic.objects.filter(study=study, retired_at__isnull=False).order_by()
    most = sum(
        units_needed(size, judgments=study.most_judgments, others=study.others_per_unit) for size in sizes
    )
    return Settings(
        measure=study.ranked_by,
        level=study.settled_level,
        units=max(1, most // BATCHES),
        unit_size=study.unit_size,
        most_units=most,
        closed_topics=tuple(sorted(retired.values_list("number", flat=True))),
    )
