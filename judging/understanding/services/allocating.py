"""Request, make and store decisions about further units of an adaptive study, and repeat them as a check."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from evaluation.allocation import Decision, Settings, decide
from evaluation.allocation.records import differences, to_record
from judging.core.formats.snapshot import one_snapshot
from judging.core.selectors.adaptive import adaptation_of, attempts_at, is_due, live_topics, most_units
from judging.core.selectors.kinds import planned_kind
from judging.core.services import jobs
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.locking import lock_study
from judging.models import (
    Actor,
    AllocationDecision,
    Job,
    JobKind,
    PoolDocument,
    Study,
    Topic,
    Unit,
    UnitDocument,
)
from judging.understanding.reports.study_data import read_study

BATCHES: Final = 10
"""A batch has a tenth of the units that the largest possible study would have."""
_BATCH: Final = 1000


@transaction.atomic
def request_decision(*, study: Study, now: datetime, actor: Actor = None) -> Job | None:
    """Request the decision that is due, and return its job. Return None if no decision is due.

    If a job is already making the decision, return that job. Requests for the same study are handled one
    after the other, so a decision never has two live jobs.
    """
    study = lock_study(study)
    adaptation = adaptation_of(study)
    attempts = attempts_at(study, adaptation)
    if adaptation is None or attempts is None:
        return None
    return attempts.live or jobs.request(
        kind=JobKind.ALLOCATE,
        study=study,
        parameters={"decision": adaptation.decisions + 1},
        actor=actor,
        now=now,
    )


def plan_next_batch(*, study: Study, now: datetime, actor: Actor = None) -> AllocationDecision:
    """Decide about further units, store the decision, and plan the units.

    The audit log records the decision. The decision depends only on its own number and on the study's
    judgments, runs, settings and seed. Workers get the new units in the same way as the first ones: in random
    order, with the anchors, and never two units of the same topic. Raise RefusedError if no decision is due,
    or if the study changes meanwhile. Raise InputError if the data does not allow a decision.
    """
    if not is_due(study):
        raise RefusedError(
            _(
                "No decision about further units is due in study {study}. A decision is due if the study is "
                "adaptive and open, all its units are done, and no earlier decision has ended the planning."
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
        raise RefusedError(
            _("Study {study} has changed in the meantime. Try again.").format(study=study.slug)
        )
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
    """Plan the units of a decision, and return the number of each unit within its topic."""
    topics = {topic.number: topic for topic in live_topics(study).select_for_update(no_key=True)}
    last = {topic.pk: topic.last or 0 for topic in live_topics(study).annotate(last=Max("units__number"))}
    pool = PoolDocument.objects.filter(topic__in=last, anchor="").order_by()
    keys = {
        (topic, document): key
        for topic, document, key in pool.values_list("topic__number", "document__document_id", "pk")
    }
    units = []
    for number, _documents in decision.units:
        topic = topics[number]
        last[topic.pk] += 1
        units.append(Unit(topic=topic, number=last[topic.pk], kind=planned_kind(study)))
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
    """Repeat each decision with the study's current judgments and runs, and compare it with the stored one.

    Yield the number of each decision, and the entries of its stored record that differ. Raise InputError if
    the study has no judgments.
    """
    decisions = list(study.decisions.order_by("number"))
    if not decisions:
        return
    with one_snapshot():
        data = read_study(study)
    for decision in decisions:
        yield decision.number, differences(decision.record, data.judgments, data.runs)


def _settings(study: Study) -> Settings:
    retired = Topic.objects.filter(study=study, retired_at__isnull=False).order_by()
    most = most_units(study)
    return Settings(
        measure=study.ranked_by,
        level=study.settled_level,
        units=max(1, most // BATCHES),
        unit_size=study.unit_size,
        anchors=len(study.anchors),
        most_units=most,
        closed_topics=tuple(sorted(retired.values_list("number", flat=True))),
    )
