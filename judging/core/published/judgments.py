"""The judgments of completed units. Most columns have the names that published collections use."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Final, NamedTuple

from django.db.models import Q

from judging.core.published.common import DOCUMENT, GOLD, INCLUSION, SIMULATED, TOPIC, UNIT, WORKER
from judging.core.published.table import Column, Published, Several
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
from judging.core.selectors.kinds import Kinds
from judging.core.selectors.magnitudes import normalised, scores
from judging.models import Judgment, Study
from judging.protocol.anchor_pairs import gold
from judging.protocol.judges import is_simulated
from judging.protocol.scales import SCALES
from judging.protocol.states import AssignmentState
from judging.protocol.words import gettext_noop as _

_SCALES: Final = " or ".join(f"`{name}`" for name in SCALES)
PUBLISHED_GRADES: Final = ("trec", "sormunen")
"""Grade sets with these names always have their own columns."""
GRADE: Final = Column("the known grade from the set of this name; empty if there is none")
_MICROSECONDS: Final = 6


def further_sets(study: Study) -> list[str]:
    """Return the names of a study's grade sets that are not among `PUBLISHED_GRADES`."""
    names = study.grade_sets.order_by("place").values_list("name", flat=True)
    return [name for name in names if name not in PUBLISHED_GRADES]


def of_further_sets(study: Study | None) -> list[Column]:
    """Return a column for each further grade set. The column has the name of the set.

    If the judgments of every study already have a column with this name, call the new column `NAME_grade`.
    If the study is None, return one column for the documentation.
    """
    if study is None:
        meaning = "the known grade from a further set, in a column with its name, or `NAME_grade` if in use"
        return [Column(meaning, name="")]
    return [
        Column("the known grade from a further set", name=f"{name}_grade" if is_column(name) else name)
        for name in further_sets(study)
    ]


class JudgmentRow(NamedTuple):
    """A worker's judgment of a document. In an imported judgment, values that the file lacked are empty."""

    topic_id: Annotated[str, TOPIC]
    unit_id: Annotated[str, UNIT]
    document_id: Annotated[str, DOCUMENT]
    gold: Annotated[str, GOLD]
    doc_pos: Annotated[
        int | None,
        Column("the position of the document in the unit as the worker saw it, from 0", "positions"),
    ]
    worker_id: Annotated[str, WORKER]
    relevance_score: Annotated[
        float,
        Column(
            "the number that the worker entered: a magnitude from 1e-100 to 1e100 or, if the judgment"
            " compares two documents, the points of `document_id`: 1, 0.5 or 0",
            "the worker's own scale",
        ),
    ]
    normalized_relevance_score: Annotated[
        float | None,
        Column(
            "the magnitude after normalisation by geometric averaging within the topic, or the same points;"
            " empty for excluded units",
            "the topic's scale",
        ),
    ]
    cumulative_time: Annotated[
        float | None,
        Column(
            "the time on the document, summed over all visits, by the server's clock; each visit counts up to"
            " the study's limit (15 minutes)",
            "seconds",
        ),
    ]
    comment: Annotated[str, Column("the worker's justification")]
    trec: Annotated[str, GRADE]
    sormunen: Annotated[str, GRADE]
    relevance_scale: Annotated[str, Column(f"the study's scale: {_SCALES}")]
    grades: Annotated[tuple[str, ...], Several(of_further_sets)]
    raw_input: Annotated[str, Column("the text in the box for the magnitude, exactly as typed")]
    visible_time: Annotated[
        float | None,
        Column("the time with the page visible, as reported by the browser; no check uses it", "seconds"),
    ]
    pasted: Annotated[
        float | None,
        Column(
            "the share of the justification's characters that were pasted, from 0 to 1, as reported by the"
            " browser; empty if the study does not keep it, or if it is unknown",
            "share",
        ),
    ]
    visits: Annotated[int | None, Column("how many times the document was opened", "visits")]
    revisions: Annotated[int | None, Column("how many times a complete answer was changed later", "changes")]
    completed_at: Annotated[datetime | None, Column("when the unit was completed")]
    simulated: Annotated[bool, SIMULATED]
    excluded: Annotated[
        bool,
        Column("whether a researcher excluded the unit; always false without `--with-excluded`"),
    ]
    inclusion: Annotated[float, INCLUSION]
    highlight: Annotated[
        str, Column("the passage that decided, as the worker marked or typed it; empty if there is none")
    ]
    highlight_start: Annotated[
        int | None,
        Column(
            "the first character of the passage in the text that the page shows, from 0; empty if the passage"
            " is not in the text",
            "characters",
        ),
    ]
    highlight_end: Annotated[int | None, Column("the character after the passage", "characters")]
    compared_with: Annotated[
        str,
        Column("on scales that compare two documents, the id of the second document; otherwise empty"),
    ]


