"""Estimate the distribution of documents' true levels from levels that were measured with noise."""

from typing import Final

import numpy as np

from ..arrays import FloatArray, IntArray

POINTS: Final = 60
ROUNDS: Final = 200


def level_draws(
    measured: FloatArray, noise: FloatArray, rng: np.random.Generator, *, number: int
) -> FloatArray:
    """Return `number` plausible true levels of each document, as an array (number, documents).

    `measured` has a level for each document: the true level plus normal noise. `noise` has the standard
    deviations of this noise. Because of the noise, the measured levels spread further than the true ones.

    The function first estimates the distribution of the true levels by maximum likelihood [Laird, JASA 1978].
    It puts a grid of 60 points with equal weights over the levels. Then 200 rounds of expectation
    maximisation improve the weights. More rounds would make the distribution less smooth. Finally, the
    function draws each document's level from its distribution given the measured level. So the draws spread
    as far as the true levels do.
    """
    noise = np.maximum(noise, 1e-6)
    grid = np.linspace(measured.min(), measured.max(), POINTS)
    if grid[-1] - grid[0] < 1e-9:
        return np.tile(measured, (number, 1))
    step = grid[1] - grid[0]
    # If the noise is much smaller than a step, a document between two points would fit neither of them.
    width = np.maximum(noise, step / 2)
    fits = np.exp(-0.5 * ((measured[:, None] - grid) / width[:, None]) ** 2) / width[:, None]
    weights = np.full(POINTS, 1 / POINTS)
    for _ in range(ROUNDS):
        posterior = fits * weights
        posterior /= posterior.sum(axis=1, keepdims=True)
        weights = posterior.mean(axis=0)
    posterior = fits * weights
    cumulated = np.cumsum(posterior / posterior.sum(axis=1, keepdims=True), axis=1)
    drawn = np.empty((number, len(measured)))
    uniform = rng.random((number, len(measured)))
    for document, shares in enumerate(cumulated):
        places: IntArray = np.searchsorted(shares, uniform[:, document] * shares[-1])
        drawn[:, document] = grid[places]
    return drawn + rng.uniform(-step / 2, step / 2, drawn.shape)
