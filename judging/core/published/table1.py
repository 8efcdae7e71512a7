"""Table 1 of [T15]: documents, units, anchors, and how often back was used and a check failed, per topic."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple

from django.db.models import Count, Q

from judging.core.published.base import Column, Kind, Published, Several
from judging.core.published.common import sizes_and_anchors
from judging.core.selectors.attempts import counted_attempts
from judging.core.selectors.judgments import topics_sorted
from judging.models import PoolDocument, Study
from judging.protocol.checks import unit_checks
from judging.protocol.checks.base import UnitCheck

TOTAL = "all"


@dataclass(frozen=True)
class Counted:
    """What an attempt does never, once, or more often: three columns, each counting units."""

    name: str
    heading: str
    once: str
    often: str
    times: tuple[Q, Q, Q]

    @property
    def columns(self) -> list[Column]:
        how_often = (
            ("0", f"no {self.once}"),
            ("1", f"one {self.once}"),
            ("2_or_more", f"two or more {self.often}"),
        )
        return [
            Column(f"units with {meaning}", "units", name=f"{self.name}_{times}", kind=Kind.WHOLE, null=True)
            for times, meaning in how_often
        ]


def counted() -> list[Counted]:
    """Return what Table 1 counts, in the order of its columns."""
    back = Q(back_uses=0), Q(back_uses=1), Q(back_uses__gte=2)
    return [Counted("back", "Back used", "use of back", "uses of back", back), *map(_failures, unit_checks())]


def _failures(check: UnitCheck) -> Counted:
    of = f"of check ({check.letter}), the {check.name.lower()}"
    key = f"failed_checks__{check.letter}"
    never = Q(failed_checks__isnull=False) & ~Q(failed_checks__has_key=check.letter)
    times = never, Q(**{key: 1}), Q(**{f"{key}__gte": 2})
    return Counted(
        f"failed_{check.letter}", f"({check.letter}) failed", f"failure {of}", f"failures {of}", times
    )


def _columns(study: Study | None) -> list[Column]:
    return [column for one in counted() for column in one.columns]


class Table1Row(NamedTuple):
    """One topic, or the total. `units` are those whose judgments count; each triple of `times` adds up to it.

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
    times: Annotated[tuple[int | None, ...], Several(_columns)]


def table1(study: Study) -> list[Table1Row]:
    """A row per topic, sorted by number, and a last one with the sums. `documents` counts the anchors too."""
    sizes, anchors = sizes_and_anchors(PoolDocument.objects.filter(topic__study=study))
    counts, none = _counts(study), (0, (0,) * len(_columns(study)))
    rows = [
        Table1Row(
            topic.number,
            sizes.get(topic.pk, 0),
            units,
            anchors.get((topic.pk, "H"), ""),
            anchors.get((topic.pk, "N"), ""),
            times,
        )
        for topic in topics_sorted(study)
        for units, times in [counts.get(topic.pk, none)]
    ]
    return [*rows, _total(rows)]


def _counts(study: Study) -> dict[int, tuple[int, tuple[int | None, ...]]]:
    """Return topic → units, and what the columns of `times` count of them."""
    counts = {
        f"{one.name}_times_{place}": Count("pk", filter=condition)
        for one in counted()
        for place, condition in enumerate(one.times)
    }
    rows = (
        counted_attempts(study)
        .values_list("topic_id")
        .annotate(units=Count("pk"), judged_here=Count("failed_finishes"), **counts)
    )
    return {
        topic: (units, tuple(times) if judged_here else (None,) * len(times))
        for topic, units, judged_here, *times in rows
    }


def _total(rows: list[Table1Row]) -> Table1Row:
    def total(numbers: Sequence[int | None]) -> int | None:
        """Return the sum of what is known; None where no topic with units knows anything."""
        unknown = None in numbers and not any(row.units and row.times[0] is not None for row in rows)
        return None if unknown else sum(number or 0 for number in numbers)

    none = (0,) * len(_columns(None))
    times = tuple(map(total, zip(none, *(row.times for row in rows), strict=True)))
    return Table1Row(TOTAL, sum(row.documents for row in rows), sum(row.units for row in rows), "", "", times)


TABLE1: Final = Published(
    "table1",
    "Documents, units, anchors, uses of back and failed checks per topic.",
    Table1Row,
    table1,
    place=6,
)
