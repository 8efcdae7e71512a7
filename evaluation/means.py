"""The name of the row that covers all topics, in tables with a row for each topic."""

from typing import Final, Protocol

import polars as pl

from .errors import InputError
from .origin import Origin, first

ALL: Final = "all"
"""The name that stands for all topics together, as in trec_eval."""


class Rows(Protocol):
    """A table with the column `topic_id`, and the file of its rows."""

    @property
    def table(self) -> pl.DataFrame:
        """The rows."""

    @property
    def origin(self) -> Origin:
        """The file and the lines of the rows."""


def refuse_topic_all(*sources: Rows, may_be_alone: bool = False) -> None:
    """Raise `InputError` for the first topic named `all`, which would be mixed up with all topics together.

    With `may_be_alone`, the topic can be the only one, because it is then the same as all topics together.
    """
    for source in sources:
        topics = source.table["topic_id"]
        if may_be_alone and topics.n_unique() == 1:
            continue
        if (row := first((topics == ALL).to_numpy())) is not None:
            raise InputError(
                "topic-named-all",
                "a topic is named all, which is the name of all topics together; rename the topic",
                source.origin.at(row),
            )
