"""The parameters of a report's analyses, and the files that it was computed from."""

import hashlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl

from ..conventions import WORKER_RESAMPLES
from .parts import MEASURES


class Input(NamedTuple):
    """A file that the report was computed from: its name, content, number of rows and SHA-256."""

    name: str
    what: str
    rows: int
    sha256: str


@dataclass(frozen=True)
class Parameters:
    """The parameters of the analyses. More resamples and draws reduce the random error, but take longer.

    - `seed`: the seed of every random number. Each analysis gets a new generator with this seed, so that no
      analysis depends on which others are in the report.
    - `level`: the confidence level of the intervals.
    - `alpha`: the significance level for top sets and for the comparison of gain schemes.
    - `document_resamples`: the number of bootstrap samples of judgments, of the document or of its topic, for
      the interval of a document's gain.
    - `worker_resamples`: the number of bootstrap samples of the workers, for the intervals of the runs' means
      that are based on the crowd's gains.
    - `resamples`: the number of bootstrap samples of topics, documents or units, for all other
      bootstrap intervals.
    - `draws`: the number of draws for the distribution of τ. Each draw takes one magnitude for each document.
    - `trials`: the number of random subsets of topics, for stability and discrimination.
    - `systems`: the number of simulated systems. They consist only of lists whose first `depth` documents
      all have a grade.
    - `measures`: the measures by which systems are compared. The part `rank-changes` also uses
      `further_measures`.
    - `curve_depth`: the last rank of gain curves. `scheme_cutoff`: the cut-off of the table of gain schemes.
    """

    seed: int = 0
    level: float = 0.95
    alpha: float = 0.05
    resamples: int = 2000
    document_resamples: int = 1000
    worker_resamples: int = WORKER_RESAMPLES
    draws: int = 1000
    trials: int = 1000
    systems: int = 100
    depth: int = 10
    measures: tuple[str, ...] = MEASURES
    further_measures: tuple[str, ...] = ("DCG@10",)
    curve_depth: int = 100
    scheme_cutoff: int = 200

    @property
    def random(self) -> np.random.Generator:
        """Return a new random generator with the seed, which can be negative."""
        return np.random.default_rng(self.seed % 2**64)


def table_checksum(table: pl.DataFrame) -> str:
    """Return the SHA-256 of a table, written as CSV with a header."""
    return hashlib.sha256(table.write_csv().encode()).hexdigest()
