"""The judgments of completed units, in the columns in which data of this kind is published."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Final, NamedTuple

from django.db.models import Q

from judging.core.published.base import Column, Published, Several
from judging.core.published.common import DOCUMENT, SIMULATED, TOPIC, UNIT, WORKER
from judging.core.selectors.judgments import (
    AcceptedJudgment,
    TimeSpent,
    accepted,
    counted,
    grade_values,
    listed,
    time_spent,
    unit_id,
    values_of_levels,
)
from judging.core.selectors.magnitudes import normalised, scores
from judging.models import Judgment, Study
from judging.protocol.states import AssignmentState

SCALE: Final = "magnitude"
PUBLISHED_GRADES: Final = ("trec", "sormunen")
"""Grade sets of these names have a column of their own among the published ones."""
_GRADE: Final = Column("the known grade in the set of that name; empty where the study has none")
_MICROSECONDS: Final = 6


def further_sets(study: Study) -> list[str]:
    """The grade sets of a study that have no column of their own among the published ones."""
    names = study.grade_sets.order_by("place").values_list("name", flat=True)
    return [name for name in names if name not in PUBLISHED_GRADES]


def _of_further_sets(study: Study | None) -> list[Column]:
    """A column for each further set: its own name, unless that is the name of another column already."""
    if study is None:
        meaning = "the known grade in a further set: its name, and `…_grade` where that is another column's"
        return [Column(meaning, name="")]
    return [
        Column("the known grade in a further set", name=f"{name}_grade" if is_column(name) else name)
        for name in further_sets(study)
    ]


class JudgmentRow(NamedTuple):
    """A worker's judgment of a document; what a file did not say is absent."""

    topic_id: Annotated[str, TOPIC]
    unit_id: Annotated[str, UNIT]
    document_id: Annotated[str, DOCUMENT]
    gold: Annotated[
        str, Column("`H` or `N` for the two anchors of the topic, else empty", options=("H", "N", ""))
    ]
    doc_pos: Annotated[
        int | None, Column("the place at which this worker met the document, from 0", "places")
    ]
    worker_id: Annotated[str, WORKER]
    relevance_score: Annotated[float, Column("the magnitude given, 1e-100 … 1e100", "the worker's own")]
    normalized_relevance_score: Annotated[
        float | None,
        Column(
            "the magnitude after normalisation by geometric averaging within the topic; empty for excluded"
            " units",
            "the topic's",
        ),
    ]
    cumulative_time: Annotated[
        float | None,
        Column(
            "time on the document by the server's clock, over all visits, a visit counting at most the"
            " study's limit (15 minutes)",
            "seconds",
        ),
    ]
    comment: Annotated[str, Column("the worker's justification")]
    trec: Annotated[str, _GRADE]
    sormunen: Annotated[str, _GRADE]
    relevance_scale: Annotated[str, Column(f"`{SCALE}`")]
    grades: Annotated[tuple[str, ...], Several(_of_further_sets)]
    raw_input: Annotated[str, Column("what was typed into the box for the magnitude, as it stood")]
    visible_time: Annotated[
        float | None,
        Column("time with the page visible, as the browser says; no check uses it", "seconds"),
    ]
    visits: Annotated[int | None, Column("how often the document was opened", "visits")]
    revisions: Annotated[int | None, Column("how often a whole answer was changed afterwards", "changes")]
    completed_at: Annotated[datetime | None, Column("when the unit was completed")]
    simulated: Annotated[bool, SIMULATED]
    excluded: Annotated[
        bool,
        Column("whether a researcher excluded the unit; always no without `--with-excluded`"),
    ]


def is_column(name: str) -> bool:
    """Whether every study's judgments have a column of this name."""
    return name != "grades" and name in JudgmentRow._fields


def judgment_rows(study: Study, *, with_excluded: bool = False) -> Iterator[JudgmentRow]:
    """The judgments of completed units; those of excluded units only when asked for, and then flagged.

    Left out by default, they cannot slip into a normalisation: the default export normalises to exactly the
    values that stand in it.
    """
    sets, pool_values = further_sets(study), values_of_levels(study)
    for topic, rows in accepted(study, with_excluded=with_excluded):
        completed = Q(assignment__topic=topic, assignment__state=AssignmentState.COMPLETED.value)
        times, grades = time_spent(completed), grade_values(study, [topic.number], pool_values)
        for row, score in zip(rows, normalised(rows), strict=True):
            yield _row(row, score, times.get(row.pk), grades, sets)


def _chosen(study: Study, chosen: Sequence[int]) -> Iterator[JudgmentRow]:
    """These judgments of completed units, by primary key, in this order, normalised within whole topics."""
    sets = further_sets(study)
    by_key = {row.pk: row for row in listed(Judgment.objects.filter(pk__in=chosen).order_by())}
    topics = {row.topic for row in by_key.values()}
    score_of = {
        judgment: score for of_topic in counted(study, topics) for judgment, score in scores(of_topic)
    }
    times = time_spent(Q(judgment__in=chosen))
    grades = grade_values(study, topics, values_of_levels(study))
    rows = (by_key[key] for key in chosen if key in by_key)
    return (_row(row, score_of.get(row.pk), times.get(row.pk), grades, sets) for row in rows)


def _row(
    row: AcceptedJudgment,
    score: float | None,
    spent: TimeSpent | None,
    grades: dict[tuple[str, str, str], str],
    sets: Sequence[str],
) -> JudgmentRow:
    """`score` is the normalised magnitude, `spent` the time on the document; None: a file did not say."""
    trec, sormunen = (grades.get((row.topic, name, row.document), "") for name in PUBLISHED_GRADES)
    return JudgmentRow(
        topic_id=row.topic,
        unit_id=unit_id(row.topic, row.unit),
        document_id=row.document,
        gold=row.anchor,
        doc_pos=row.position,
        worker_id=row.worker,
        relevance_score=row.magnitude,
        normalized_relevance_score=score,
        # Visits are whole microseconds; what a sum has beyond them differs from database to database.
        cumulative_time=None if spent is None else round(spent.seconds, _MICROSECONDS),
        comment=row.justification,
        trec=trec,
        sormunen=sormunen,
        relevance_scale=SCALE,
        grades=tuple(grades.get((row.topic, name, row.document), "") for name in sets),
        raw_input=row.raw_input,
        visible_time=row.visible_seconds,
        visits=None if spent is None or row.from_file else spent.visits,
        revisions=row.revisions,
        completed_at=row.completed_at,
        simulated=row.simulated,
        excluded=row.excluded_at is not None,
    )


JUDGMENTS: Final = Published(
    "judgments",
    "Magnitudes, normalised too, with times and justifications.",
    JudgmentRow,
    judgment_rows,
    place=1,
    chosen=_chosen,
)
