"""Read the numbers that predict the gains of all documents."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..errors import InputError, shown
from ..labels import labels_of
from ..origin import first
from ..pairs import PAIR
from ..sources import Source


def predictions_of(sources: Sequence[Source], documents: pl.DataFrame) -> FloatArray:
    """Return the predictions of each document (documents, sources).

    `documents` has the columns `topic_id, document_id`. Raise `InputError` for a source that cannot be read,
    and if it has no finite number for a document.
    """
    columns = [_column(source, documents, number) for number, source in enumerate(sources, 1)]
    return np.stack(columns, axis=1) if columns else np.zeros((len(documents), 0))


def _column(source: Source, documents: pl.DataFrame, number: int) -> FloatArray:
    table = labels_of(source).table.rename({"score": "prediction"})
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
