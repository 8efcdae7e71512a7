"""Calibrate predictions of gains on the sampled documents."""

from typing import Final

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray

FOLDS: Final = 5
"""The number of folds of topics. The predictions of a fold are calibrated on the topics of the others."""
_PENALTY: Final = 0.1
"""The penalty of the ridge regression, in documents: its features have a standard deviation of 1."""


def calibrated(
    worth: FloatArray,
    chances: FloatArray,
    sampled: BoolArray,
    topic: IntArray,
    predictions: FloatArray,
) -> FloatArray:
    """Return a prediction of each document's gain, from the sampled documents only (documents,).

    `worth` (documents,) has the gains, of which only those of sampled documents are used. `predictions`
    (documents, columns) has any numbers that can say something about the gains. The steps are:

    1. For each fold of topics, a ridge regression on the sampled documents of the other folds, weighted by
       1/chance. If all its gains are above 0, it is a regression of ln gain, and its result is exp of the
       prediction times the factor that makes the weighted sums of predictions and gains equal. Columns with
       only positive numbers enter as logarithms. Without columns, the result is the weighted mean.
    2. The mean of the topic's remaining errors, weighted by 1/chance, is added. The document's own error is
       left out. An error of 0 counts as one more sampled document of average weight, so that topics with few
       sampled documents stay close to step 1.

    The prediction of a document does not depend on its own gain. With Poisson sampling, it does not depend on
    whether the document was sampled either, so the difference estimator has no bias at all.
    """
    features = _features(predictions)
    fold = topic % FOLDS
    overall = np.zeros(len(worth))
    for place in np.unique(fold):
        inside = fold == place
        train = sampled & ~inside
        if train.any():
            overall[inside] = _predicted(features[train], worth[train], 1 / chances[train], features[inside])
    number = int(topic.max(initial=-1)) + 1
    weight = np.divide(1.0, chances, out=np.zeros(len(worth)), where=sampled)
    error = np.where(sampled, worth - overall, 0.0)
    others = np.bincount(topic, sampled, minlength=number)[topic] - sampled
    of_others = np.bincount(topic, weight, minlength=number)[topic] - weight
    sums = np.bincount(topic, weight * error, minlength=number)[topic] - weight * error
    own = np.divide(
        sums, of_others * (1 + 1 / np.maximum(others, 1)), out=np.zeros(len(worth)), where=others > 0
    )
    predicted: FloatArray = overall + own
    return predicted


def _features(predictions: FloatArray) -> FloatArray:
    """Return the columns with a mean of 0 and a standard deviation of 1, without constant columns."""
    columns = []
    for column in predictions.T:
        values = np.log(column) if (column > 0).all() else column
        centred = values - values.mean()
        spread = centred.std()
        if spread > 1e-12 * max(1.0, float(np.abs(values).max())):
            columns.append(centred / spread)
    return np.stack(columns, axis=1) if columns else np.zeros((len(predictions), 0))


def _predicted(features: FloatArray, worth: FloatArray, weight: FloatArray, others: FloatArray) -> FloatArray:
    """Return the predictions for the documents `others` of a ridge regression on `features` and `worth`."""
    weight = weight / weight.mean()
    is_positive = bool((worth > 0).all())
    target = np.log(worth) if is_positive else worth
    mean, centre = np.average(target, weights=weight), np.average(features, axis=0, weights=weight)
    centred = features - centre
    matrix = (centred * weight[:, None]).T @ centred + _PENALTY * np.eye(features.shape[1])
    slope = np.linalg.solve(matrix, centred.T @ (weight * (target - mean)))
    own = mean + centred @ slope
    margin = own.max() - own.min()  # a prediction far outside the sampled ones is an error
    result = np.clip(mean + (others - centre) @ slope, own.min() - margin, own.max() + margin)
    if not is_positive:
        return result
    top = own.max()
    scaled: FloatArray = np.exp(result - top) * ((weight @ worth) / (weight @ np.exp(own - top)))
    return scaled
