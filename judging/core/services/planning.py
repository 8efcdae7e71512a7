"""Plan missing units when a study opens, needs more judgments per document, or gets new topics."""

from collections import defaultdict
from collections.abc import Mapping
from itertools import chain

from django.db import transaction
from django.db.models import Count, Max

from judging.core.selectors.kinds import planned_kind
from judging.core.selectors.plans import planned_judgments
from judging.core.services.locking import lock_study
from judging.models import PoolDocument, Study, Topic, Unit, UnitDocument
from judging.protocol.planning import plan_units, unit_rng

_BATCH = 1000


@transaction.atomic
def plan_missing_units(*, study: Study, kind: str = "", judgments: int | None = None) -> int:
    """Plan the missing units of all topics that are not retired, and return the number of new units.

    `kind` is the kind of judge that the units are for; "" stands for the kind that the study counts. Each
    document gets `judgments` by this kind; None stands for the study's `judgments_per_document`.

    Existing units do not change. New units get the next free numbers. The random draws depend only on the
    study's seed, the topic and the number of existing units, so the draws can be reproduced.

    Lock the topics, so that transactions that copy a unit wait. Otherwise, a copy could get the number of a
    new unit. Raise ValueError if a pool is smaller than a unit.
    """
    study = lock_study(study)
    locked = Topic.objects.select_for_update(no_key=True).filter(study=study, retired_at__isnull=True)
    topics = list(locked.order_by("place"))
    kind = kind or planned_kind(study)
    number = study.judgments_per_document if judgments is None else judgments
    planned = planned_judgments(study, topics, [kind])
    return len(_store(topics, kind, _plans(study, topics, kind, number, planned)))


@transaction.atomic
def plan_own_units(*, study: Study, kind: str, judgments: int) -> list[Unit]:
    """Plan units in which each document gets `judgments`, whatever is planned already, and return them.

    They are for one judge who judges all documents, beside other judges of the same kind: if people judge
    only a sample, the judge predicts the gains of the other documents. Locks and random draws are those of
    `plan_missing_units`.
    """
    study = lock_study(study)
    locked = Topic.objects.select_for_update(no_key=True).filter(study=study, retired_at__isnull=True)
    topics = list(locked.order_by("place"))
    return _store(topics, kind, _plans(study, topics, kind, judgments, {}, whole_pool=True))


def _plans(
    study: Study,
    topics: list[Topic],
    kind: str,
    judgments: int,
    planned: Mapping[int, int],
    *,
    whole_pool: bool = False,
) -> list[list[tuple[int, ...]]]:
    """Return the missing units of each topic, as the keys of their pool documents, in two queries.

    `planned` has the number of units that are planned already for each document. With `whole_pool`, documents
    outside the sample are planned, too.
    """
    pools = defaultdict[int, list[int]](list)
    pooled = PoolDocument.objects.filter(topic__in=topics, anchor="").order_by()
    if not whole_pool:
        pooled = pooled.filter(sampled=True)
    rows = pooled.values_list("topic_id", "document__document_id", "pk")
    for topic_id, _document, key in sorted(rows):  # so that the plan does not depend on the database's order
        pools[topic_id].append(key)
    units = Unit.objects.filter(topic__in=topics, kind=kind).order_by()
    existing = dict(units.values_list("topic_id").annotate(number=Count("pk")))
    return [
        plan_units(
            pools[topic.pk],
            judgments=judgments,
            others=study.others_per_unit,
            rng=unit_rng(study.seed, topic.number, batch=existing.get(topic.pk, 0)),
            planned=planned,
        )
        for topic in topics
    ]


def _store(topics: list[Topic], kind: str, plans: list[list[tuple[int, ...]]]) -> list[Unit]:
    """Store the units of each topic, under the next free numbers, and return them."""
    units = Unit.objects.filter(topic__in=topics).order_by()
    last = dict(units.values_list("topic_id").annotate(last=Max("number")))
    rows = Unit.objects.bulk_create(
        (
            Unit(topic=topic, number=number, kind=kind)
            for topic, plan in zip(topics, plans, strict=True)
            for number in range(last.get(topic.pk, 0) + 1, last.get(topic.pk, 0) + 1 + len(plan))
        ),
        batch_size=_BATCH,
    )
    UnitDocument.objects.bulk_create(
        (
            UnitDocument(unit=unit, pool_document_id=key)
            for unit, keys in zip(rows, chain.from_iterable(plans), strict=True)
            for key in keys
        ),
        batch_size=_BATCH,
    )
    return rows
