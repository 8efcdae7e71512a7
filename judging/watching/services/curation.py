"""Leaving a completed unit out of the analysis, taking it back in, and collecting it again."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Max, QuerySet

from judging.core.selectors.judgments import ACCEPTED
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.models import Actor, Participation, Topic, Unit, UnitDocument
from judging.protocol.states import StudyState, UnitState

LONGEST_REASON: Final = 500


@transaction.atomic
def exclude_unit(
    *,
    unit: Unit,
    reason: str,
    now: datetime,
    actor: Actor = None,
    collect_again: bool = False,
    worker: Participation | None = None,
) -> Unit | None:
    """Flag a done unit: its judgments stay, but enter no gains. Returns the copy made to collect it again.

    Excluding it again changes the reason. Raises RefusedError for a unit that is not done, or whose kept
    judgments are not those of the `worker` that is named, for a reason that is missing or too long, and where
    a copy was made already or cannot be made.
    """
    unit = _lock_unit(unit)
    if unit.state != UnitState.DONE:
        raise RefusedError(f"Unit {unit.number} of topic {unit.topic.number} is not done yet.")
    _refuse_unless_kept(unit, worker)
    if not reason.strip():
        raise RefusedError("Say why the unit is excluded: the reason is published with the data.")
    if len(reason) > LONGEST_REASON:
        raise RefusedError(f"Nothing was excluded: write the reason in up to {LONGEST_REASON} characters.")
    if "\0" in reason:
        raise RefusedError("Nothing was excluded: the reason holds a character that no text may hold.")
    unit.excluded_at = now
    unit.exclusion_reason = reason.strip()
    unit.save(update_fields=["excluded_at", "exclusion_reason"])
    copy = _copy(unit) if collect_again else None
    audit(
        "unit_excluded",
        study=unit.topic.study,
        actor=actor,
        now=now,
        topic=unit.topic.number,
        unit=unit.number,
        reason=unit.exclusion_reason,
        copy=copy.number if copy else None,
    )
    return copy


@transaction.atomic
def include_unit(
    *, unit: Unit, now: datetime, actor: Actor = None, worker: Participation | None = None
) -> None:
    """Undo an exclusion; a copy that was made stays.

    Raises RefusedError for a unit that is not excluded, or whose kept judgments are not those of the `worker`
    that is named.
    """
    unit = _lock_unit(unit)
    _refuse_unless_kept(unit, worker)
    if unit.excluded_at is None:
        raise RefusedError(f"Unit {unit.number} of topic {unit.topic.number} is not excluded.")
    unit.excluded_at = None
    unit.exclusion_reason = ""
    unit.save(update_fields=["excluded_at", "exclusion_reason"])
    audit(
        "unit_included",
        study=unit.topic.study,
        actor=actor,
        now=now,
        topic=unit.topic.number,
        unit=unit.number,
    )


@transaction.atomic
def exclude_units_of(
    *,
    participation: Participation,
    reason: str,
    now: datetime,
    actor: Actor = None,
    collect_again: bool = False,
) -> tuple[int, int]:
    """Exclude every completed unit of a worker that counts; how many, and how many copies were made.

    Units collected again already are not copied once more. Raises RefusedError as `exclude_unit` does, and
    where there is none; then none is excluded.
    """
    units = _units_of(participation).filter(excluded_at__isnull=True)
    done = copies = 0
    for unit in units.prefetch_related("copies").order_by("pk"):
        again = collect_again and not unit.copies.all()
        copy = exclude_unit(unit=unit, reason=reason, now=now, actor=actor, collect_again=again)
        done, copies = done + 1, copies + (copy is not None)
    if not done:
        raise RefusedError(f"Worker {participation.pseudonym} has completed no unit that counts.")
    return done, copies


@transaction.atomic
def include_units_of(*, participation: Participation, now: datetime, actor: Actor = None) -> int:
    """Take every excluded unit of a worker back in, whatever the reason; how many. Copies stay.

    Raises RefusedError where there is none.
    """
    units = list(_units_of(participation).filter(excluded_at__isnull=False).order_by("pk"))
    if not units:
        raise RefusedError(f"No unit of worker {participation.pseudonym} is excluded.")
    for unit in units:
        include_unit(unit=unit, now=now, actor=actor)
    return len(units)


def _units_of(participation: Participation) -> QuerySet[Unit]:
    """The units whose accepted judgments are this worker's."""
    return Unit.objects.filter(
        pk__in=participation.assignments.filter(ACCEPTED).values("unit"), state=UnitState.DONE
    )


def _refuse_unless_kept(unit: Unit, worker: Participation | None) -> None:
    """Of all attempts at a unit, only that of the worker whose judgments are kept can exclude it."""
    if worker is not None and not worker.assignments.filter(ACCEPTED, unit=unit).exists():
        raise RefusedError("Nothing was done: no judgments of this worker are kept for that unit.")


def _lock_unit(unit: Unit) -> Unit:
    return (
        Unit.objects.select_for_update(no_key=True, of=("self",))
        .select_related("topic__study")
        .get(pk=unit.pk)
    )


def _copy(unit: Unit) -> Unit:
    """Another unit of the same documents. The topic is locked, so that nobody else gives out its number."""
    topic = (
        Topic.objects.select_for_update(no_key=True, of=("self",))
        .select_related("study")
        .get(pk=unit.topic_id)
    )
    if topic.retired_at or topic.study.state == StudyState.CLOSED:
        raise RefusedError(
            "Units are collected again only while the topic is in use and the study not closed."
        )
    if copy := unit.copies.first():
        raise RefusedError(
            f"Unit {unit.number} of topic {topic.number} is collected again already, as unit {copy.number}."
        )
    documents = list(unit.unit_documents.values_list("pool_document_id", flat=True))
    if len(documents) != topic.study.others_per_unit:
        raise RefusedError(
            f"Unit {unit.number} of topic {topic.number} was judged elsewhere, and has not the "
            f"{topic.study.unit_size} documents of this study's units: it cannot be collected again here."
        )
    last = Unit.objects.filter(topic=topic).aggregate(last=Max("number"))["last"]
    copy = Unit.objects.create(topic=topic, number=last + 1, copy_of=unit)
    UnitDocument.objects.bulk_create(
        UnitDocument(unit=copy, pool_document_id=document) for document in documents
    )
    return copy
