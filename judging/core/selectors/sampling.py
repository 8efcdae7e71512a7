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


def inclusion_of(study: Study) -> pl.DataFrame | None:
    """Return the documents of a sampled study, or None if every document of the pools is judged.

    The columns are `topic_id, document_id, inclusion, sampled`, with a row for each document of the pools,
    also for those that are not judged. `inclusion` is the document's chance to be sampled, 1 for anchors. The
    rows are sorted by topic and document. Topics that a copy has replaced are left out. This takes two
    queries, or none for a study without a sample.
    """
    if not study.is_sampled:
        return None
    topics = Topic.objects.filter(study=study).exclude(number__in=replaced_topics(study)).order_by()
    pool = PoolDocument.objects.filter(topic__in=topics).order_by()
    rows = pool.values_list("topic__number", "document__document_id", "inclusion", "sampled")
    # Sort here, by code point, because databases sort text by their own collations.
    return pl.DataFrame(sorted(rows), schema=_SCHEMA, orient="row")
