"""Where labels are too high or too low, what they mean in gains, and how widely they are spread."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import polars as pl

from ..arrays import BoolArray, FloatArray
from ..errors import InputError, shown
from ..pairs import PAIR
from .pairing import Drawing, Estimate, Pairing, ratio

BIAS: Final = {
    "judge": pl.String,
    "by": pl.String,
    "group": pl.String,
    "documents": pl.Int64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}
CALIBRATION: Final = {
    "judge": pl.String,
    "label": pl.Float64,
    "documents": pl.Int64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}
SPREAD: Final = {
    "judge": pl.String,
    "on_log": pl.Boolean,
    "spread": pl.Float64,
    "spread_of_people": pl.Float64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}
GRADE: Final = "grade"
_MOST_GROUPS: Final = 8
"""Numbers with more different values than this are grouped by quarters."""
_QUARTERS: Final = ("lowest quarter", "second quarter", "third quarter", "highest quarter")


def bias_table(
    pairings: Sequence[Pairing], drawing: Drawing, documents: pl.DataFrame | None = None
) -> pl.DataFrame:
    """Return the columns of `BIAS`: by how much the labels are above people's values, on average.

    Labels are first moved to people's scale (`Pairing.matched`), so a bias of 0 over all documents is no
    finding, but a difference between groups is. If people's gains have ratios, a bias is a difference of
    logarithms: .1 is some 10 % too high. Groups of `grade` have documents with the same gain. They also
    differ by chance: the less labels and gains are correlated, the more the labels of the lowest gains are
    too high, and those of the highest too low.

    `documents` has further columns to group by, such as the length, the language or the source of the
    documents. It has a column `document_id` and, if a document is not the same in all topics, `topic_id`.
    Numbers with more than 8 different values are grouped by quarters. Documents without a value do not count.
    """
    rows = []
    for pairing in pairings:
        error = pairing.matched - pairing.values()
        for by, groups in _groupings(pairing, documents):
            for group, inside in groups:
                sums = pairing.sums(np.stack([error, np.ones_like(error)]), inside)
                value = drawing.estimate(ratio, np.moveaxis(sums, 0, -1))
                rows.append((pairing.judge, by, group, int(inside.sum()), *value))
    return pl.DataFrame(rows, schema=BIAS, orient="row")


def calibration_table(pairings: Sequence[Pairing], drawing: Drawing) -> pl.DataFrame:
    """Return the columns of `CALIBRATION`: people's mean gain of the documents with a label.

    If there are many different labels, `label` is the mean label of a tenth of the documents.
    """
    rows = []
    for pairing in pairings:
        gain = np.exp(pairing.values()) if pairing.is_log else pairing.values()
        for inside in _bins(pairing.label):
            sums = pairing.sums(np.stack([gain, np.ones_like(gain)]), inside)
            value = drawing.estimate(ratio, np.moveaxis(sums, 0, -1))
            rows.append((pairing.judge, float(pairing.label[inside].mean()), int(inside.sum()), *value))
    return pl.DataFrame(rows, schema=CALIBRATION, orient="row")


def spread_table(pairings: Sequence[Pairing], drawing: Drawing) -> pl.DataFrame:
    """Return the columns of `SPREAD`: how widely the labels of a topic are spread, beside people's gains.

    `spread` and `spread_of_people` are standard deviations within topics, of logarithms if `on_log` is true.
    `value` is the first divided by the second. For logarithms, this is the exponent of labels as a power of
    gains [the reduced major axis: the slope that treats both alike]. It is null if labels have no logarithm
    although gains have ratios, because the two then have no unit in common.
    """
    rows: list[tuple[object, ...]] = []
    for pairing in pairings:
        label, people = pairing.number_of_label, pairing.values()
        value: Estimate = (None, None, None)
        spreads = [_within(pairing, label[None]), _within(pairing, people)]
        if pairing.on_log == pairing.is_log:
            labels = np.broadcast_to(spreads[0], spreads[1].shape)
            sums = np.stack([labels, spreads[1]], axis=-1)
            value = drawing.estimate(lambda sums: np.sqrt(ratio(sums)), sums)
        means = [float(np.sqrt(each[0].sum() / _freedom(pairing))) for each in spreads]
        rows.append((pairing.judge, pairing.on_log, *means, *value))
    return pl.DataFrame(rows, schema=SPREAD, orient="row")


def _within(pairing: Pairing, values: FloatArray) -> FloatArray:
    """Return the sums of squares of values (…, documents) within each topic (…, topics)."""
    size = np.bincount(pairing.topic)
    centred = values - (pairing.sums(values) / size)[..., pairing.topic]
    return pairing.sums(centred**2)


def _freedom(pairing: Pairing) -> int:
    return max(1, pairing.number - len(pairing.topics))


def _groupings(
    pairing: Pairing, documents: pl.DataFrame | None
) -> Iterator[tuple[str, list[tuple[str, BoolArray]]]]:
    yield GRADE, list(_groups(pl.Series(pairing.gain)))
    if documents is None:
        return
    keys = [name for name in PAIR if name in documents.columns]
    joined = pairing.documents.join(documents, on=keys, how="left", maintain_order="left")
    for name in documents.columns:
        if name not in PAIR:
            yield name, list(_groups(joined[name]))


def _groups(values: pl.Series) -> Iterator[tuple[str, BoolArray]]:
    """Yield the name of each group of equal values, or of a quarter of many numbers, and who is in it."""
    known = values.is_not_null().to_numpy()
    if values.dtype.is_numeric() and values.n_unique() > _MOST_GROUPS:
        numbers = values.cast(pl.Float64).fill_null(np.nan).to_numpy()
        edges = np.quantile(numbers[known], [0.25, 0.5, 0.75])
        place = np.searchsorted(edges, numbers, side="left")
        for quarter, name in enumerate(_QUARTERS):
            if (inside := known & (place == quarter)).any():
                yield name, inside
        return
    for value in values.drop_nulls().unique().sort():
        name = f"{value:g}" if isinstance(value, float) else str(value)
        yield name, (values == value).fill_null(value=False).to_numpy()


def _bins(label: FloatArray) -> Iterator[BoolArray]:
    """Yield who has each label or, if there are many, who is in each tenth."""
    values = np.unique(label)
    if len(values) > _MOST_GROUPS:
        place = np.searchsorted(np.quantile(label, np.linspace(0.1, 0.9, 9)), label, side="left")
    else:
        place = np.searchsorted(values, label)
    for each in np.unique(place):
        yield place == each


def checked_documents(documents: pl.DataFrame) -> pl.DataFrame:
    """Return a table of what is known of documents, one row for each.

    Raise `InputError` if it has no column `document_id`, or two rows for a document.
    """
    if "document_id" not in documents.columns:
        raise InputError(
            "documents-without-id", "the table of documents has no column document_id; add it to say which"
        )
    keys = [name for name in PAIR if name in documents.columns]
    if (repeated := documents.filter(documents.select(keys).is_duplicated())).height:
        raise InputError(
            "document-described-twice",
            "the table of documents has two rows for {document}; keep one of them",
            document=shown(repeated["document_id"][0]),
        )
    return documents
