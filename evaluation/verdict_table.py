"""Tables of verdicts on disagreements."""

from collections.abc import Mapping
from typing import Final

import polars as pl

from .columns import ids, table_of
from .errors import InputError, shown
from .magnitudes.document_gains import KEYS
from .origin import NO_FILE, Origin, first
from .verdicts import VERDICTS

COLUMNS: Final = (*KEYS, "verdict")
GRADES: Final = "grades"
"""An optional column: the name of the set of known grades that the verdict is about."""


def verdict_table(columns: Mapping[str, pl.Series], origin: Origin = NO_FILE) -> pl.DataFrame:
    """Return verdicts as a table `topic_id, document_id, verdict` and, if given, `grades`.

    Rows without a verdict are left out. Raise `InputError` if a column is missing, an id is empty, a verdict
    is not in `VERDICTS`, or a document has two verdicts on the same grades.
    """
    if missing := [name for name in COLUMNS if name not in columns]:
        raise InputError(
            "verdicts-without-column",
            "the verdicts have no column {column}, only {present}; add the missing column",
            f"{origin.path}:1" if origin.path else "",
            column=missing[0],
            present=", ".join(map(shown, columns)),
        )
    names = [*COLUMNS, *(name for name in (GRADES,) if name in columns)]
    table = table_of({name: ids(name, columns[name], origin, may_be_empty=True) for name in names})
    rows = (table["verdict"] != "").arg_true().to_list()
    table, origin = table[rows], origin.of_rows(rows)
    for name in names:
        ids(name, table[name], origin)
    if (row := first(~table["verdict"].is_in(list(VERDICTS)).to_numpy())) is not None:
        raise InputError(
            "unknown-verdict",
            "the verdict {verdict} is unknown; write one of {known}, or leave the cell empty",
            origin.at(row),
            verdict=shown(table["verdict"][row]),
            known=", ".join(VERDICTS),
        )
    keys = [name for name in names if name != "verdict"]
    if (row := first(~table.select(pl.struct(keys).is_first_distinct()).to_series().to_numpy())) is not None:
        raise InputError(
            "two-verdicts",
            "document {document} of topic {topic} already has a verdict; remove one of them",
            origin.at(row),
            document=shown(table["document_id"][row]),
            topic=shown(table["topic_id"][row]),
        )
    return table


def with_verdicts(disagreements: pl.DataFrame, verdicts: pl.DataFrame, grades: str = "") -> pl.DataFrame:
    """Return the result of `disagreements` with a last column `verdict`, "" for a document without a verdict.

    `verdicts` is a table as for `verdict_table`. If it has a column `grades`, only its rows for the set of
    known grades with the name `grades` are used. Raise `InputError` as `verdict_table` does.

    Example: if `verdicts` has only the row `401, n5, crowd_wrong`, document n5 of topic 401 has the verdict
    "crowd_wrong", and every other document has "".
    """
    table = verdict_table({name: verdicts[name] for name in verdicts.columns})
    if GRADES in table.columns:
        table = table.filter(pl.col(GRADES) == grades)
    joined = disagreements.join(table.select(COLUMNS), on=KEYS, how="left", maintain_order="left")
    return joined.with_columns(pl.col("verdict").fill_null(""))
