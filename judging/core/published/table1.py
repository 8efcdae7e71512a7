"""Table 1 of [T15]: each topic's documents, units, anchors, uses of the Back button and failed checks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple

from django.db.models import Count, Q

from judging.core.published.common import sizes_and_anchors
from judging.core.published.table import Column, Kind, Published, Several
from judging.core.selectors.attempts import counted_attempts
from judging.core.selectors.judgments import topics_sorted
from judging.core.selectors.kinds import Kinds
from judging.models import PoolDocument, Study
from judging.protocol.checks import unit_checks
from judging.protocol.checks.check import UnitCheck
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

TOTAL = "all"


@dataclass(frozen=True)
class Counted:
    """Three columns that count units: those without an incident, with one incident, and with several.

    `singular` and `plural` name the kind of incident. `times` holds a condition for each column. The
    condition selects the units that the column counts.
    """

    name: str
    heading: Sentence
    singular: str
    plural: str
    times: tuple[Q, Q, Q]

    @property
    def columns(self) -> list[Column]:
        how_often = (
            ("0", f"no {self.singular}"),
            ("1", f"one {self.singular}"),
            ("2_or_more", f"two or more {self.plural}"),
        )
        return [
            Column(f"units with {meaning}", "units", name=f"{self.name}_{times}", kind=Kind.WHOLE, null=True)
            for times, meaning in how_often
        ]


def counted() -> list[Counted]:
    """Return the groups of three columns in order: uses of the Back button, then each check."""
    back = Q(back_uses=0), Q(back_uses=1), Q(back_uses__gte=2)
    return [
        Counted("back", Sentence(_("Back used")), "use of the back button", "uses of the back button", back),
        *map(_failures, unit_checks()),
    ]


def _failures(check: UnitCheck) -> Counted:
    failed_check = f"of check ({check.letter}: {check.name.lower()})"
    key = f"failed_checks__{check.letter}"
    never = Q(failed_checks__isnull=False) & ~Q(failed_checks__has_key=check.letter)
    times = never, Q(**{key: 1}), Q(**{f"{key}__gte": 2})
    return Counted(
        f"failed_{check.letter}",
        Sentence(_("({check}) failed"), {"check": check.letter}),
        f"failure {failed_check}",
        f"failures {failed_check}",
        times,
    )


def _columns(study: Study | None) -> list[Column]:
    return [column for group in counted() for column in group.columns]


class Table1Row(NamedTuple):
    """A topic, or the total. `times` holds three numbers for each kind of incident (see `Counted`).

    Incidents in imported units are unknown, so the three numbers add up to the number of all other units. If
    all units were imported, the three numbers are None.
    """

    topic_id: Annotated[str, Column("the topic's number, or `all` in the last row")]
    documents: Annotated[int, Column("documents in the pool, including the anchors", "documents")]
    units: Annotated[
        int, Column("units whose judgments count: completed, and neither excluded nor deleted", "units")
    ]
    h_id: Annotated[
        str, Column("the id of the anchor of grade H; with two pairs, both ids with a space between")
    ]
    n_id: Annotated[
        str, Column("the id of the anchor of grade N; with two pairs, both ids with a space between")
    ]
    times: Annotated[tuple[int | None, ...], Several(_columns)]


def table1(study: Study, kinds: Kinds = None) -> list[Table1Row]:
    """Return a row for each topic, sorted by number, and a last row with the sums."""
    sizes, anchors = sizes_and_anchors(PoolDocument.objects.filter(topic__study=study))
    counts, none = _counts(study, kinds), (0, (0,) * len(_columns(study)))
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


def _counts(study: Study, kinds: Kinds) -> dict[int, tuple[int, tuple[int | None, ...]]]:
    """Return a dict from the key of each topic to its number of units and its `times`."""
    counts = {
        f"{group.name}_times_{place}": Count("pk", filter=condition)
        for group in counted()
        for place, condition in enumerate(group.times)
    }
    rows = (
        counted_attempts(study, kinds)
        .values_list("topic_id")
        .annotate(units=Count("pk"), judged_here=Count("failed_finishes"), **counts)
    )
    return {
        topic: (units, tuple(times) if judged_here else (None,) * len(times))
        for topic, units, judged_here, *times in rows
    }


def _total(rows: list[Table1Row]) -> Table1Row:
    def total(numbers: Sequence[int | None]) -> int | None:
        """Return the sum of the numbers that are known, or None if all units were imported."""
        unknown = None in numbers and not any(row.units and row.times[0] is not None for row in rows)
        return None if unknown else sum(number or 0 for number in numbers)

    none = (0,) * len(_columns(None))
    times = tuple(map(total, zip(none, *(row.times for row in rows), strict=True)))
    return Table1Row(TOTAL, sum(row.documents for row in rows), sum(row.units for row in rows), "", "", times)


TABLE1: Final = Published(
    "table1",
    _("One row per topic, with its documents, units, anchors, uses of the Back button and failed checks."),
    Table1Row,
    table1,
    place=6,
    of_kinds=table1,
)
