"""Mending a topic whose anchors are bad: retired, copied as new with other anchors, lost units made due."""

from datetime import datetime
from decimal import Decimal
from typing import TypeVar

from django.db import transaction
from django.db.models import F, Max

from judging.core.selectors.payments import Sum, lost_on
from judging.core.services.deleting import forget_setup
from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
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
from judging.protocol.states import Grade, UnitState
from judging.watching.selectors.mending import is_judged, may_be_anchor
from judging.watching.services.curation import exclude_unit

OfTopic = TypeVar("OfTopic", Question, PoolDocument, KnownGrade, Ranking)


@transaction.atomic
def replace_topic(
    *, topic: Topic, h: str, n: str, now: datetime, actor: Actor = None, exclude: bool = False
) -> tuple[Topic, int]:
    """Retire a topic, unless it is, and copy it with other anchors; return the copy and its units.

    The copy has a number of its own, and all its judgments are collected anew: magnitudes given beside other
    anchors are another scale. The completed units of the topic stay, and still count unless `exclude`. The
    set-up of the study does not know the copy, so it is deleted; it is made anew from the study when needed.
    Raises RefusedError for documents that cannot be anchors, and for a study that is no longer judged.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=topic.study_id)
    if not is_judged(study):
        raise RefusedError(f"Study {study.slug} is {study.state}: its topics are not judged now.")
    topic = Topic.objects.get(pk=topic.pk)
    _check_anchors(topic, h, n)
    if exclude:
        for unit in Unit.objects.filter(topic=topic, state=UnitState.DONE, excluded_at=None).order_by("pk"):
            reason = f"The anchors of topic {topic.number} were replaced."
            exclude_unit(unit=unit, reason=reason, now=now, actor=actor)
    if topic.retired_at is None:
        retire_topic(topic=topic, now=now, actor=actor)
    copy = _copy(topic, h, n)
    forget_setup(study=study)
    planned = plan_missing_units(study=study)
    audit(
        "topic_replaced",
        study=study,
        actor=actor,
        now=now,
        topic=topic.number,
        copy=copy.number,
        h=h,
        n=n,
        units_planned=planned,
    )
    return copy, planned


@transaction.atomic
def compensate_topic(*, topic: Topic, now: datetime, actor: Actor = None) -> Sum:
    """Make the units that workers lost over check (c) of a retired topic due, each at its own pay.

    Return how many and how much. Raises RefusedError for a topic in use, where a lapsed unit may go on and
    be paid twice, and where nobody is left to compensate.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=topic.study_id)
    if not Topic.objects.filter(pk=topic.pk, retired_at__isnull=False).exists():
        raise RefusedError(f"Topic {topic.number} is still in use: retire it first.")
    lost = list(lost_on(topic).select_for_update(no_key=True, of=("self",)).select_related("participation"))
    if not lost:
        raise RefusedError(f"Nobody is left to compensate for topic {topic.number}.")
    amount = sum((one.pay for one in lost), start=Decimal("0.00"))
    Assignment.objects.filter(pk__in=[one.pk for one in lost]).update(compensation=F("pay"))
    audit(
        "compensated",
        study=study,
        actor=actor,
        now=now,
        topic=topic.number,
        units=[f"{one.participation.pseudonym}/{one.number}" for one in lost],
        amount=str(amount),
        currency=study.currency,
    )
    return Sum(len(lost), amount)


def _check_anchors(topic: Topic, h: str, n: str) -> None:
    if h == n:
        raise RefusedError("H and N must be two documents.")
    pool = {row.document.document_id: row for row in topic.pool.select_related("document")}
    for anchor, document in ((Grade.H, h), (Grade.N, n)):
        row = pool.get(document)
        if row is None:
            raise RefusedError(
                f"{anchor}: {document or 'nothing'} is not in the pool of topic {topic.number}."
            )
        if not may_be_anchor(row, anchor):
            raise RefusedError(f"{anchor}: {document} is graded {row.grade}, not {anchor}; choose another.")
    if pool[h].anchor == Grade.H and pool[n].anchor == Grade.N:
        raise RefusedError("These are the anchors that the topic has: choose at least one other document.")


def _copy(topic: Topic, h: str, n: str) -> Topic:
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
    for row in rows:
        row.anchor = {h: "H", n: "N"}.get(row.document.document_id, "")
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
    taken = set(Topic.objects.filter(study=topic.study_id).values_list("number", flat=True))
    numbers = (f"{topic.number}-{count}" for count in range(2, len(taken) + 3))
    return next(number for number in numbers if number not in taken)