def is_column(name: str) -> bool:
    """Return whether the judgments of every study have a column with this name."""
    return name != "grades" and name in JudgmentRow._fields


def judgment_rows(study: Study, kinds: Kinds = None, *, with_excluded: bool = False) -> Iterator[JudgmentRow]:
    """Yield the judgments of completed units. If `with_excluded` is true, include and mark excluded units.

    If it is false, normalising the exported magnitudes gives exactly the exported normalised values.
    """
    sets, pool_values = further_sets(study), values_of_levels(study)
    for topic, rows in accepted(study, with_excluded=with_excluded, kinds=kinds):
        completed = Q(assignment__topic=topic, assignment__state=AssignmentState.COMPLETED.value)
        times, grades = time_spent(completed), grade_values(study, [topic.number], pool_values)
        for row, score in zip(rows, normalised(study, rows), strict=True):
            yield _row(study, row, score, times.get(row.pk), grades, sets)


def _chosen(study: Study, chosen: Sequence[int]) -> Iterator[JudgmentRow]:
    """Return the judgments with these primary keys, in this order.

    Normalise each magnitude using all judgments of its topic, not only the judgments that are returned.
    """
    sets = further_sets(study)
    by_key = {row.pk: row for row in listed(Judgment.objects.filter(pk__in=chosen).order_by())}
    topics = {row.topic for row in by_key.values()}
    score_of = {
        judgment: score for of_topic in counted(study, topics) for judgment, score in scores(study, of_topic)
    }
    times = time_spent(Q(judgment__in=chosen))
    grades = grade_values(study, topics, values_of_levels(study))
    rows = (by_key[key] for key in chosen if key in by_key)
    return (_row(study, row, score_of.get(row.pk), times.get(row.pk), grades, sets) for row in rows)


def _row(
    study: Study,
    row: AcceptedJudgment,
    score: float | None,
    spent: TimeSpent | None,
    grades: dict[tuple[str, str, str], str],
    sets: Sequence[str],
) -> JudgmentRow:
    """Return a row. `score` is the normalised magnitude. `spent` is None if the time is unknown."""
    trec, sormunen = (grades.get((row.topic, name, row.document), "") for name in PUBLISHED_GRADES)
    return JudgmentRow(
        topic_id=row.topic,
        unit_id=unit_id(row.topic, row.unit),
        document_id=row.document,
        gold=gold(row.anchor),
        doc_pos=row.position,
        worker_id=row.worker,
        relevance_score=row.number,
        normalized_relevance_score=score,
        # The times of visits are whole microseconds. More digits in a sum would depend on the database.
        cumulative_time=None if spent is None else round(spent.seconds, _MICROSECONDS),
        comment=row.justification,
        trec=trec,
        sormunen=sormunen,
        relevance_scale=study.scale,
        grades=tuple(grades.get((row.topic, name, row.document), "") for name in sets),
        raw_input=row.raw_input,
        visible_time=row.visible_seconds,
        pasted=row.pasted,
        visits=None if spent is None or row.from_file else spent.visits,
        revisions=row.revisions,
        completed_at=row.completed_at,
        simulated=is_simulated(row.kind),
        excluded=row.excluded_at is not None,
        inclusion=row.inclusion,
        highlight=row.highlight,
        highlight_start=row.highlight_start,
        highlight_end=row.highlight_end,
        compared_with=row.compared_with,
    )


JUDGMENTS: Final = Published(
    "judgments",
    _("Judgments, as entered and normalised, with times and reasons."),
    JudgmentRow,
    judgment_rows,
    place=1,
    of_kinds=judgment_rows,
    chosen=_chosen,
)
