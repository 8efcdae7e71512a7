"""Exclude completed units from the analysis, include them again, and create copies for workers to judge."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from judging.core.selectors.judgments import ACCEPTED
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.models import Actor, MachineUnit, Participation, Topic, Unit, UnitDocument
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
    """Exclude a done unit. With `collect_again`, also create and return a copy for workers to judge.

    Without `collect_again`, return None. The judgments stay in the data with a flag, but do not count. If the
    unit is already excluded, the new reason replaces the old one. Raise RefusedError if the unit is not done,
    or if its judgments are not by the given `worker`. Also raise it if the reason is missing, too long or
    invalid, or if no copy can be made.
    """
    unit = _lock_unit(unit)
    if unit.state != UnitState.DONE:
        raise RefusedError(
            _("Unit {unit} of topic {topic} is not done yet. You can exclude it once it is done.").format(
                unit=unit.number, topic=unit.topic.number
            )
        )
    _refuse_without_judgments(unit, worker)
    if not reason.strip():
        raise RefusedError(
            _("The reason is missing. State why the unit is excluded; the reason is published with the data.")
        )
    if len(reason) > LONGEST_REASON:
        raise RefusedError(
            _("The reason is too long. Shorten it to at most {count} characters.").format(
                count=LONGEST_REASON
            )
        )
    if "\0" in reason:
        raise RefusedError(_("The reason contains a null character. Remove it."))
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
    """Include an excluded unit again. If it has a copy, the copy stays.

    Raise RefusedError if the unit is not excluded, or its judgments are not by the given `worker`.
    """
    unit = _lock_unit(unit)
    _refuse_without_judgments(unit, worker)
    if unit.excluded_at is None:
        raise RefusedError(
            _("Unit {unit} of topic {topic} is not excluded, so it already counts.").format(
                unit=unit.number, topic=unit.topic.number
            )
        )
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
    """Exclude all of a worker's completed units that count.

    Return the numbers of excluded units and of new copies.

    A unit that already has a copy does not get another. Raise RefusedError if none of the worker's units
    counts, or if `exclude_unit` refuses one of them. In both cases, no unit is excluded.
    """
    units = _units_of(participation).filter(excluded_at__isnull=True)
    excluded = copies = 0
    for unit in units.prefetch_related("copies").order_by("pk"):
        again = collect_again and not unit.copies.all()
        copy = exclude_unit(unit=unit, reason=reason, now=now, actor=actor, collect_again=again)
        excluded, copies = excluded + 1, copies + (copy is not None)
    if not excluded:
        raise RefusedError(
            _("Worker {worker} has no completed units that count, so there was nothing to exclude.").format(
                worker=participation.pseudonym
            )
        )
    return excluded, copies


@transaction.atomic
def include_units_of(*, participation: Participation, now: datetime, actor: Actor = None) -> int:
    """Include all excluded units of a worker again, and return their number.

    The reasons why the units were excluded do not matter. Copies of the units stay. Raise RefusedError if the
    worker has no excluded units.
    """
    units = list(_units_of(participation).filter(excluded_at__isnull=False).order_by("pk"))
    if not units:
        raise RefusedError(
            _("Worker {worker} has no excluded units, so there was nothing to include again.").format(
                worker=participation.pseudonym
            )
        )
    for unit in units:
        include_unit(unit=unit, now=now, actor=actor)
    return len(units)


def _units_of(participation: Participation) -> QuerySet[Unit]:
    """Return the units whose accepted judgments are by this worker."""
    return Unit.objects.filter(
        pk__in=participation.assignments.filter(ACCEPTED).values("unit"), state=UnitState.DONE
    )


def _refuse_without_judgments(unit: Unit, worker: Participation | None) -> None:
    """Raise RefusedError if the accepted judgments of a unit are not by this worker."""
    if worker is not None and not worker.assignments.filter(ACCEPTED, unit=unit).exists():
        raise RefusedError(
            _("Nothing was changed: the judgments of this unit were deleted, or belong to another worker.")
        )


def _lock_unit(unit: Unit) -> Unit:
    return (
        Unit.objects.select_for_update(no_key=True, of=("self",))
        .select_related("topic__study")
        .get(pk=unit.pk)
    )


def _copy(unit: Unit) -> Unit:
    """Return a new unit with the same documents. The topic is locked so that unit numbers stay unique."""
    topic = (
        Topic.objects.select_for_update(no_key=True, of=("self",))
        .select_related("study")
        .get(pk=unit.topic_id)
    )
    if topic.retired_at or topic.study.state == StudyState.CLOSED:
        raise RefusedError(
            _(
                "The unit cannot be collected again, because its topic is retired or the study is closed."
                " Exclude it without collecting it again."
            )
        )
    if copy := unit.copies.first():
        raise RefusedError(
            _(
                "Unit {unit} of topic {topic} already has a copy, unit {copy}. Exclude the original "
                "without collecting it again."
            ).format(unit=unit.number, topic=topic.number, copy=copy.number)
        )
    documents = list(unit.unit_documents.values_list("pool_document_id", flat=True))
    if len(documents) != topic.study.others_per_unit:
        raise RefusedError(
            _(
                "Unit {unit} of topic {topic} was imported and does not have the {size} documents "
                "that a unit of this study needs. Exclude it without collecting it again."
            ).format(unit=unit.number, topic=topic.number, size=topic.study.unit_size)
        )
    if MachineUnit.objects.filter(unit=unit).exists():
        raise RefusedError(
            _(
                "Unit {unit} of topic {topic} belongs to a machine judge, which would give the same answers"
                " again. Exclude it without collecting it again."
            ).format(unit=unit.number, topic=topic.number)
        )
    last = Unit.objects.filter(topic=topic).aggregate(last=Max("number"))["last"]
    copy = Unit.objects.create(topic=topic, number=last + 1, kind=unit.kind, copy_of=unit)
    UnitDocument.objects.bulk_create(
        UnitDocument(unit=copy, pool_document_id=document) for document in documents
    )
    return copy
