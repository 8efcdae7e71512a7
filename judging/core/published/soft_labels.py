"""The judgments as a data set with soft labels: one row per document, with the label of every worker."""

from collections.abc import Iterator
from itertools import groupby
from typing import Annotated, Final, NamedTuple

from judging.core.published.common import DOCUMENT, GOLD, TOPIC
from judging.core.published.judgments import GRADE, PUBLISHED_GRADES, further_sets, of_further_sets
from judging.core.published.table import Column, Objects, Published, Several
from judging.core.selectors.judgments import accepted, grade_values, unit_id, values_of_levels
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
            " `normalized_relevance_score` and `comment`, as in the export of judgments"
        ),
    ]


def soft_label_rows(study: Study, kinds: Kinds = None) -> Iterator[SoftLabelRow]:
    """Yield the judged documents, sorted by topic and document. Only one topic is in memory at a time."""
    sets, pool_values = [*PUBLISHED_GRADES, *further_sets(study)], values_of_levels(study)
    for topic, rows in accepted(study, kinds=kinds):
        grades = grade_values(study, [topic.number], pool_values)
        gains = dict(topic_gains(study, rows).table.select("document_id", "gain").iter_rows())
        scored = zip(rows, normalised(study, rows), strict=True)
        by_document = sorted(scored, key=lambda pair: pair[0].document)
        for document, pairs in groupby(by_document, key=lambda pair: pair[0].document):
            judged = list(pairs)
            labels: Objects = [
                {
                    "worker_id": row.worker,
                    "unit_id": unit_id(row.topic, row.unit),
                    "relevance_score": row.number,
                    "normalized_relevance_score": score,
                    "comment": row.justification,
                }
                for row, score in judged
            ]
            trec, sormunen, *further = (grades.get((topic.number, name, document), "") for name in sets)
            yield SoftLabelRow(
                topic_id=topic.number,
                topic_title=topic.title,
                document_id=document,
                gold=gold(judged[0][0].anchor),
                trec=trec,
                sormunen=sormunen,
                grades=tuple(further),
                gain=gains[document],
                judgments=len(labels),
                labels=labels,
            )


SOFT_LABELS: Final = Published(
    "soft_labels",
    _("One row per judged document, with all labels that workers gave it."),
    SoftLabelRow,
    soft_label_rows,
    place=8,
    of_kinds=soft_label_rows,
    formats=("jsonl",),
)
