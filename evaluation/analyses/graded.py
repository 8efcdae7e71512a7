"""Join documents with their grades. Most analyses of magnitudes start with this step."""

import numpy as np
import polars as pl

from ..errors import InputError, shown
from ..frames import Gains
from ..magnitudes.document_gains import KEYS
from ..origin import first


def graded(values: Gains, grades: Gains, *, others: bool = False) -> pl.DataFrame:
    """Return the documents of `values` that have a grade, as a table `topic_id, document_id, value, grade`.

    The rows are sorted by topic and document. With `others`, return documents without a grade too; their
    grade is null.
    """
    table = values.table.rename({"gain": "value"})
    known = grades.table.rename({"gain": "grade"})
    return table.join(known, on=KEYS, how="left" if others else "inner").sort(KEYS)


def with_logs(table: pl.DataFrame) -> pl.DataFrame:
    """Return a table from `graded` with a new column `log`, the natural logarithm of each value.

    Raise `InputError` for a value of 0, which has no logarithm.
    """
    if (row := first((table["value"] == 0).to_numpy())) is not None:
        raise InputError(
            "no-logarithm-of-zero",
            "the value of document {document} in topic {topic} is 0, which has no logarithm; remove this "
            "document",
            document=shown(table["document_id"][row]),
            topic=shown(table["topic_id"][row]),
        )
    return table.with_columns(log=np.log(table["value"].to_numpy()))
