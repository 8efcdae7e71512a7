"""Ratings: the scores that a user or a system gives to the documents of each topic, on any scale."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from ..columns import Column, ids, numbers, table_of
from ..errors import InputError, shown
from ..origin import NO_FILE, Origin, first
from ..pairs import first_repetition
from ..showing import short_repr


@short_repr
@dataclass(frozen=True, eq=False)
class Ratings:
    """Valid ratings by a user or a system: `topic_id, document_id, score`."""

    table: pl.DataFrame
    origin: Origin = NO_FILE

    @classmethod
    def from_columns(
        cls, topic_id: Column, document_id: Column, score: Column, *, origin: Origin = NO_FILE
    ) -> "Ratings":
        """Return the ratings in these columns, one row for each document in each topic.

        Raise `InputError` for the first row with a score that is not finite, or with a document that an
        earlier row rates in the same topic. Scores can be negative.
        """
        table = table_of(
            {
                "topic_id": ids("topic_id", topic_id, origin),
                "document_id": ids("document_id", document_id, origin),
                "score": numbers("score", score, origin),
            }
        )
        values = table["score"].to_numpy()
        if (row := first(~np.isfinite(values))) is not None:
            raise InputError(
                "rating-not-finite",
                "score {score} is not finite; give a finite number",
                origin.at(row),
                score=str(values[row]),
            )
        if (row := first_repetition(table)) is not None:
            raise InputError(
                "document-scored-twice",
                "document {document} has two scores in topic {topic}; remove one of them",
                origin.at(row),
                document=shown(table["document_id"][row]),
                topic=shown(table["topic_id"][row]),
            )
        return cls(table, origin)

    @property
    def topics(self) -> frozenset[str]:
        """The topics that have ratings."""
        return frozenset(self.table["topic_id"].unique())

    def by_topic(self) -> dict[str, dict[str, float]]:
        """Return the scores as a dict of dicts, keyed by topic and then by document."""
        by_topic: dict[str, dict[str, float]] = {}
        for topic, document, score in self.table.iter_rows():
            by_topic.setdefault(topic, {})[document] = score
        return by_topic
