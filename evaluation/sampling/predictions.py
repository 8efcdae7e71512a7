"""Read the numbers that predict the gains of all documents."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..distances.ratings import Ratings
from ..errors import InputError, shown
from ..files.ratings import read_ratings
from ..frames import Gains
from ..origin import first
from ..pairs import PAIR
from ..runs import Run
from ..sources import Source, is_path


def predictions_of(sources: Sequence[Source], documents: pl.DataFrame) -> FloatArray:
    """Return the predictions of each document (documents, sources).

    `documents` has the columns `topic_id, document_id`. Raise `InputError` for a source that cannot be read,
    and if it has no finite number for a document.
    """
    columns = [_column(source, documents, number) for number, source in enumerate(sources, 1)]
    return np.stack(columns, axis=1) if columns else np.zeros((len(documents), 0))


def _column(source: Source, documents: pl.DataFrame, number: int) -> FloatArray:
    if isinstance(source, Gains):
        table = source.table.rename({"gain": "prediction"})
    elif is_path(source) or isinstance(source, Ratings):
        ratings = source if isinstance(source, Ratings) else read_ratings(source)
        table = ratings.table.rename({"score": "prediction"})
    else:
        table = Run(source).table.rename({"score": "prediction"})
    joined = documents.join(table, on=PAIR, how="left", maintain_order="left")
    values = joined["prediction"].fill_null(np.nan).to_numpy()
    if (row := first(~np.isfinite(values))) is not None:
        raise InputError(
            "document-without-prediction",
            "prediction {number} has no finite value for document {document} of topic {topic}; give one for "
            "every document of the pool",
            number=number,
            document=shown(joined["document_id"][row]),
            topic=shown(joined["topic_id"][row]),
        )
    return values
