"""Repair a topic whose anchors are bad: replace it with a copy, and compensate its workers."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import TypeVar

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from judging.core.selectors.copies import live_copy
from judging.core.selectors.payments import Sum, lost_on
from judging.core.services.deleting import forget_setup
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.paying import decide_compensated
from judging.core.services.planning import plan_missing_units
from judging.core.services.studies import retire_topic
from judging.models import (
    Actor,
    Assignment,
    KnownGrade,
    PoolDocument,
    Question,
    Ranking,
    Study,
    Topic,
    Unit,
)
from judging.models.payable import DECISION_FIELDS
from judging.protocol.anchor_pairs import ANCHORS_PER_PAIR, Anchor
from judging.protocol.states import UnitState
from judging.watching.selectors.mending import already_replaced, is_judged, may_be_anchor
from judging.watching.services.curation import exclude_unit

OfTopic = TypeVar("OfTopic", Question, PoolDocument, KnownGrade, Ranking)


@transaction.atomic
def replace_topic(
    *, topic: Topic, anchors: Mapping[Anchor, str], now: datetime, actor: Actor = None, exclude: bool = False
) -> tuple[Topic, int]:
    """Retire a topic if needed, and copy it with new anchors. Return the copy and the number of new units.

    `anchors` maps each anchor of the study to the id of its new document. The copy has its own number. All
    its judgments are collected from scratch, because magnitudes that were given with other anchors are on a
    different scale. The completed units of the topic stay. They still count unless `exclude` is true. The
    study's stored set-up does not contain the copy, so Plumbline deletes the set-up and creates it again when
    it is needed.

    Raise RefusedError if these documents cannot be the new anchors, if the study is neither open nor paused,
    or if a copy of the topic is in use.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=topic.study_id)
    if not is_judged(study):
        raise RefusedError(
            _(
                "The state of study {study} is “{state}”. You can set new anchors only while the study is"
                " open or paused."
            ).format(study=study.slug, state=_(study.get_state_display()))
        )
    topic = Topic.objects.get(pk=topic.pk)
    if (used := live_copy(topic)) is not None:
        raise RefusedError(already_replaced(topic.number, used.number))
    _check_anchors(topic, anchors)
    if exclude:
        for unit in Unit.objects.filter(topic=topic, state=UnitState.DONE, excluded_at=None).order_by("pk"):
            reason = f"The anchors of topic {topic.number} were replaced."
            exclude_unit(unit=unit, reason=reason, now=now, actor=actor)
    if topic.retired_at is None:
        retire_topic(topic=topic, now=now, actor=actor)
    copy = _copy(topic, anchors)
    forget_setup(study=study)
    planned = plan_missing_units(study=study)
    audit(
        "topic_replaced",
        study=study,
        actor=actor,
        now=now,
        topic=topic.number,
        copy=copy.number,
        units_planned=planned,
        **{anchor.value.lower(): document for anchor, document in anchors.items()},
    )
    return copy, planned


@transaction.atomic
def compensate_topic(*, topic: Topic, now: datetime, actor: Actor = None) -> Sum:
    """Compensate workers for units that they lost after failing check (c) on a retired topic.

    Each unit is compensated with its full pay, which becomes due; if too little time was measured, it is held
    for a researcher. Return the number of units and the total amount. Raise RefusedError if nobody is left to
    compensate, or if the topic is not retired. Before a topic is retired, workers can still complete lapsed
    units, so compensation could pay them twice for the same unit.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=topic.study_id)
    if not Topic.objects.filter(pk=topic.pk, retired_at__isnull=False).exists():
        raise RefusedError(_("Topic {topic} is still in use. Retire it first.").format(topic=topic.number))
    lost = list(lost_on(topic).select_for_update(no_key=True, of=("self",)).select_related("participation"))
    if not lost:
        raise RefusedError(_("Topic {topic} has no workers left to compensate.").format(topic=topic.number))
    amount = sum((assignment.pay for assignment in lost), start=Decimal("0.00"))
    for assignment in lost:
        assignment.compensation = assignment.pay
        assignment.participation.study = study
        decide_compensated(assignment=assignment)
    Assignment.objects.bulk_update(lost, ["compensation", *DECISION_FIELDS], batch_size=500)
    audit(
        "compensated",
        study=study,
        actor=actor,
        now=now,
        topic=topic.number,
        units=[f"{assignment.participation.pseudonym}/{assignment.number}" for assignment in lost],
        amount=str(amount),
        currency=study.currency,
    )
    return Sum(len(lost), amount)


def _check_anchors(topic: Topic, anchors: Mapping[Anchor, str]) -> None:
    if len(set(anchors.values())) < len(anchors):
        if len(anchors) == ANCHORS_PER_PAIR:
            raise RefusedError(_("Both anchors are the same document. Choose two different documents."))
        raise RefusedError(
            _("Two anchors are the same document. Choose a different document for each anchor.")
        )
    pool = {row.document.document_id: row for row in topic.pool.select_related("document")}
    for anchor, document in anchors.items():
        row = pool.get(document)
        if row is None:
            raise RefusedError(
                _(
                    "{anchor} anchor: “{document}” is not in the pool of topic {topic}. Choose "
                    "a document from the pool."
                ).format(anchor=anchor.value, document=document, topic=topic.number)
            )
        if not row.sampled:
            raise RefusedError(
                _(
                    "{anchor} anchor: {document} is not in the sample, so its chance to be judged would"
                    " change. Choose a document of the sample."
                ).format(anchor=anchor.value, document=document)
            )
        if not may_be_anchor(row, anchor):
            raise RefusedError(
                _(
                    "{anchor} anchor: {document} has the grade {grade}. Choose a document that has the "
                    "grade {wanted} or no grade."
                ).format(anchor=anchor.value, document=document, grade=row.grade, wanted=anchor.grade.value)
            )
    if all(pool[document].anchor == anchor for anchor, document in anchors.items()):
        raise RefusedError(
            _("These documents are already the topic’s anchors. Replace at least one of them.")
        )


def _copy(topic: Topic, anchors: Mapping[Anchor, str]) -> Topic:
    places = Topic.objects.filter(study=topic.study_id).aggregate(last=Max("place"))
    copy = Topic.objects.create(
        study_id=topic.study_id,
        number=_free_number(topic),
        title=topic.title,
        description=topic.description,
        narrative=topic.narrative,
        place=places["last"] + 1,
    )
    question = Question.objects.get(topic=topic)
    _add_again([question], Question, topic=copy)
    rows = list(PoolDocument.objects.filter(topic=topic).select_related("document").order_by("pk"))
    by_document = {document: anchor.value for anchor, document in anchors.items()}
    for row in rows:
        row.anchor = by_document.get(row.document.document_id, "")
        row.draw = None  # a draw lists each of its documents once, in the topic that it was drawn for
    _add_again(rows, PoolDocument, topic=copy)
    _add_again(list(KnownGrade.objects.filter(topic=topic)), KnownGrade, topic=copy)
    _add_again(list(Ranking.objects.filter(topic=topic)), Ranking, topic=copy)
    return copy


def _add_again(rows: list[OfTopic], model: type[OfTopic], *, topic: Topic) -> None:
    for row in rows:
        row.pk, row.topic = None, topic
        row._state.adding = True
    model._default_manager.bulk_create(rows, batch_size=1000)


def _free_number(topic: Topic) -> str:
    used = set(Topic.objects.filter(study=topic.study_id).values_list("number", flat=True))
    candidates = (f"{topic.number}-{count}" for count in range(2, len(used) + 3))
    return next(number for number in candidates if number not in used)
