"""The judgments and the gains made of them, in the columns in which data of this kind is published."""

from collections.abc import Iterator
from typing import Final

from judging.analysis.magnitudes import gains_by_topic, normalised
from judging.exports.tables import Cell, Table
from judging.intake.columns import OWN, PUBLISHED, PUBLISHED_GRADES
from judging.models import Study, Topic
from judging.selectors.judgments import (
    AcceptedJudgment,
    TimeSpent,
    accepted,
    grade_values,
    time_spent,
    unit_id,
    values_of_levels,
)

SCALE: Final = "magnitude"
_MICROSECONDS: Final = 6


def judgments_table(study: Study, *, with_excluded: bool = False) -> Table:
    """The judgments of completed units; those of excluded units only when asked for, and then flagged.

    Left out by default, they cannot slip into a normalisation: the default export normalises to exactly the
    values that stand in it.
    """
    sets = [
        name
        for name in study.grade_sets.order_by("place").values_list("name", flat=True)
        if name not in PUBLISHED_GRADES
    ]
    columns = [*PUBLISHED, *(_column(name) for name in sets), *OWN]
    return Table(columns, _judgment_rows(study, sets, with_excluded))


def gains_table(study: Study) -> Table:
    """The qrels layout, with real-valued gains and without a header."""
    rows = (
        (topic, "0", document, gain)
        for gains in gains_by_topic(study)
        for topic, document, gain in gains.table.iter_rows()
    )
    return Table(("topic_id", "iteration", "document_id", "gain"), rows, header=False)


def _column(grade_set: str) -> str:
    """The column of a grade set: its own name, unless that is the name of another column already."""
    return f"{grade_set}_grade" if grade_set in (*PUBLISHED, *OWN) else grade_set


def _judgment_rows(study: Study, sets: list[str], with_excluded: bool) -> Iterator[list[Cell]]:
    pool_values = values_of_levels(study)
    for topic, rows in accepted(study, with_excluded=with_excluded):
        yield from _topic_rows(topic, rows, sets, grade_values(topic, pool_values))


def _topic_rows(
    topic: Topic, rows: list[AcceptedJudgment], sets: list[str], grades: dict[tuple[str, str], str]
) -> Iterator[list[Cell]]:
    times = time_spent(topic)
    for row, score in zip(rows, normalised(rows), strict=True):
        spent = times.get(row.pk, TimeSpent(0.0, 0))
        yield [
            row.topic,
            unit_id(row.topic, row.unit),
            row.document,
            row.anchor,
            row.position,
            row.worker,
            row.magnitude,
            score,
            # Visits are whole microseconds; what a sum has beyond them differs from database to database.
            round(spent.seconds, _MICROSECONDS),
            row.justification,
            *(grades.get((name, row.document), "") for name in PUBLISHED_GRADES),
            SCALE,
            *(grades.get((name, row.document), "") for name in sets),
            row.raw_input,
            row.visible_seconds,
            spent.visits,
            row.revisions,
            row.completed_at,
            row.simulated,
            row.excluded_at is not None,
        ]
