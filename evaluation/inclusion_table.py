"""Checked tables of documents and their chances to be sampled."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from .columns import Column, ids, numbers, table_of
from .errors import InputError, shown
from .origin import NO_FILE, Origin, first
from .pairs import PAIR, first_repetition
from .showing import short_repr

COLUMNS: Final = (*PAIR, "inclusion", "sampled")
"""The columns of a table of documents and their chances."""
_WORDS: Final = {"1": True, "0": False, "true": True, "false": False, "yes": True, "no": False}


@short_repr
@dataclass(frozen=True, eq=False)
class Inclusion:
    """The documents of a pool and their chances to be sampled.

    `table` has the columns `topic_id, document_id, inclusion, sampled`. `is_whole` says that it has all
    documents of the pool. Otherwise, it has only the sampled ones.
    """

    table: pl.DataFrame
    is_whole: bool
    origin: Origin = NO_FILE

    @classmethod
    def from_columns(
        cls,
        topic_id: Column,
        document_id: Column,
        inclusion: Column,
        sampled: Column | None = None,
        *,
        origin: Origin = NO_FILE,
    ) -> "Inclusion":
        """Return the documents in these columns. Without `sampled`, all of them were sampled.

        Raise `InputError` for an invalid id, for a chance outside (0, 1], for a document with two rows, and
        for a value of `sampled` that is neither yes nor no, true nor false, 1 nor 0.
        """
        columns = {
            "topic_id": ids("topic_id", topic_id, origin),
            "document_id": ids("document_id", document_id, origin),
            "inclusion": numbers("inclusion", inclusion, origin),
        }
        table = table_of(columns)
        chances = table["inclusion"].to_numpy()
        if (row := first(~((chances > 0) & (chances <= 1)))) is not None:
            raise InputError(
                "inclusion-out-of-bounds",
                "inclusion {value} is not a chance; give a number above 0 and up to 1",
                origin.at(row),
                value=f"{chances[row]:g}",
            )
        if (row := first_repetition(table)) is not None:
            raise InputError(
                "document-sampled-twice",
                "document {document} of topic {topic} has two chances; remove one of the two rows",
                origin.at(row),
                document=shown(table["document_id"][row]),
                topic=shown(table["topic_id"][row]),
            )
        if sampled is None:
            return cls(table.with_columns(sampled=True), is_whole=False, origin=origin)
        values = [_WORDS.get(str(value).strip().lower()) for value in sampled]
        if (row := first(np.array([value is None for value in values], dtype=np.bool_))) is not None:
            raise InputError(
                "sampled-neither-yes-nor-no",
                "sampled {value} is neither yes nor no; write 1 for a sampled document and 0 for another",
                origin.at(row),
                value=shown(str(list(sampled)[row])),
            )
        return cls(table.with_columns(sampled=pl.Series(values, dtype=pl.Boolean)), True, origin)
