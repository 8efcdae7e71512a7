"""Documents beside their grades: what most analyses of magnitudes begin with."""

import numpy as np
import polars as pl

from evaluation.errors import InputError, shown
from evaluation.frames import Gains
from evaluation.magnitudes.documents import KEYS
from evaluation.origin import first


def graded(values: Gains, grades: Gains, *, others: bool = False) -> pl.DataFrame:
    """The documents of `values` that have a grade: `topic_id, document_id, value, grade`, sorted.

    With `others` also those that have none; their grade is null.
    """
    table = values.table.rename({"gain": "value"})
    known = grades.table.rename({"gain": "grade"})
    return table.join(known, on=KEYS, how="left" if others else "inner").sort(KEYS)


def with_logs(table: pl.DataFrame) -> pl.DataFrame:
    """The table of `graded` with the column `log`; raises `InputError` for a value of 0, which has none."""
    if (row := first((table["value"] == 0).to_numpy())) is not None:
        raise InputError(
            "no-logarithm-of-zero",
            "document {document} of topic {topic} is worth 0 and has no logarithm; leave it out",
            document=shown(table["document_id"][row]),
            topic=shown(table["topic_id"][row]),
        )
    return table.with_columns(log=np.log(table["value"].to_numpy()))
