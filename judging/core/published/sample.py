"""The sample of a study: each document of the pools, its chance to be sampled, and whether it was."""

from collections.abc import Iterator
from typing import Annotated, Final, NamedTuple

from judging.core.published.common import DOCUMENT, INCLUSION, TOPIC
from judging.core.published.table import Column, Published
from judging.core.selectors.sampling import pool_with_chances
from judging.models import Study
from judging.protocol.words import gettext_noop as _


class SampleRow(NamedTuple):
    """A document of a pool."""

    topic_id: Annotated[str, TOPIC]
    document_id: Annotated[str, DOCUMENT]
    inclusion: Annotated[float, INCLUSION]
    sampled: Annotated[bool, Column("whether the document is in the sample, and so judged")]
    draw: Annotated[
        int | None,
        Column(
            "the number of the draw that gave its chance, from 1; empty without a sample, and in a topic that"
            " replaces another"
        ),
    ]


def sample_rows(study: Study) -> Iterator[SampleRow]:
    """Yield the documents of the pools, sorted by topic and document."""
    return map(SampleRow._make, pool_with_chances(study))


SAMPLE: Final = Published(
    "sample",
    _("The documents of the pools with their chances to be sampled, also those that are not judged."),
    SampleRow,
    sample_rows,
    place=11,
)
