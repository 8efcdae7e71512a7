"""The judgments as a data set with soft labels: one row per document, with the label of every worker."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Final, NamedTuple

from judging.core.published.common import DOCUMENT, GOLD, TOPIC
from judging.core.published.judgments import GRADE, PUBLISHED_GRADES, further_sets, of_further_sets
from judging.core.published.table import Column, Objects, Published, Several
from judging.core.selectors.judgments import (
    AcceptedJudgment,
    accepted,
    grade_values,
    unit_id,
    values_of_levels,
)
from judging.core.selectors.kinds import Kinds
from judging.core.selectors.magnitudes import normalised, topic_gains
from judging.models import Study
from judging.protocol.anchor_pairs import gold
from judging.protocol.words import gettext_noop as _


class SoftLabelRow(NamedTuple):
    """A judged document of a topic, with all judgments that count."""

    topic_id: Annotated[str, TOPIC]
    topic_title: Annotated[str, Column("the topic's title")]
    document_id: Annotated[str, DOCUMENT]
    gold: Annotated[str, GOLD]
    trec: Annotated[str, GRADE]
    sormunen: Annotated[str, GRADE]
    grades: Annotated[tuple[str, ...], Several(of_further_sets)]
    gain: Annotated[
        float, Column("the median of the document's normalised magnitudes, not rounded", "the topic's scale")
    ]
    judgments: Annotated[int, Column("how many judgments the document has", "judgments")]
    labels: Annotated[
        Objects,
        Column(
            "a list of the judgments by unit and worker, each with `worker_id`, `unit_id`, `relevance_score`,"
            " `normalized_relevance_score` and `comment`, as in the export of judgments; a judgment that"
            " compares two documents is a label of both, with the points of this document and, in"
            " `compared_with`, the id of the other one"
        ),
    ]


def soft_label_rows(study: Study, kinds: Kinds = None) -> Iterator[SoftLabelRow]:
    """Yield the judged documents, sorted by topic and document. Only one topic is in memory at a time."""
    sets, pool_values = [*PUBLISHED_GRADES, *further_sets(study)], values_of_levels(study)
    for topic, rows in accepted(study, kinds=kinds):
        grades = grade_values(study, [topic.number], pool_values)
        gains = dict(topic_gains(study, rows).table.select("document_id", "gain").iter_rows())
        anchors = {row.document: row.anchor for row in rows}
        by_document = sorted(_labels(study, rows), key=itemgetter(0))
        for document, labelled in groupby(by_document, key=itemgetter(0)):
            labels: Objects = [label for _document, label in labelled]
            trec, sormunen, *further = (grades.get((topic.number, name, document), "") for name in sets)
            yield SoftLabelRow(
                topic_id=topic.number,
                topic_title=topic.title,
                document_id=document,
                gold=gold(anchors.get(document, "")),
                trec=trec,
                sormunen=sormunen,
                grades=tuple(further),
                gain=gains[document],
                judgments=len(labels),
                labels=labels,
            )


def _labels(
    study: Study, rows: Sequence[AcceptedJudgment]
) -> Iterator[tuple[str, dict[str, str | float | None]]]:
    """Yield each label with its document, in the order of the judgments. A comparison is two labels."""
    for row, score in zip(rows, normalised(study, rows), strict=True):
        judged = [(row.document, row.compared_with, row.number, score)]
        if row.compared_with:
            points = None if score is None else 1 - score
            judged.append((row.compared_with, row.document, 1 - row.number, points))
        for document, other, number, normal in judged:
            label: dict[str, str | float | None] = {
                "worker_id": row.worker,
                "unit_id": unit_id(row.topic, row.unit),
                "relevance_score": number,
                "normalized_relevance_score": normal,
                "comment": row.justification,
            }
            yield document, label | ({"compared_with": other} if other else {})


SOFT_LABELS: Final = Published(
    "soft_labels",
    _("One row per judged document, with all labels that workers gave it."),
    SoftLabelRow,
    soft_label_rows,
    place=8,
    of_kinds=soft_label_rows,
    formats=("jsonl",),
)
