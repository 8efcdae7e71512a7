"""Estimate the mean scores of runs from the gains of a sample."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from ..arrays import FloatArray
from ..distances.ratings import Ratings
from ..errors import InputError, shown
from ..files.ratings import read_ratings
from ..frames import Gains
from ..inclusion_table import COLUMNS, inclusion_table
from ..options import checked
from ..origin import first
from ..pairs import PAIR
from ..runs import Run
from ..sources import Source, is_path
from .calibration import calibrated
from .design import Design, Sample
from .linear import LinearMeasure
from .pool import Pool, pool_of
from .result import SampledScores


@checked
def estimate(
    gains: Source,
    runs: Source,
    measure: str,
    inclusion: Sample | pl.DataFrame,
    *,
    predictions: Sequence[Source] = (),
    noise: pl.DataFrame | None = None,
    design: Design = "systematic",
) -> SampledScores:
    """Return the runs' mean scores as estimated from a sample, with what their intervals need.

    `gains` has the gains of the sampled documents. Other gains are ignored. `inclusion` is a `Sample` or a
    table of its sampled documents, `topic_id, document_id, inclusion`. `design` says how the documents of
    such a table were drawn. `predictions` are sources of numbers for every document that a run retrieves down
    to the measure's cut-off, such as the grades of a model or the gains of another study. `noise` has the
    variance of gains, from the noise of their judgments: `topic_id, document_id, variance`. Without it,
    intervals do not cover this noise.

    The estimate of a mean is Σ w·(f + z·(g − f)/π) over the documents: w is the weight of the gain g, f its
    prediction by `calibrated`, π the chance, and z is 1 for sampled documents and 0 for all others [the
    difference estimator: Särndal, Swensson & Wretman, Model Assisted Survey Sampling, 1992, section 6.3]. The
    topics are those in which a run has a document. A topic without gain counts 0.

    Raise `InputError` for arguments that cannot be read, for a measure that is not linear in gains, for
    invalid chances or variances, if a sampled document has no gain, if a `Sample` does not have all retrieved
    documents, if a retrieved document has no prediction, and if the gains are too large to add up.
    """
    linear = LinearMeasure.of(measure)
    pool = pool_of(runs, len(linear.weights))
    sample = _table_of(inclusion, pool)
    rows = sample.join(Gains(gains).table, on=PAIR, how="left")
    if isinstance(inclusion, Sample):
        design = inclusion.design
    if (row := first(rows["gain"].is_null().to_numpy())) is not None:
        topic, document = rows.select(PAIR).row(row)
        raise InputError(
            "sampled-document-without-gain",
            "document {document} of topic {topic} was sampled but has no gain; add its gain",
            document=shown(document),
            topic=shown(topic),
        )
    joined = pool.table.join(rows, on=PAIR, how="left", maintain_order="left")
    sampled = joined["inclusion"].is_not_null().to_numpy()
    chances = joined["inclusion"].fill_null(1.0).to_numpy()
    worth = np.where(sampled, linear.worth(joined["gain"].fill_null(0.0).to_numpy()), 0.0)
    if noise is not None and linear.measure.parameters["gain"] != "linear":
        raise InputError(
            "noise-of-other-gains",
            "the variances are of the gains themselves, but {measure} changes the gains; leave out the "
            "variances, or use linear gains",
            measure=str(linear.measure),
        )
    predicted: dict[str, FloatArray] = {}
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        parts = worth, chances, sampled, pool.topic
        if predictions:
            columns = [_prediction(source, pool, number) for number, source in enumerate(predictions, 1)]
            predicted["predictions"] = calibrated(*parts, np.stack(columns, axis=1))
        predicted["people"] = calibrated(*parts, np.zeros((len(worth), 0)))
        predicted["filled"] = predicted["predictions"] if predictions else np.zeros(len(worth))
        squares = np.concatenate([[(worth / chances) ** 2], [values**2 for values in predicted.values()]])
    if not np.isfinite(squares.sum()):
        raise InputError(
            "gains-too-large-to-add",
            "the gains are too large to add up in {measure}; divide all gains by the same number",
            measure=str(linear.measure),
        )
    variance = _variances(noise, pool, linear)
    names = pool.runs, pool.topics, pool.topic
    return SampledScores(
        measure, design, *names, pool.weights(linear), worth, chances, sampled, variance, predicted
    )


def _table_of(inclusion: Sample | pl.DataFrame, pool: Pool) -> pl.DataFrame:
    """Return the sampled documents. Raise `InputError` if a document of the pool had no chance."""
    if isinstance(inclusion, Sample):
        for topic, document in pool.table.join(inclusion.table, on=PAIR, how="anti").head(1).iter_rows():
            raise InputError(
                "document-without-chance",
                "document {document} of topic {topic} is retrieved, but had no chance to be sampled; draw a "
                "second sample of the documents that were added later",
                document=shown(document),
                topic=shown(topic),
            )
        return inclusion.sampled
    if missing := [name for name in COLUMNS if name not in inclusion.columns]:
        raise InputError(
            "sample-without-column",
            "the sample has no column {column}, only {present}; add the missing column",
            column=missing[0],
            present=", ".join(map(shown, inclusion.columns)),
        )
    if "sampled" in inclusion.columns:
        inclusion = inclusion.filter("sampled")
    return inclusion_table(inclusion["topic_id"], inclusion["document_id"], inclusion["inclusion"])


def _prediction(source: Source, pool: Pool, number: int) -> FloatArray:
    """Return the prediction of each document of the pool (documents,)."""
    if isinstance(source, Gains):
        table = source.table.rename({"gain": "prediction"})
    elif is_path(source) or isinstance(source, Ratings):
        ratings = source if isinstance(source, Ratings) else read_ratings(source)
        table = ratings.table.rename({"score": "prediction"})
    else:
        table = Run(source).table.rename({"score": "prediction"})
    joined = pool.table.join(table, on=PAIR, how="left", maintain_order="left")
    values = joined["prediction"].fill_null(np.nan).to_numpy()
    if (row := first(~np.isfinite(values))) is not None:
        raise InputError(
            "document-without-prediction",
            "prediction {number} has no finite value for document {document} of topic {topic}; give one for "
            "every document that a run retrieves down to the cut-off",
            number=number,
            document=shown(joined["document_id"][row]),
            topic=shown(joined["topic_id"][row]),
        )
    return values


def _variances(noise: pl.DataFrame | None, pool: Pool, linear: LinearMeasure) -> FloatArray:
    """Return the variance of each gain as the measure uses it, or 0 where it is not given (documents,)."""
    if noise is None:
        return np.zeros(len(pool.table))
    joined = pool.table.join(noise.select(*PAIR, "variance"), on=PAIR, how="left", maintain_order="left")
    values = joined["variance"].fill_null(0.0).to_numpy()
    if not (np.isfinite(values) & (values >= 0)).all():
        raise InputError(
            "variance-out-of-bounds",
            "a variance is negative or not finite; give numbers of 0 or more",
        )
    scale = linear.measure.parameters.get("gmax")
    return values / float(scale) ** 2 if isinstance(scale, int | float) else values
