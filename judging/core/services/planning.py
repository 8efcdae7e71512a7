"""Plan missing units when a study opens, needs more judgments per document, or gets new topics."""

from django.db import transaction
from django.db.models import Max

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
    topics = Topic.objects.select_for_update(no_key=True).filter(study=study, retired_at__isnull=True)
    kind = kind or planned_kind(study)
    number = study.judgments_per_document if judgments is None else judgments
    return sum(_plan_topic(study, topic, kind, number) for topic in topics.order_by("place"))


def _plan_topic(study: Study, topic: Topic, kind: str, judgments: int) -> int:
    pool = dict(
        PoolDocument.objects.filter(topic=topic, anchor="").values_list("document__document_id", "pk")
    )
    units = Unit.objects.filter(topic=topic, kind=kind)
    plan = plan_units(
        sorted(pool),  # so that the plan does not depend on the database's order
        judgments=judgments,
        others=study.others_per_unit,
        rng=unit_rng(study.seed, topic.number, batch=units.count()),
        planned=planned_judgments(study, topic, [kind]),
    )
    last = Unit.objects.filter(topic=topic).aggregate(last=Max("number"))["last"] or 0
    rows = Unit.objects.bulk_create(
        (Unit(topic=topic, number=number, kind=kind) for number in range(last + 1, last + 1 + len(plan))),
        batch_size=_BATCH,
    )
    UnitDocument.objects.bulk_create(
        (
            UnitDocument(unit=unit, pool_document_id=pool[document])
            for unit, documents in zip(rows, plan, strict=True)
            for document in documents
        ),
        batch_size=_BATCH,
    )
    return len(plan)
