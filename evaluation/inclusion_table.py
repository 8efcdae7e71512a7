"""Checked tables of sampled documents and their chances."""

from typing import Final

import polars as pl

from .columns import Column, ids, numbers, table_of
from .errors import InputError, shown
from .origin import NO_FILE, Origin, first
from .pairs import PAIR, first_repetition

COLUMNS: Final = (*PAIR, "inclusion")
"""The columns of a table of sampled documents."""


def inclusion_table(
    topic_id: Column, document_id: Column, inclusion: Column, origin: Origin = NO_FILE
) -> pl.DataFrame:
    """Return sampled documents as a checked table `topic_id, document_id, inclusion`.

    Raise `InputError` for an invalid id, for a chance outside (0, 1], and for a document with two rows.
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
    return table
