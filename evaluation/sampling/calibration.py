"""Calibrate predictions of gains on the sampled documents."""

from typing import Final

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray

FOLDS: Final = 5
"""The number of folds of topics. The predictions of a fold are calibrated on the topics of the others."""
_NOTHING: Final = 1e-9
"""A smaller sum over documents is a rounding error."""
_PENALTY: Final = 0.1
"""The penalty of the ridge regression, in documents: its features have a standard deviation of 1."""


def calibrated(
    worth: FloatArray,
    chances: FloatArray,
    sampled: BoolArray,
    topic: IntArray,
    predictions: FloatArray,
    *,
    is_fixed: bool,
) -> FloatArray:
    """Return a prediction of each document's gain, from the sampled documents only (documents,).

    `worth` (documents,) has the gains, of which only those of sampled documents are used. `predictions`
    (documents, columns) has any numbers that can say something about the gains. `is_fixed` says that the
    sample has a fixed size. The steps are:

    1. For each fold of topics, a ridge regression on the sampled documents of the other folds, weighted by
       1/chance. If all its gains are above 0, it is a regression of ln gain, and its result is exp of the
       prediction times the factor that makes the weighted sums of predictions and gains equal. Columns with
       only positive numbers enter as logarithms. Without columns, the result is the weighted mean.
    2. The mean of the topic's remaining errors, weighted by 1/chance, is added, as `_errors_of_topic` says.

    The prediction of a document does not depend on its own gain nor, on average, on whether the document was
    sampled. So the difference estimator has no bias, whatever predicts the gains.
    """
    features = _features(predictions)
    fold = topic % FOLDS
    overall = np.zeros(len(worth))
    for place in np.unique(fold):
        inside = fold == place
        train = sampled & ~inside
        if train.any():
            overall[inside] = _predicted(features[train], worth[train], 1 / chances[train], features[inside])
    error = np.where(sampled, worth - overall, 0.0)
    predicted: FloatArray = overall + _errors_of_topic(error, chances, sampled, topic, is_fixed=is_fixed)
    return predicted


def _errors_of_topic(
    error: FloatArray, chances: FloatArray, sampled: BoolArray, topic: IntArray, *, is_fixed: bool
) -> FloatArray:
    """Return the mean error of the topic's other sampled documents, weighted by 1/chance (documents,).

    `error` is 0 for documents that were not sampled. An error of 0 counts as one more document, so that
    topics with few sampled documents have a small mean. How much it counts depends on the number of documents
    that are expected to be sampled: the actual number depends on the document itself if the size is fixed.

    With a fixed size, a document also takes a place from the others, mostly from those with large chances.
    Hájek's joint chances, π·π'·(1 − (1 − π)·(1 − π')/D) with D = Σ π(1 − π), say by how much this moves the
    mean [Annals of Mathematical Statistics 1964]: by Σ (e − ē)/(N·D) over the sampled documents,
    where e is an error, ē the mean and N the sum of 1/chance. The mean of a sampled document is moved back.
    """
    number = int(topic.max(initial=-1)) + 1

    def of_others(values: FloatArray) -> FloatArray:
        """Return the sum of the values of the topic's other documents (documents,)."""
        sums: FloatArray = np.bincount(topic, values, minlength=number)[topic] - values
        return sums

    def ratio(one: FloatArray, other: FloatArray) -> FloatArray:
        return np.divide(one, other, out=np.zeros(len(error)), where=other > _NOTHING)

    inverse = np.divide(1.0, chances, out=np.zeros(len(error)), where=sampled)
    weights = of_others(inverse)
    mean = ratio(of_others(inverse * error), weights)
    if is_fixed:
        own_left = np.where(sampled, 1 - chances, 0.0)
        left = of_others(own_left) + own_left
        away = of_others(error) - of_others(sampled.astype(np.float64)) * mean
        mean = mean - np.where(sampled, ratio(away, weights * left), 0.0)
    # If the chances of documents that were not sampled are unknown, the number of sampled ones is at hand.
    is_known = not np.isnan(chances).any()
    expected = of_others(chances) if is_known else of_others(sampled.astype(np.float64)) + sampled
    of_topic: FloatArray = mean * expected / (expected + 1)
    return of_topic


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
