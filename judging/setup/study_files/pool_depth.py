"""The pool depth of a stored study: the depth at which its runs produce exactly the stored pools."""

from collections.abc import Iterable, Mapping
from typing import Final

from judging.models import PoolDocument, Ranking, Study, Topic
from judging.setup.intake.readers.runs import pooling_order

_DEEPEST: Final = 10_000


def pool_depth(study: Study, topics: Iterable[Topic]) -> int | None:
    """Return the smallest depth at which the runs produce the stored pools, apart from the anchors.

    With a sample, return the depth that the sample was drawn at, because the chances are for this depth.
    Return None if there is no such depth. This can happen if the pools came from a list, or if documents
    without text were left out. It can also happen if a run was added after the pools were fixed.
    """
    topics = list(topics)
    needed, allowed, runs = 1, _DEEPEST, 0
    pools = _pools(topics)
    for topic in topics:
        rankings = Ranking.objects.filter(run__study=study, topic=topic).order_by("run__pk")
        places = [_places(ranking) for ranking in rankings]
        least, most = _depths(pools[topic.pk], places)
        needed, allowed, runs = max(needed, least), min(allowed, most), runs + len(places)
    drawn = study.draws.order_by("pk").values_list("depth", flat=True).last()
    depth = needed if drawn is None else drawn
    return depth if runs and needed <= depth <= allowed else None


def _pools(topics: list[Topic]) -> dict[int, dict[str, str]]:
    """Return a dict from each topic's key to the topic's pool, which maps each document to its `anchor`."""
    pools: dict[int, dict[str, str]] = {topic.pk: {} for topic in topics}
    rows = PoolDocument.objects.filter(topic__in=topics)
    for topic, document, anchor in rows.values_list("topic_id", "document__document_id", "anchor"):
        pools[topic][document] = anchor
    return pools


def _places(ranking: Ranking) -> Mapping[str, int]:
    """Return a dict from each document of a ranking to its rank in pooling order, counted from 1."""
    ordered = pooling_order(ranking.document_ids, ranking.scores)
    return {document: place for place, document in enumerate(ordered, start=1)}


def _depths(pool: Mapping[str, str], runs: Iterable[Mapping[str, int]]) -> tuple[int, int]:
    """Return two depths for a topic.

    The first is the smallest depth at which the runs retrieve the whole pool. The second is the largest depth
    at which they retrieve no other document.
    """
    best: dict[str, int] = {}
    for places in runs:
        for document, place in places.items():
            best[document] = min(place, best.get(document, place))
    inside = (best.get(document, _DEEPEST + 1) for document, anchor in pool.items() if not anchor)
    outside = (place - 1 for document, place in best.items() if document not in pool)
    return max(inside, default=1), min(outside, default=_DEEPEST)
