"""Arrange the correlations between rankings as a matrix, as papers print them [K05, tables 3 to 6]."""

from collections.abc import Sequence

import polars as pl

from ..errors import InputError, shown


def correlation_table(pairs: pl.DataFrame, names: Sequence[str] | None = None) -> pl.DataFrame:
    """Return a table with a row and a column for each ranking, from rows of the form `first, second, value`.

    `pairs` comes from `scheme_correlations`, `preference_correlations` or `comparison.correlation_matrix`.
    `names` chooses the rankings and their order. By default, the table has all rankings in the order of
    `pairs`. The column `ranking` names the rows. The cell in row A and column B has the correlation with A as
    `first` and B as `second`. An undefined correlation is null. Raise `InputError` for a name that is
    not among the rankings.

    Example: the rows (a, a, 1), (a, b, .5), (b, a, .5), (b, b, 1) make the table ⟨a, 1, .5⟩, ⟨b, .5, 1⟩.
    """
    known = pairs["first"].unique(maintain_order=True).to_list()
    names = known if names is None else list(names)
    for name in names:
        if name not in known:
            raise InputError(
                "unknown-ranking",
                "the correlations have no ranking named {name}; choose from {known}",
                name=shown(name),
                known=", ".join(known),
            )
    values = {
        (first, second): value for first, second, value in pairs.select("first", "second", "value").rows()
    }
    columns = {second: [values[first, second] for first in names] for second in names}
    schema = {"ranking": pl.String, **dict.fromkeys(names, pl.Float64)}
    return pl.DataFrame({"ranking": names, **columns}, schema=schema)
