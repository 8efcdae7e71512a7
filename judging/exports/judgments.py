"""The judgments and the gains made of them, in the columns in which data of this kind is published."""

from collections.abc import Iterator, Sequence
from typing import Final

from django.db.models import Q

from evaluation.frames import Gains
from judging.analysis.magnitudes import gains_by_topic, normalised
from judging.exports.tables import Cell, Table
from judging.intake.columns import OWN, PUBLISHED, PUBLISHED_GRADES
from judging.models import Study
from judging.protocol.states import AssignmentState
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
GAIN_COLUMNS: Final = ("topic_id", "iteration", "document_id", "gain")


def judgments_table(study: Study, *, with_excluded: bool = False) -> Table:
    """The judgments of completed units; those of excluded units only when asked for, and then flagged.

    Left out by default, they cannot slip into a normalisation: the default export normalises to exactly the
    values that stand in it.
    """
    sets = further_sets(study)
    return Table(judgment_columns(sets), _judgment_rows(study, sets, with_excluded))


def gains_table(study: Study) -> Table:
    """Return the columns of qrels, with real-valued gains."""
    rows = (row for gains in gains_by_topic(study) for row in gain_rows(gains))
    return Table(GAIN_COLUMNS, rows)


def gain_rows(gains: Gains) -> Iterator[tuple[str, str, str, float]]:
    """Gains in the order of `GAIN_COLUMNS`."""
    return ((topic, "0", document, gain) for topic, document, gain in gains.table.iter_rows())


def further_sets(study: Study) -> list[str]:
    """The grade sets of a study that have no column of their own among the published ones."""
    names = study.grade_sets.order_by("place").values_list("name", flat=True)
    return [name for name in names if name not in PUBLISHED_GRADES]


def judgment_columns(sets: Sequence[str]) -> list[str]:
    """The columns of judgments, with one for each further set of grades."""
    return [*PUBLISHED, *(_column(name) for name in sets), *OWN]


def _column(grade_set: str) -> str:
    """The column of a grade set: its own name, unless that is the name of another column already."""
    return f"{grade_set}_grade" if grade_set in (*PUBLISHED, *OWN) else grade_set


def _judgment_rows(study: Study, sets: list[str], with_excluded: bool) -> Iterator[list[Cell]]:
    pool_values = values_of_levels(study)
    for topic, rows in accepted(study, with_excluded=with_excluded):
        completed = Q(assignment__topic=topic, assignment__state=AssignmentState.COMPLETED.value)
        times, grades = time_spent(completed), grade_values(study, [topic.number], pool_values)
        for row, score in zip(rows, normalised(rows), strict=True):
            yield judgment_cells(row, score, times.get(row.pk), grades, sets)


def judgment_cells(
    row: AcceptedJudgment,
    score: float | None,
    spent: TimeSpent | None,
    grades: dict[tuple[str, str, str], str],
    sets: Sequence[str],
) -> list[Cell]:
    """Return one row of judgments, in the order of `judgment_columns`.

    `score` is the normalised magnitude, `spent` the time on the document, None where a file did not say.
    """
    return [
        row.topic,
        unit_id(row.topic, row.unit),
        row.document,
        row.anchor,
        row.position,
        row.worker,
        row.magnitude,
        score,
        # Visits are whole microseconds; what a sum has beyond them differs from database to database.
        None if spent is None else round(spent.seconds, _MICROSECONDS),
        row.justification,
        *(grades.get((row.topic, name, row.document), "") for name in PUBLISHED_GRADES),
        SCALE,
        *(grades.get((row.topic, name, row.document), "") for name in sets),
        row.raw_input,
        row.visible_seconds,
        None if spent is None or row.from_file else spent.visits,
        row.revisions,
        row.completed_at,
        row.simulated,
        row.excluded_at is not None,
    ]
