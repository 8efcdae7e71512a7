"""What labels are worth: how many judgments of people they save."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..distances.ratings import Ratings
from ..pairs import PAIR
from ..sampling.calibration import calibrated
from .labels import ALL
from .pairing import Drawing, Pairing, ratio
from .people import People

WORTH: Final = {
    "judge": pl.String,
    "documents": pl.Int64,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "saved": pl.Float64,
}


def worth_table(
    pairings: Sequence[Pairing], labels: Mapping[str, Ratings], people: People, drawing: Drawing
) -> pl.DataFrame:
    """Return the columns of `WORTH`, with a row for each judge and one for all of them together.

    `value` is the share of the variance of gains within topics that the labels explain: 1 − Σ (g − f)²/Σ
    (g − m)². The prediction f comes from the labels, and m from the gains of other documents alone. Both are
    made as the estimates from a sample make them (`sampling.calibrated`), so they do not know the gain that
    they predict, and are fitted in other topics.

    The error of a sample has the variance of g − f. So a sample of n judgments with these labels is as good
    as one of n/(1 − `value`) without them, and `saved` is the number of judged documents that need no
    judgment of people: `value` times `documents`, or 0 if the labels make it worse.
    """
    rows = [_row(pairing.judge, pairing, pairing.label[:, None], drawing) for pairing in pairings]
    if len(pairings) > 1:
        row = _all_together(labels, people, drawing)
        rows += [] if row is None else [row]
    return pl.DataFrame(rows, schema=WORTH, orient="row")


def _all_together(
    labels: Mapping[str, Ratings], people: People, drawing: Drawing
) -> tuple[object, ...] | None:
    """Return the row of all labels together, over the documents that have all of them. None without any."""
    table = people.table.select(PAIR)
    for place, ratings in enumerate(labels.values()):
        table = table.join(ratings.table.rename({"score": f"label{place}"}), on=PAIR, maintain_order="left")
    if table.is_empty():
        return None
    first = Ratings.from_columns(table["topic_id"], table["document_id"], table["label0"])
    columns = table.select(pl.exclude(PAIR)).to_numpy()
    return _row(ALL, Pairing.of(ALL, first, people), columns, drawing)


def _row(name: str, pairing: Pairing, columns: FloatArray, drawing: Drawing) -> tuple[object, ...]:
    gains = np.exp(pairing.values()) if pairing.is_log else pairing.values()
    left, total = (
        pairing.sums((gains - _predicted(pairing, each)) ** 2) for each in (columns, columns[:, :0])
    )

    def explained(sums: FloatArray) -> FloatArray:
        result: FloatArray = 1 - ratio(sums)
        return result

    value, low, high = drawing.estimate(explained, np.stack([left, total], axis=-1))
    saved = None if value is None else max(0.0, value) * pairing.number
    return name, pairing.number, value, low, high, saved


def _predicted(pairing: Pairing, columns: FloatArray) -> FloatArray:
    """Return the predictions of gains from columns of labels, if all documents are judged (documents,)."""
    everything = np.ones(pairing.number)
    return calibrated(pairing.gain, everything, everything > 0, pairing.topic, columns, is_fixed=False)
