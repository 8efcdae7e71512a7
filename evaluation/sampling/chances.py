"""Read what is known about a sample: the documents, their chances, and which of them were drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..conventions import Design
from ..errors import InputError, shown
from ..files.inclusion import read_inclusion
from ..inclusion_table import Inclusion
from ..options import checked
from ..pairs import PAIR
from ..shapes import INCLUSION
from ..showing import short_repr
from ..sources import Source, columns_of, is_path
from .design import Sample
from .pool import Pool


@checked
@short_repr
@dataclass(frozen=True, eq=False)
class Sampling:
    """What is known of a sample, beside its gains: the arguments of `estimate` for it."""

    inclusion: Source
    predictions: Sequence[Source] = ()
    design: Design = "systematic"


@checked
def inclusion_of(source: Source, design: Design) -> tuple[Inclusion, Design]:
    """Return the chances of a source and the design of the draw, which is `design` unless the source says so.

    Raise `InputError` for a source that cannot be read, and in the same cases as `Inclusion.from_columns`.
    """
    if isinstance(source, Sample):
        return Inclusion(source.table, is_whole=True), source.design
    if isinstance(source, Inclusion):
        return source, design
    if is_path(source):
        return read_inclusion(source), design
    return Inclusion.from_columns(**columns_of(source, INCLUSION)), design


def refuse_without_chance(inclusion: Inclusion, pool: Pool) -> None:
    """Raise `InputError` if a document of the pool had no chance, in a topic of the sample.

    Without the whole pool, it is unknown which of the documents that were not sampled had a chance.
    """
    if not inclusion.is_whole:
        return
    of_topics = pool.table.join(inclusion.table.select("topic_id").unique(), on="topic_id", how="semi")
    for topic, document in of_topics.join(inclusion.table, on=PAIR, how="anti").head(1).iter_rows():
        raise InputError(
            "document-without-chance",
            "document {document} of topic {topic} is retrieved, but had no chance to be sampled; choose a "
            "cut-off within the depth of the sample or, for runs that were added later, draw again with "
            "earlier",
            document=shown(document),
            topic=shown(topic),
        )
