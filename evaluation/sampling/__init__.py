"""Judge a sample of the pool in place of the whole pool, and get means with intervals that hold.

`pool_of` lists the documents of the runs, and `influence` says how much each of them matters. `draw` draws a
sample in which each document has a known chance. `estimate` returns the runs' scores from its gains; `score`
and `compare` use it.
"""

from .chances import Sampling
from .design import Sample, draw
from .estimation import estimate
from .inclusion import inclusion_probabilities, influence
from .pool import Pool, pool_of
from .result import SampledScores

__all__ = [
    "Pool",
    "Sample",
    "SampledScores",
    "Sampling",
    "draw",
    "estimate",
    "inclusion_probabilities",
    "influence",
    "pool_of",
]
