"""The documents whose judgments fit another grade better than their own, with researchers' verdicts."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, Final, NamedTuple

from evaluation.frames import Gains
from judging.core.published.common import DOCUMENT, TOPIC
from judging.core.published.table import Column, Published
from judging.core.selectors.judgments import counted, in_order, topics_sorted
from judging.core.selectors.magnitudes import gains_have_ratios, topic_gains
from judging.core.selectors.verdicts import StoredVerdict, verdicts_of
from judging.models import GradeSet, KnownGrade, PoolDocument, Study, Topic
from judging.protocol.grades import gain_of
from judging.protocol.verdicts import Verdict
from judging.protocol.words import gettext_noop as _

_UNIT: Final = "the topic's scale"


class DisagreementRow(NamedTuple):
    """A document that fits another grade, or that has a verdict although it no longer does.

    In the second case, the fields from `nearest` to `difference` are None.
    """

    topic_id: Annotated[str, TOPIC]
    grades: Annotated[str, Column("the name of the set of known grades")]
    document_id: Annotated[str, DOCUMENT]
    grade: Annotated[str, Column("the document's level in this set: `N`, `M`, `R` or `H`, or a number")]
    nearest: Annotated[
        str | None,
        Column(
            "the level whose median is nearest; this and the next columns are empty if the document fits its"
            " own grade, but has a verdict from earlier"
        ),
    ]
    gain: Annotated[float | None, Column("the median of its normalised magnitudes, not rounded", _UNIT)]
    own_median: Annotated[
        float | None, Column("the median gain of the topic's judged documents with its own level", _UNIT)
    ]
    nearest_median: Annotated[float | None, Column("the median gain of those with the nearest level", _UNIT)]
    difference: Annotated[
        float | None,
        Column(
            "how much farther the gain is from `own_median` than from `nearest_median`: a difference of"
            " logarithms or, for ratings, of ratings"
        ),
    ]
    verdict: Annotated[
        str,
        Column(
            "`crowd_wrong`, `expert_wrong` or `topic_unclear`; empty without a verdict",
            options=(*(verdict.value for verdict in Verdict), ""),
        ),
    ]
    note: Annotated[str, Column("the researcher's note on the verdict")]
    decided_at: Annotated[datetime | None, Column("when the verdict was last changed", "UTC")]


def disagreement_rows(study: Study) -> Iterator[DisagreementRow]:
    """Yield the disagreements by topic, set of known grades and document. Only one topic is in memory."""
    sets = list(study.grade_sets.order_by("place"))
    verdicts: dict[tuple[str, str], dict[str, StoredVerdict]] = {}
    for verdict in verdicts_of(study):
        verdicts.setdefault((verdict.topic, verdict.grades), {})[verdict.document] = verdict
    for topic in topics_sorted(study) if sets else ():
        rows = next(counted(study, [topic.number]), [])
        gains = topic_gains(study, in_order(rows)) if rows else Gains({})
        for grades in sets:
            yield from _of_set(study, topic, grades, gains, verdicts.get((topic.number, grades.name), {}))


def _of_set(
    study: Study, topic: Topic, grades: GradeSet, gains: Gains, verdicts: Mapping[str, StoredVerdict]
) -> Iterator[DisagreementRow]:
    # This module loads scipy, which takes a second.
    from evaluation.analyses import disagreements

    levels = _levels(topic, grades)
    by_gain = {gain_of(level): level for level in levels.values()}
    names = sorted(levels)
    known = Gains.from_columns([topic.number] * len(names), names, [gain_of(levels[name]) for name in names])
    table = disagreements(gains, known, log=gains_have_ratios(study))
    listed: dict[str, dict[str, Any]] = {row["document_id"]: row for row in table.iter_rows(named=True)}
    for name in sorted({*listed, *verdicts}):
        row, verdict = listed.get(name, {}), verdicts.get(name)
        yield DisagreementRow(
            topic_id=topic.number,
            grades=grades.name,
            document_id=name,
            grade=levels.get(name, ""),
            nearest=by_gain[row["nearest"]] if row else None,
            gain=row.get("value"),
            own_median=row.get("own_median"),
            nearest_median=row.get("nearest_median"),
            difference=row.get("difference"),
            verdict=verdict.verdict if verdict else "",
            note=verdict.note if verdict else "",
            decided_at=verdict.decided_at if verdict else None,
        )


def _levels(topic: Topic, grades: GradeSet) -> dict[str, str]:
    """Return the level of each graded document of a topic. The first set grades only the pool."""
    if grades.place:
        rows = KnownGrade.objects.filter(grade_set=grades, topic=topic).order_by()
        return dict(rows.values_list("document_id", "level"))
    pool = PoolDocument.objects.filter(topic=topic).exclude(grade="").order_by()
    return dict(pool.values_list("document__document_id", "grade"))


DISAGREEMENTS: Final = Published(
    "disagreements",
    _("Documents that workers judged like documents of another grade, with the researchers’ verdicts."),
    DisagreementRow,
    disagreement_rows,
    place=10,
)
