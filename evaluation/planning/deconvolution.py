"""Levels of documents without the noise of their judgments: the distribution behind noisy measurements."""

from typing import Final

import numpy as np

from evaluation.arrays import FloatArray, IntArray

POINTS: Final = 60
ROUNDS: Final = 200


def level_draws(
    measured: FloatArray, noise: FloatArray, rng: np.random.Generator, *, number: int
) -> FloatArray:
    """Return `number` plausible true levels for each measured level (number, documents).

    `measured` (documents,) is the true level plus normal noise with the standard deviation `noise`
    (documents,). The measured levels spread further than the true ones. So estimate the distribution of the
    true levels by maximum likelihood [Laird, JASA 1978]: the weights of a grid of levels, by expectation
    maximisation from equal weights. The grid has 60 points, and there are 200 rounds; few rounds keep the
    distribution smooth. Then draw each document's level from its distribution given the measured level. The
    draws spread as far as the true levels do.
    """
    noise = np.maximum(noise, 1e-6)
    grid = np.linspace(measured.min(), measured.max(), POINTS)
    if grid[-1] - grid[0] < 1e-9:
        return np.tile(measured, (number, 1))
    step = grid[1] - grid[0]
    # A step must not be wide beside the noise, or a document would fall between the points.
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
