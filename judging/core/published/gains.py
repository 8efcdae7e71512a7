"""The gains computed from the judgments, in the columns of a qrels file."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Final, NamedTuple

from evaluation.frames import Gains
from judging.core.published.common import DOCUMENT, INCLUSION, TOPIC
from judging.core.published.table import FORMATS, Column, Published
from judging.core.selectors.judgments import counted
from judging.core.selectors.kinds import Kinds
from judging.core.selectors.magnitudes import gains_by_topic, topic_gains
from judging.core.selectors.sampling import chances_of
from judging.models import PoolDocument, Study
from judging.protocol.words import gettext_noop as _

MAGNITUDES: Final = "magnitudes"
"""The name for the gains computed from judgments, wherever people choose between gains and grade sets."""


class GainRow(NamedTuple):
    """The gain of a document for a topic."""

    topic_id: Annotated[str, TOPIC]
    iteration: Annotated[str, Column("always `0`, as in qrels")]
    document_id: Annotated[str, DOCUMENT]
    gain: Annotated[
        float, Column("the median of the document's normalised magnitudes, not rounded", "the topic's scale")
    ]
    inclusion: Annotated[float, INCLUSION]


def gain_rows(study: Study, kinds: Kinds = None) -> Iterator[GainRow]:
    """Yield the gains of a study, sorted by topic and document. Only one topic is in memory at a time."""
    for gains in gains_by_topic(study, kinds):
        yield from _rows(study, gains)


def _chosen(study: Study, chosen: Sequence[int]) -> list[GainRow]:
    """Return the gains of the pooled documents with these primary keys, in this order.

    Leave out documents without a judgment that counts.
    """
    pool = PoolDocument.objects.filter(pk__in=chosen).order_by()
    names = {
        key: (topic, document)
        for key, topic, document in pool.values_list("pk", "topic__number", "document__document_id")
    }
    gains = {
        (row.topic_id, row.document_id): row
        for of_topic in counted(study, {topic for topic, _ in names.values()})
        for row in _rows(study, topic_gains(study, of_topic))
    }
    return [gains[names[key]] for key in chosen if names[key] in gains]


def _rows(study: Study, gains: Gains) -> Iterator[GainRow]:
    """Yield the gains of a topic, with the chances of its documents."""
    chances = chances_of(study, gains.table["topic_id"][0])
    for topic, document, gain in gains.table.iter_rows():
        yield GainRow(topic, "0", document, gain, chances.get(document, 1.0))


GAINS: Final = Published(
    "gains",
    _("One gain per judged document, with its chance to be sampled, or in the format of qrels."),
    GainRow,
    gain_rows,
    place=2,
    of_kinds=gain_rows,
    chosen=_chosen,
    formats=("qrels", *FORMATS),
)
