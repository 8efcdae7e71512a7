"""The column `compared_with` of judgments that compare two documents: `document_id` with `compared_with`."""

from typing import Final

import polars as pl

from .columns import Column, ids
from .errors import InputError, shown
from .origin import Origin, first
from .scales.scale import Scale

COMPARED_WITH: Final = "compared_with"


def compared_column(
    scale: Scale, values: Column | None, documents: pl.Series, origin: Origin
) -> pl.Series | None:
    """Return the column as text, or None on a scale that does not compare pairs.

    `documents` has the first document of each judgment. Raise `InputError` if the scale compares pairs and a
    judgment has no second document or compares a document with itself, and if another scale has one.
    """
    if not scale.compares_pairs:
        _refuse_pairs(scale, values, origin)
        return None
    if values is None:
        raise InputError(
            "judgments-without-pairs",
            "judgments on the scale {scale} need the column {column}, with the document that was shown "
            "second; add it",
            origin.path or "",
            scale=scale.name,
            column=COMPARED_WITH,
        )
    column = ids(COMPARED_WITH, values, origin)
    if (
        len(column) == len(documents)
        and (row := first((column == documents.alias(COMPARED_WITH)).to_numpy())) is not None
    ):
        raise InputError(
            "document-compared-with-itself",
            "document {document} is compared with itself; {column} must name another document",
            origin.at(row),
            document=shown(column[row]),
            column=COMPARED_WITH,
        )
    return column


def _refuse_pairs(scale: Scale, values: Column | None, origin: Origin) -> None:
    if values is None:
        return
    column = ids(COMPARED_WITH, values, origin, may_be_empty=True)
    if (row := first((column != "").to_numpy())) is not None:
        raise InputError(
            "compared-on-another-scale",
            "{column} is {document}, but judgments on the scale {scale} are of single documents; leave the "
            "column empty, or name a scale that compares two documents",
            origin.at(row),
            column=COMPARED_WITH,
            document=shown(column[row]),
            scale=scale.name,
        )
