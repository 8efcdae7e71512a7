"""Table 1 of [T15]: documents, units, anchors, and how often back was used and a check failed, per topic."""

from typing import Annotated, Final, NamedTuple

from django.db.models import Count, Q

from judging.models import PoolDocument, Study
from judging.selectors.attempts import counted_attempts
from judging.selectors.judgments import topics_sorted
from judging.selectors.published.base import Column, Published

TOTAL = "all"


class Table1Row(NamedTuple):
    """One topic, or the total. `units` are those whose judgments count; each triple adds up to it.

    Units that came in a file are in no triple: how often back was used there, or a check failed, is unknown.
    A triple without any other unit is empty.
    """

    topic_id: Annotated[str, Column("the topic's number, or `all` in the last row")]
    documents: Annotated[int, Column("documents in the pool, the two anchors among them", "documents")]
    units: Annotated[
        int, Column("units whose judgments count: completed, neither excluded nor deleted", "units")
    ]
    h_id: Annotated[str, Column("the id of the anchor of grade H")]
    n_id: Annotated[str, Column("the id of the anchor of grade N")]
    back_0: Annotated[int | None, Column("units with no use of back", "units")]
    back_1: Annotated[int | None, Column("units with one use of back", "units")]
    back_2_or_more: Annotated[int | None, Column("units with two or more uses of back", "units")]
    failed_c_0: Annotated[int | None, Column("units with no failure of check (c), the anchors", "units")]
    failed_c_1: Annotated[int | None, Column("units with one failure of check (c), the anchors", "units")]
    failed_c_2_or_more: Annotated[
        int | None, Column("units with two or more failures of check (c), the anchors", "units")
    ]
    failed_d_0: Annotated[int | None, Column("units with no failure of check (d), the time", "units")]
    failed_d_1: Annotated[int | None, Column("units with one failure of check (d), the time", "units")]
    failed_d_2_or_more: Annotated[
        int | None, Column("units with two or more failures of check (d), the time", "units")
    ]


_COUNTED = ("back_uses", "failed_c", "failed_d")


def table1(study: Study) -> list[Table1Row]:
    """A row per topic, sorted by number, and a last one with the sums. `documents` counts the anchors too."""
    pools = PoolDocument.objects.filter(topic__study=study).order_by()
    sizes = dict(pools.values_list("topic_id").annotate(count=Count("pk")))
    anchors = {
        (topic, anchor): document
        for topic, anchor, document in pools.exclude(anchor="").values_list(
            "topic_id", "anchor", "document__document_id"
        )
    }
    counts = _counts(study)
    rows = [
        Table1Row(
            topic.number,
            sizes.get(topic.pk, 0),
            units,
            anchors.get((topic.pk, "H"), ""),
            anchors.get((topic.pk, "N"), ""),
            *triples,
        )
        for topic in topics_sorted(study)
        for units, *triples in [counts.get(topic.pk, _NO_UNITS)]
    ]
    return [*rows, _total(rows)]


_CELLS = 3 * len(_COUNTED)
_NO_UNITS = (0,) * (1 + _CELLS)


def _counts(study: Study) -> dict[int, tuple[int | None, ...]]:
    """Return topic → units, then the nine counts in the order of the columns."""
    counted = {
        f"{field}_{name}": Count("pk", filter=Q(**{f"{field}{lookup}": number}))
        for field in _COUNTED
        for name, lookup, number in (("none", "", 0), ("once", "", 1), ("more", "__gte", 2))
    }
    rows = counted_attempts(study).values_list("topic_id")
    return {
        topic: (units, *(triples if judged_here else (None,) * _CELLS))
        for topic, units, judged_here, *triples in rows.annotate(
            units=Count("pk"), judged_here=Count("failed_finishes"), **counted
        )
    }


def _total(rows: list[Table1Row]) -> Table1Row:
    def total(column: str) -> int | None:
        """Return the sum of what is known; None where no topic with units knows anything."""
        values = [getattr(row, column) for row in rows]
        unknown = None in values and not any(row.units and row.back_0 is not None for row in rows)
        return None if unknown else sum(value or 0 for value in values)

    sums = {
        column: total(column) for column in Table1Row._fields if column not in ("topic_id", "h_id", "n_id")
    }
    return Table1Row(topic_id=TOTAL, h_id="", n_id="", **sums)


TABLE1: Final = Published(
    "table1",
    "Documents, units, anchors, uses of back and failed checks per topic.",
    Table1Row,
    table1,
    place=6,
)
