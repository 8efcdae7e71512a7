"""The depth of a stored study's pools: told from its runs, where they give the very same pools anew."""

from collections.abc import Iterable, Mapping
from typing import Final

from judging.core.intake.readers.runs import pooling_order
from judging.models import PoolDocument, Ranking, Study, Topic

_DEEPEST: Final = 10_000


def pool_depth(study: Study, topics: Iterable[Topic]) -> int | None:
    """The least depth whose pools, with the anchors, are those stored; None where there is none.

    There is none where the pools came as a list, where a run came later and gave nothing to pools that were
    settled, and where documents without a text were left out of them.
    """
    wanted = list(topics)
    needed, allowed, runs = 1, _DEEPEST, 0
    pools = _pools(wanted)
    for topic in wanted:
        rankings = Ranking.objects.filter(run__study=study, topic=topic).order_by("run__pk")
        firsts = [_first_at(ranking) for ranking in rankings]
        least, most = _depths(pools[topic.pk], firsts)
        needed, allowed, runs = max(needed, least), min(allowed, most), runs + len(firsts)
    return needed if runs and needed <= allowed else None


def _pools(topics: list[Topic]) -> dict[int, dict[str, str]]:
    """Topic → document → the anchor that it is, or nothing."""
    pools: dict[int, dict[str, str]] = {topic.pk: {} for topic in topics}
    rows = PoolDocument.objects.filter(topic__in=topics)
    for topic, document, anchor in rows.values_list("topic_id", "document__document_id", "anchor"):
        pools[topic][document] = anchor
    return pools


def _first_at(ranking: Ranking) -> Mapping[str, int]:
    """Document → its place from 1, as pooling ranks it."""
    ordered = pooling_order(ranking.document_ids, ranking.scores)
    return {document: place for place, document in enumerate(ordered, start=1)}


def _depths(pool: Mapping[str, str], firsts: Iterable[Mapping[str, int]]) -> tuple[int, int]:
    """The least depth that gives the whole pool, and the greatest that gives nothing beside it."""
    places: dict[str, int] = {}
    for first in firsts:
        for document, place in first.items():
            places[document] = min(place, places.get(document, place))
    inside = (places.get(document, _DEEPEST + 1) for document, anchor in pool.items() if not anchor)
    outside = (place - 1 for document, place in places.items() if document not in pool)
    return max(inside, default=1), min(outside, default=_DEEPEST)
