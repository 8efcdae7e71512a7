"""The sample of a study: each document of the pools with its chance to be sampled."""

import polars as pl

from judging.core.selectors.copies import replaced_topics
from judging.models import PoolDocument, Study, Topic

_SCHEMA = {
    "topic_id": pl.String,
    "document_id": pl.String,
    "inclusion": pl.Float64,
    "sampled": pl.Boolean,
}


def pool_with_chances(study: Study) -> list[tuple[str, str, float, bool, int | None]]:
    """Return topic, document, chance to be sampled, whether it was sampled, and the number of its draw.

    There is an entry for each document of the pools. Without a sample, the chance is 1 and there is no draw.
    The entries are sorted by topic and document. Topics that a copy has replaced are left out, as in scores.
    This takes two queries.
    """
    topics = Topic.objects.filter(study=study).exclude(number__in=replaced_topics(study)).order_by()
    pool = PoolDocument.objects.filter(topic__in=topics).order_by()
    rows = pool.values_list("topic__number", "document__document_id", "inclusion", "sampled", "draw__number")
    # Sort here, by code point, because databases sort text by their own collations.
    return sorted(rows, key=lambda row: row[:2])


def inclusion_of(study: Study) -> pl.DataFrame | None:
    """Return the documents of a sampled study, or None if every document of the pools is judged.

    The columns are `topic_id, document_id, inclusion, sampled`, with a row for each document of the pools,
    also for those that are not judged. `inclusion` is the document's chance to be sampled, 1 for anchors.
    See `pool_with_chances` for the order and the topics.
    """
    if not study.is_sampled:
        return None
    rows = [row[: len(_SCHEMA)] for row in pool_with_chances(study)]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def chances_of(study: Study, topic: str) -> dict[str, float]:
    """Return a dict from each document of a topic to its chance to be sampled. Leave out the chance 1.

    This takes one query, or none for a study without a sample.
    """
    if not study.is_sampled:
        return {}
    pool = PoolDocument.objects.filter(topic__study=study, topic__number=topic, inclusion__lt=1).order_by()
    return dict(pool.values_list("document__document_id", "inclusion"))
