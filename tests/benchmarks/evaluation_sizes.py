"""What the benchmark of `evaluation` computes, and of how large a collection; nothing large is imported."""

from dataclasses import dataclass

MEASURES = ("nDCG@10", "nDCG@1000", "AP", "P@10", 'ERR(gmax="file")@10')


@dataclass(frozen=True)
class Size:
    """How many runs, topics, documents in each list, and judged documents over all topics."""

    runs: int = 129
    topics: int = 50
    length: int = 1_000
    judgments: int = 85_000


FULL = Size()
QUICK = Size(runs=12, topics=10, length=200, judgments=5_000)
STUDY = Size(topics=18, judgments=4_269)
"""As many topics and judged documents as the study of magnitude estimation had [T15]."""
TINY = Size(runs=1, topics=1, length=10, judgments=10)

DRAWS, TRIALS, LOOPED = 1_000, 1_000, 5
"""Resamples and trials, and how many of them the loops of the peers do."""
